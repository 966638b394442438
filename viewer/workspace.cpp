#include "viewer/workspace.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "viewer/live/model_variant.h"

namespace viewer {
namespace {

constexpr size_t kMaxLogLines = 2000;

std::string clock_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

}  // namespace

bool Workspace::training_active() const {
  return training.status == RunStatus::kPreparing || training.status == RunStatus::kRunning ||
         training.status == RunStatus::kPaused || training.status == RunStatus::kStopping;
}
bool Workspace::live() const {
  return training.status == RunStatus::kRunning || training.status == RunStatus::kPaused ||
         training.status == RunStatus::kStopping;
}

bool Workspace::uses_engine() const {
  if (live()) return true;
  if (!splats) return false;
  return settings.renderer == RendererChoice::kEngine || (settings.renderer == RendererChoice::kAuto && software_gl);
}

bool Workspace::receive() {
  bool any = false;
  const auto take = [&](auto& mailbox, auto&& use) {
    while (auto value = mailbox.take()) use(std::move(*value)), any = true;
  };
  take(app.dataset, [&](OpenedDataset&& opened) { take_dataset(std::move(opened)); });
  take(app.splats, [&](OpenedSplats&& opened) { take_splats(std::move(opened)); });
  take(app.preflight, [&](Preflight&& found) { take_preflight(std::move(found)); });
  take(app.work, [&](WorkProgress&& progress) { work = std::move(progress); });
  take(app.training, [&](TrainingState&& state) { training = std::move(state); });
  take(app.devices, [&](Devices&& list) { devices = std::move(list); });
  take(app.engine_image, [&](EngineImage&& image) { engine_image = std::move(image), scene_changed = true; });
  take(app.picked, [&](PickedPoint&& picked) {
    if (picked.point) navigator.focus_on(*picked.point);
  });
  take(app.thumbnails, [&](Thumbnail&& thumbnail) { thumbnails[thumbnail.view].set(thumbnail.picture); });
  take(app.photo, [&](Photo&& arrived) {
    photo.set(arrived.picture);
    photo_view = arrived.view, scene_changed = true;
  });
  take(app.comparison, [&](Comparison&& arrived) {
    comparison_render.set(arrived.render);
    comparison_photo.set(arrived.photo);
    arrived.render.pixels = arrived.photo.pixels = {};
    comparison = std::move(arrived);
  });
  take(app.notices, [&](Notice&& notice) { take_notice(std::move(notice)); });
  take(app.quit_done, [&](QuitDone&&) { may_close = true; });
  return any;
}

const std::vector<PhotoCamera>& Workspace::cameras() const {
  static const std::vector<PhotoCamera> none;
  return dataset ? dataset->cameras : splats ? splats->cameras : none;
}

bool Workspace::comparable(int view) const {
  const std::vector<PhotoCamera>& all = cameras();
  if (!has_photos() || view < 0 || size_t(view) >= all.size()) return false;
  return all[size_t(view)].held_out || std::none_of(all.begin(), all.end(), [](const auto& c) { return c.held_out; });
}

bool Workspace::trains_now() const {
  return training.status == RunStatus::kRunning || training.status == RunStatus::kStopping;
}

RenderSettings Workspace::drawn_settings() const { return trains_now() ? live_settings(render) : render; }

std::filesystem::path Workspace::scene_path() const { return dataset ? dataset->path : splats ? splats->path : ""; }

void Workspace::set_scene(const Bounds& bounds, const UpGuess& up, const SceneMemory& memory) {
  guessed_up = up;
  remembered_ = memory;
  navigator.set_scene(bounds);
  navigator.set_up(memory.up.value_or(up.up), false);
  navigator.set_bookmarks(memory.bookmarks);
}

void Workspace::remember_scene() {
  if (!anything_open()) return;
  SceneMemory now;
  if (length(navigator.up() - guessed_up.up) > 1e-9) now.up = navigator.up();
  now.bookmarks = navigator.bookmarks();
  if (now == remembered_) return;
  remembered_ = now;
  app.commands.put(RememberScene{scene_path(), std::move(now)});
}

void Workspace::forget_photos() {
  thumbnails.clear();
  comparison.reset();
  photo_view = photo_wanted = -1;
}

// The first of those that it makes sense for; -1: none.
void Workspace::choose_compared() {
  if (comparable(compared_view)) return;
  compared_view = -1;
  for (int i = 0; i < int(cameras().size()) && compared_view < 0; ++i)
    if (comparable(i)) compared_view = i;
  comparison.reset();
}

// From a little above, at once; H comes back to it.
void Workspace::look_at_scene() {
  constexpr double kLong = 10;  // s: any transition is over
  constexpr double kDownward = 0.25;
  CameraState start = navigator.camera();
  start.fov_y_deg = settings.navigation.fov_y_deg;
  start.orthographic = false;
  navigator.set_camera(start);
  const Vec3 ahead = any_perpendicular(navigator.up());
  const Vec3 z{0, 0, 1}, level = z - dot(z, navigator.up()) * navigator.up();  // the side that files face
  navigator.look_along(normalized((length(level) > 0.3 ? normalized(level) : ahead) - kDownward * navigator.up()));
  navigator.update(kLong);
  navigator.frame_scene();
  navigator.update(kLong);
  navigator.set_home(navigator.camera());
}

// As its first photo shows it: the one view of a trained scene that is known to look good.
void Workspace::look_from_photo(int view) {
  constexpr double kLong = 10;  // s: any transition is over
  CameraState start = navigator.camera();
  start.orthographic = false;
  navigator.set_camera(start);
  navigator.go_to_photo(view);
  navigator.update(kLong);
  navigator.set_home_photo(view);
}

void Workspace::drop_splats() {
  if (splats) disposal.add(std::move(*splats));
  splats.reset();
}

void Workspace::take_splats(OpenedSplats&& opened) {
  const bool of_run = opened.iteration >= 0;
  if (!of_run) {
    dataset.reset();
    forget_photos();
    training = {};
    navigator.set_photo_cameras(opened.cameras);
    set_scene(opened.bounds, opened.up, opened.memory);
    render.antialias = opened.antialiased;
    render.background = opened.background.value_or(render.background);
    settings.add_recent(opened.path.string());
  }
  drop_splats();
  splats = std::move(opened);
  ++splats_loaded;
  scene_changed = true;
  if (of_run) return;
  compared_view = -1;
  choose_compared();
  ++cameras_changed;
  if (splats->cameras.empty())
    look_at_scene();
  else
    look_from_photo(0);
}

void Workspace::take_dataset(OpenedDataset&& opened) {
  drop_splats();
  ++splats_loaded;
  engine_image.reset();
  forget_photos();
  training = {};
  navigator.set_photo_cameras(opened.cameras);
  set_scene(opened.bounds, opened.up, opened.memory);
  settings.add_recent(opened.path.string());
  choices.output = opened.suggested_output;
  foreseen_ = TrainingChoices{};  // what it was opened with
  dataset = std::move(opened);
  compared_view = -1;
  choose_compared();
  ++cameras_changed;
  ++dataset_loaded;
  scene_changed = true;
  look_at_scene();
}

// Held-out photos are found by name: a run may have left views out.
void Workspace::take_preflight(Preflight&& found) {
  if (!dataset) return;
  const std::set<std::string> names(found.held_out.begin(), found.held_out.end());
  dataset->held_out = 0;
  for (PhotoCamera& camera : dataset->cameras) {
    camera.held_out = names.contains(camera.name);
    dataset->held_out += camera.held_out;
  }
  if (!found.lines.empty()) dataset->preflight = std::move(found.lines);
  choose_compared();
  ++cameras_changed;
}

void Workspace::want_preflight() {
  if (!dataset || training_active()) return;
  const auto same = [](const TrainingChoices& a, const TrainingChoices& b) {
    return a.hold_out == b.hold_out && a.test_every == b.test_every && a.resolution == b.resolution && a.fine == b.fine;
  };
  if (same(foreseen_, choices)) return;
  foreseen_ = choices;
  app.commands.put(WantPreflight{choices});
}

void Workspace::say(NoticeKind kind, std::string text) {
  log.push_back({kind, std::move(text), clock_time()});
  if (log.size() > kMaxLogLines) log.pop_front();
}

void Workspace::take_notice(Notice&& notice) {
  if (notice.kind == NoticeKind::kError) errors.push_back(notice.text);
  say(notice.kind, std::move(notice.text));
}

void Workspace::open(const std::filesystem::path& path) {
  if (training_active()) {
    opening_after_question = path;
    ask_open = true;
    return;
  }
  settings.last_folder = path.parent_path().string();
  app.commands.put(OpenPath{path});
}

void Workspace::ask_to_close() {
  if (training_active())
    ask_close = true;
  else
    close_now();
}

void Workspace::close_now() {
  if (closing) return;
  closing = true;
  app.commands.put(Quit{});
}

void Workspace::ask_file(FileDialog::Kind kind, const std::string& title, const std::string& suggested,
                         std::function<void(const std::filesystem::path&)> answer) {
  dialog_answer = std::move(answer);
  dialog.open(kind, title, settings.last_folder, suggested);
}

void Workspace::want_photo() {
  const auto view = navigator.photo();
  if (!view || !has_photos() || photo_blend <= 0 || *view == photo_view || *view == photo_wanted) return;
  photo_wanted = *view;
  app.commands.put(WantPhoto{*view, 2048});
}

}  // namespace viewer
