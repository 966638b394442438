#include "studio/window/workspace.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "studio/window/dropped.h"
#include "viewer/live/model_variant.h"
#include "viewer/scene_name.h"

namespace studio {
namespace {

constexpr size_t kMostRemembered = 2000;  // keys of a path that is kept with its scene; longer ones come from files

// The views that the run which made the scene left out.
std::set<int> left_out_before(const std::vector<PhotoCamera>& cameras) {
  std::set<int> views;
  for (size_t i = 0; i < cameras.size(); ++i)
    if (cameras[i].left_out) views.insert(int(i));
  return views;
}

}  // namespace

bool Workspace::uses_engine() const {
  if (received.live()) return true;
  if (!received.splats) return false;
  return settings.renderer == RendererChoice::kEngine ||
         (settings.renderer == RendererChoice::kAuto && program.software_gl);
}

bool Workspace::crops() const {
  if (!edit.crop.box() || scene_covered()) return false;
  const bool of_run = choices.has_region() && received.dataset && !received.splats && !received.training_active();
  return of_run || (edits() && edit.scene && &edit.tool() == &edit.crop);
}

size_t Workspace::splats_left() const {
  if (!received.splats) return 0;
  return received.splat_rows - (edit.scene ? std::min(edit.scene->deleted, received.splat_rows) : 0);
}

bool Workspace::shows_crop_box() const {
  if (!edit.crop.box() || scene_covered()) return false;
  return crops() || (choices.has_region() && received.dataset && received.training_active()) ||
         (edits() && edit.crop.clips);
}

bool Workspace::receive() { return bridge.reports.deliver(); }

Workspace::Workspace(Bridge& joined) : bridge(joined) { take_reports(); }

void Workspace::take_reports() {
  bridge.reports.on<OpenedDataset>([this](OpenedDataset&& opened) {
    opened.growing ? take_growing(std::move(opened)) : take_dataset(std::move(opened));
  });
  bridge.reports.on<OpenedSplats>([this](OpenedSplats&& opened) { take_splats(std::move(opened)); });
  bridge.reports.on<PackedModel>([this](PackedModel&& packed) { take_packed(std::move(packed)); });
  bridge.reports.on<WorkProgress>([this](WorkProgress&& progress) { received.progress = std::move(progress); });
  bridge.reports.on<TrainingState>([this](TrainingState&& state) { take_training(std::move(state)); });
  bridge.reports.on<Abilities>([this](Abilities&& list) { received.devices = std::move(list); });
  bridge.reports.on<EngineImage>(
      [this](EngineImage&& image) { received.engine_image = std::move(image), look.changed = true; });
  bridge.reports.on<PickedPoint>([this](PickedPoint&& picked) { take_picked(picked); });
  bridge.reports.on<Thumbnail>([this](Thumbnail&& thumbnail) { received.take_thumbnail(std::move(thumbnail)); });
  bridge.reports.on<RecentPicture>(
      [this](RecentPicture&& recent) { received.recent_pictures[recent.scene.string()].set(recent.picture); });
  bridge.reports.on<BookmarkPicture>([this](BookmarkPicture&& made) { received.take_bookmark_picture(made); });
  bridge.reports.on<Photo>([this](Photo&& arrived) {
    received.photo.set(arrived.picture);
    received.photo_view = arrived.view, look.changed = true;
  });
  bridge.reports.on<Notice>([this](Notice&& notice) { take_notice(std::move(notice)); });
  bridge.reports.on<PredictedSizes>([this](PredictedSizes&& sizes) { dialogs.sizes = std::move(sizes); });
  bridge.reports.on<ChangedRows>([this](ChangedRows&& changed) { take_changed_rows(std::move(changed)); });
  bridge.reports.on<QuitDone>([this](QuitDone&&) { dialogs.may_close = true; });
}

void Workspace::take_picked(const PickedPoint& picked) {
  if (picked.tool.empty())
    return picked.point ? look.navigator.focus_on(*picked.point) : look.navigator.focus_on_scene();
  if (!picked.point) return say_nothing_is_there();
  for (const auto& tool : edit.tools)
    if (picked.tool == tool->offer.label) tool->picked(*this, picked);
  look.changed = true;
}

void Workspace::set_scene(const Bounds& bounds, const Bounds& framed, const UpGuess& up, const SceneMemory& memory) {
  look.guessed_up = up;
  remembered_ = memory;
  look.navigator.set_scene(bounds, framed);
  look.navigator.set_up(memory.up.value_or(up.up), false);
  look.navigator.set_bookmarks(memory.bookmarks);
  received.bookmark_pictures.clear();
  edit.measure.open(memory.metres_per_unit);
  edit.crop.set(memory.crop_box);
  path = memory.path, ++paths_set;
  choices.train.region = {};
}

void Workspace::remember_scene() {
  if (!received.anything_open()) return;
  SceneMemory now;
  if (length(look.navigator.up() - look.guessed_up.up) > 1e-9) now.up = look.navigator.up();
  now.bookmarks = look.navigator.bookmarks();
  now.metres_per_unit = edit.measure.metres_per_file_unit();
  if (path.keys.size() <= kMostRemembered) now.path = path;
  now.crop_box = edit.crop.dragging() ? remembered_.crop_box : edit.crop.box();
  if (now == remembered_) return;
  remembered_ = now;
  ask(RememberScene{received.scene_path(), std::move(now)});
}

void Workspace::save_settings() {
  if (!saved_) saved_ = settings;
  seen_.changes(settings, now);
  if (!seen_.due(now) || saved_ == settings) return;
  saved_ = settings;
  ask(SaveSettings{settings_text(settings)});
}

// Whatever was shown of the scene before.
void Workspace::leave_scene(bool same) {
  forget_photos();
  all([&](Feature& feature) { feature.scene_left(same); });
}

void Workspace::scene_is_open() {
  left_out = left_out_before(received.cameras());
  ++received.cameras_changed;
  all([](Feature& feature) { feature.scene_opened(); });
}

std::vector<std::string> Workspace::names_left_out() const {
  std::vector<std::string> names;
  for (const int view : left_out)
    if (size_t(view) < received.cameras().size()) names.push_back(received.cameras()[size_t(view)].name);
  return names;
}

bool Workspace::leaves_out_others() const { return left_out_before(received.cameras()) != left_out; }

bool Workspace::unsaved() const {
  return edit.unsaved() ||
         std::any_of(features.begin(), features.end(), [](const auto& feature) { return feature->unsaved(); });
}

bool Workspace::asks_first(const std::function<void()>& then) {
  for (const auto& feature : features)
    if (feature->unsaved()) return feature->leave(then), true;
  return false;
}

bool Workspace::scene_covered() const {
  return std::any_of(features.begin(), features.end(), [](const auto& feature) { return feature->covers_scene(); });
}

void Workspace::ask_export(std::optional<uint32_t> object) {
  dialogs.export_object = object;
  dialogs.sizes_asked.reset(), dialogs.sizes.reset();
  dialogs.show_export = received.has_splats() && received.devices && !received.devices->formats.empty();
}

void Workspace::forget_photos() {
  received.thumbnails.clear();
  received.photo_view = photo_wanted_ = -1;
}

// Also called for a scene that is about to be received.
void Workspace::take_changed_rows(ChangedRows&& changed) {
  if (!received.splats || changed.splats != received.splats->path) return;
  received.splat_rows = changed.rows;
  received.splat_degree = changed.packed.sh_degree;
  for (const auto& tool : edit.tools) tool->rows_changed(changed.revision);
  received.splats->bounds = changed.bounds;
  look.navigator.set_scene(changed.bounds, changed.framed);
  received.changed_rows.push_back(std::move(changed));
  look.changed = true;
}

void Workspace::drop_splats() {
  edit.forget();
  received.changed_rows.clear();
  if (received.splats) disposal.add(std::move(*received.splats));
  received.splats.reset();
}

// All of what is shown in part already: nothing but the facts changes.
void Workspace::take_whole(OpenedSplats&& opened) {
  if (received.splats->packed.splats.count > 0) opened.packed = std::move(received.splats->packed);
  received.splats = std::move(opened);
  look.changed = true;
}

void Workspace::take_splats(OpenedSplats&& opened) {
  if (received.splats && received.splats->part && received.splats->number == opened.number && opened.rows > 0)
    return take_whole(std::move(opened));
  const bool of_run = opened.iteration >= 0;
  const bool same_city =
      !opened.city.empty() && !received.dataset && received.splats && received.splats->city == opened.city;
  const bool result = !of_run && !opened.path.empty() && opened.path == dialogs.edited_result;
  const CameraState seen = look.navigator.camera();
  if (!of_run) {
    leave_scene(false);
    received.dataset.reset();
    received.training = {};
    show_scene();
    if (!same_city) look.navigator.set_photo_cameras(opened.cameras);
    if (!same_city) set_scene(opened.bounds, opened.framed, opened.up, opened.memory);
    if (!edit.measure.metres_per_unit() && opened.metres_per_unit > 0) edit.measure.set_scale(opened.metres_per_unit);
    look.display.filter = opened.filter;
    trained_background_ = opened.background.value_or(kGreyBackdrop);
    show_backdrop();
    settings.add_recent((opened.city.empty() ? opened.path : opened.city).string());
  }
  drop_splats();
  received.splats = std::move(opened);
  received.splat_rows = received.splats->rows;
  received.splat_degree = received.splats->sh_degree;
  ++received.splats_loaded;
  look.changed = true;
  if (of_run) return;
  scene_is_open();
  if (result) look.navigator.set_camera(seen);
  if (same_city || result) return;  // seen from where it was
  if (received.splats->cameras.empty() || !received.splats->city.empty())
    look.at_scene(settings.navigation.fov_y_deg, received.splats->front_at_z);
  else
    look.from_photo(0);
}

// The changes of rows that are in it already go.
void Workspace::take_packed(PackedModel&& packed) {
  if (!received.splats || received.splats->number != packed.opened) return;
  auto& waiting = received.changed_rows;
  while (!waiting.empty() && waiting.front().revision <= packed.revision) waiting.pop_front();
  received.splats->packed = std::move(packed);
  look.changed = true;
}

void Workspace::take_dataset(OpenedDataset&& opened) {
  drop_splats();
  leave_scene(opened.of_run);
  ++received.splats_loaded;
  received.engine_image.reset();
  received.training = {};
  look.navigator.set_photo_cameras(opened.cameras);
  if (!opened.of_run) set_scene(opened.bounds, {}, opened.up, opened.memory);
  settings.add_recent(opened.path.string());
  received.stopped_run.reset();
  choices.output = opened.suggested_output;
  if (received.dataset && !received.dataset->masks.empty()) choices.fine.erase("masks");
  if (!opened.masks.empty()) choices.fine["masks"] = opened.masks.string();
  if (!opened.of_run) trained_background_ = DisplaySettings().background;
  show_backdrop();
  const bool of_run = opened.of_run;
  received.dataset = std::move(opened);
  scene_is_open();
  ++received.dataset_loaded;
  look.changed = true;
  if (of_run) return;
  look.photo_blend = received.dataset->cameras.empty() ? 0.0f : 1.0f;
  if (received.dataset->cameras.empty())
    look.at_scene(settings.navigation.fov_y_deg);
  else
    look.from_photo(0);
}

void Workspace::take_training(TrainingState&& state) {
  const bool was_active = received.training_active(), was_live = received.live();
  received.training = std::move(state);
  const bool active = received.training_active();
  if (was_active && !active) run_ended = true;
  if (!was_live && received.live()) {
    look.display.filter = received.training.filter;
    settings.add_recent(received.training.output.string());
  }
  if (was_active || !active) return;
  all([](Feature& feature) { feature.run_began(); });
  show_scene();
}

// The view follows the scene until the user moves it.
void Workspace::take_growing(OpenedDataset&& opened) {
  const bool first = !received.dataset || !received.dataset->growing;
  if (first) {
    drop_splats();
    leave_scene(false);
    ++received.splats_loaded;
    received.engine_image.reset();
    received.training = {};
  }
  received.keep_thumbnails(opened.cameras);
  const bool follow = first || look.navigator.at_home();
  look.navigator.set_photo_cameras(opened.cameras);
  if (follow)
    set_scene(opened.bounds, {}, opened.up, opened.memory);
  else
    look.navigator.set_scene(opened.bounds);
  received.dataset = std::move(opened);
  ++received.cameras_changed;
  ++received.dataset_loaded;
  look.changed = true;
  if (follow) look.at_scene(settings.navigation.fov_y_deg);
}

void Workspace::take_notice(Notice&& notice) {
  if (notice.kind == NoticeKind::kDone) return show_for_a_moment(notice.text, notice.saved);
  if (!notice.refused.empty()) dialogs.refused.insert(notice.refused);
  if (notice.kind == NoticeKind::kError) received.errors.push_back(notice);
  received.add_log_line(notice.kind, std::move(notice.text));
}

int& Workspace::continue_to() {
  constexpr int kUsual[] = {7000, 30000}, kMore = 10000;  // iterations
  const Continuation* run = received.continuation();
  if (!run || run->checkpoint == continued_) return continue_to_;
  continued_ = run->checkpoint;
  const auto usual = std::find_if(std::begin(kUsual), std::end(kUsual), [&](int end) { return end > run->iteration; });
  continue_to_ = run->iterations > run->iteration ? run->iterations
                 : usual != std::end(kUsual)      ? *usual
                                                  : run->iteration + kMore;
  return continue_to_;
}

bool Workspace::must_wait(const std::function<void()>& again) {
  if (edit.unsaved()) say("the edits are not saved: save them (Ctrl+S) or undo them first");
  return edit.unsaved() || asks_first(again);
}

void Workspace::continue_run() {
  const Continuation* run = received.continuation();
  if (!run || must_wait([this] { continue_run(); })) return;
  TrainingChoices again;  // the checkpoint has the rest
  again.train.iterations = continue_to();
  again.device.backend = choices.device.backend, again.device.index = choices.device.index;
  again.save.checkpoint_every = choices.save.checkpoint_every;
  again.output = run->output, again.resume = run->checkpoint;
  if (!left_out.empty() || leaves_out_others()) again.left_out = names_left_out();
  ask(StartTraining{again});
}

void Workspace::start_anew() {
  if (must_wait([this] { start_anew(); })) return;
  if (choices.has_region()) settings.last_box = choices.train.region;
  choices.left_out.reset();
  if (!left_out.empty()) choices.left_out = names_left_out();
  ask(StartTraining{choices});
}

// In place of the photo that covers it.
void Workspace::show_scene() {
  look.photo_blend = 0;
  look.changed = true;
}

void Workspace::show_backdrop() {
  look.display.background = settings.backdrop == Backdrop::kTrained ? trained_background_ : kGreyBackdrop;
  look.display.see_through = settings.backdrop == Backdrop::kGradient;
  look.changed = true;
}

bool Workspace::trains() const {
  return received.training_active() ||
         std::any_of(features.begin(), features.end(), [](const auto& feature) { return feature->trains(); });
}

void Workspace::train() { received.continuation() ? continue_run() : start_anew(); }

void Workspace::open(const std::filesystem::path& path, const std::vector<std::filesystem::path>& more) {
  if (asks_first([this, path, more] { open(path, more); })) return;
  dialogs.adding_after_question = more;
  if (trains()) {
    dialogs.opening_after_question = path;
    dialogs.show_open_question = true;
    return;
  }
  if (edit.unsaved()) {
    dialogs.opening_after_question = path;
    dialogs.show_edits_question = true;
    return;
  }
  open_now(path, more);
}

void Workspace::open_now(const std::filesystem::path& path, const std::vector<std::filesystem::path>& more) {
  settings.last_folder = path.parent_path().string();
  received.message.clear();  // of what was open
  said_until = now;
  if (opens_photos(more)) return ask(OpenPhotos{more});
  ask(OpenPath{path});
  for (const std::filesystem::path& one : more) ask(AddSplats{one, true});
}

void Workspace::add(const std::filesystem::path& path) {
  if (!received.splats || received.live() || received.splats->iteration >= 0)
    return say("a file is added to splats that are open from a file: open one first");
  settings.last_folder = path.parent_path().string();
  ask(AddSplats{path, false, edit.measure.metres_per_unit().value_or(0)});
}

void Workspace::say(const std::string& text) {
  show_for_a_moment(text);
  received.add_log_line(NoticeKind::kWarning, text);
}

void Workspace::show_for_a_moment(const std::string& text, const std::filesystem::path& saved) {
  constexpr double kSeconds = 10;
  said = text, said_file = saved, said_until = now + kSeconds;
}

void Workspace::ask_to_close() {
  if (asks_first([this] { ask_to_close(); })) return;
  if (trains()) {
    dialogs.show_close_question = true;
  } else if (edit.unsaved()) {
    dialogs.opening_after_question.clear();
    dialogs.show_edits_question = true;
  } else if (!received.progress.if_closed.empty()) {
    dialogs.show_work_question = true;
  } else {
    close_now();
  }
}

void Workspace::close_now(bool keep_edits) {
  if (!std::exchange(dialogs.closing, true)) ask(Quit{keep_edits});
}

void Workspace::ask_file(FileDialog::Kind kind, const std::string& title, const std::string& suggested,
                         std::function<void(const std::filesystem::path&)> answer, FileKinds kinds) {
  if (dialogs.file.is_open()) return show_for_a_moment("a file dialog is open already: choose in it, or cancel it");
  const std::filesystem::path scene = received.scene_path();
  FileQuestion asked = file_question({kind, title, {}, suggested, std::move(kinds)},
                                     {scene, received.run_folder(), dialogs.ended, dialogs.refused}, settings);
  dialogs.file_answer = [this, asked, scene, answer = std::move(answer)](const std::filesystem::path& path) {
    dialogs.ended[asked.title] = {scene, path.parent_path()};
    if (const auto given = give_answer(asked, path, answer); !given) say(given.error().message);
  };
  dialogs.file.open(asked);
}

void Workspace::want_recent_pictures() {
  if (received.anything_open()) return;
  std::vector<std::string> listed = settings.recent;
  if (!program.demo.empty()) listed.insert(listed.begin(), program.demo.string());
  if (listed.empty() || listed == pictures_wanted_) return;
  pictures_wanted_ = listed;
  ask(WantRecentPictures{{listed.begin(), listed.end()}});
}

void Workspace::want_photo() {
  const auto view = look.navigator.photo();
  if (!view || !received.has_photos() || look.photo_blend <= 0 || *view == received.photo_view ||
      *view == photo_wanted_)
    return;
  photo_wanted_ = *view;
  ask(WantPhoto{*view, 2048});
}

DisplaySettings drawn_settings(const Workspace& work) {
  constexpr std::array<std::array<float, 3>, 5> kSelections{
      {{1, 0.62f, 0.1f}, {0.16f, 0.5f, 1}, {0.15f, 0.85f, 0.35f}, {1, 0.2f, 0.85f}, {1, 1, 1}}};  // SelectionColour
  DisplaySettings drawn = work.received.trains_now() ? live_settings(work.look.display) : work.look.display;
  if (work.edits()) drawn.selection = work.edit.cleanup.looked_at() ? SelectionTint::kByReason : SelectionTint::kPlain;
  drawn.selection_colour = kSelections[size_t(work.settings.selection_colour)];
  return drawn;
}

const Palette& scene_colours(const Workspace& work) {
  const std::array<float, 3>& behind = work.look.display.background;
  return palette(behind[0] + behind[1] + behind[2] < 1.5f ? ThemeChoice::kDark : ThemeChoice::kLight);
}

std::string window_title(const Workspace& work) {
  const std::filesystem::path path = work.received.scene_path();
  if (path.empty()) return "hipsplat";
  const bool renamed = work.edit.scene && !work.edit.scene->saved_as.empty();
  return (work.unsaved() ? "* " : "") + scene_name(renamed ? work.edit.scene->saved_as : path) + " - hipsplat";
}

}  // namespace studio
