#include "studio/film/feature.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "studio/window/scene_place.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kUsualGap = 2;  // s, to a key after the last one
constexpr double kFrustum = 0.06;
constexpr double kReachPx = 12, kClickPx = 3;  // at scale 1
constexpr size_t kMostNumbered = 200;

}  // namespace

FilmFeature::FilmFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<PathRead>([this](PathRead&& read) {
    film_.take(read);
    panel_.use(std::move(read.path), "open path");
    open_ = true;
  });
}

bool FilmFeature::usable() const { return work.received.anything_open() && !work.edits() && !work.scene_covered(); }

// ---- what happens

void FilmFeature::scene_left(bool same) {
  if (same) return;
  set_playing(false);
  time_ = 0;
  shown_.reset();
}

// The path goes with the scene: it comes when that is opened, and is remembered when it has changed.
void FilmFeature::follow_memory() {
  if (paths_seen_ != work.paths_set) {
    paths_seen_ = work.paths_set;
    editor_.open(work.path);
    remembered_ = editor_.revision();
    ruler_end_ = 0;
  }
  if (editor_.dragging() || remembered_ == editor_.revision()) return;
  remembered_ = editor_.revision();
  work.path = editor_.path();
}

void FilmFeature::each_frame() {
  if (editor_.dragging() && !dragging_in_scene_ && !ImGui::IsAnyItemActive()) editor_.end_drag();  // its field went
  follow_memory();
  if (!shown()) set_playing(false);
  play();
  time_ = std::min(time_, std::max(editor_.seconds(), ruler_end_));
  give_marks();
}

void FilmFeature::set_playing(bool on) {
  playing_ = on && editor_.seconds() > 0;
  played_at_ = work.now;
  if (playing_ && time_ >= editor_.seconds() - 1e-6) time_ = 0;
  if (playing_) seek(time_);
  work.plays = playing_;
}

// Until somebody moves the view, or nothing is left to play.
void FilmFeature::play() {
  if (!playing_) return;
  const double all = editor_.seconds();
  if (!(all > 0) || (shown_ && !same_camera(*shown_, work.look.navigator.camera()))) return set_playing(false);
  double now = time_ + work.now - std::exchange(played_at_, work.now);
  const bool round = editor_.path().loop != splat::LoopMode::kNone;
  if (now >= all) now = round ? std::fmod(now, all) : all;
  seek(now);
  if (!round && now >= all) set_playing(false);
}

void FilmFeature::seek(double seconds) {
  time_ = std::max(seconds, 0.0);
  if (editor_.empty()) return;
  Navigator& navigator = work.look.navigator;
  navigator.set_camera(camera_at(editor_.pose_at(time_), navigator.camera().focus_distance));
  shown_ = navigator.camera();
  work.look.changed = true;
}

void FilmFeature::go_to_key(size_t key) {
  editor_.choose(key);
  seek(editor_.key_times()[key]);
}

void FilmFeature::step_key(int by) {
  const std::vector<double>& times = editor_.key_times();
  if (times.empty()) return;
  ptrdiff_t key = std::lower_bound(times.begin(), times.end(), time_ - film_.frame() / 2) - times.begin();
  const bool at = key < ptrdiff_t(times.size()) && times[size_t(key)] < time_ + film_.frame() / 2;
  if (by < 0 || at) key += by;
  go_to_key(size_t(std::clamp<ptrdiff_t>(key, 0, ptrdiff_t(times.size()) - 1)));
}

// At a photo with its own field of view, not that which fits it into the scene.
splat::CameraPose FilmFeature::present_pose() const {
  const Navigator& navigator = work.look.navigator;
  const auto photo = navigator.photo();
  return photo ? splat::pose_of(work.received.cameras()[size_t(*photo)].view) : pose_of(navigator.camera());
}

void FilmFeature::add_key() {
  set_playing(false);
  const double time = std::round(time_ / film_.frame()) * film_.frame();
  if (!editor_.add(time, present_pose(), film_.frame(), kUsualGap))
    return work.show_for_a_moment("no key fits at this time: the one before it is held for longer");
  time_ = editor_.key_times()[*editor_.chosen()];
  shown_ = work.look.navigator.camera();
}

void FilmFeature::remove_key() {
  if (editor_.chosen()) editor_.remove(*editor_.chosen());
}

// ---- in the scene

void FilmFeature::give_marks() {
  marks_.shown = shown() && !playing_ && !editor_.empty();
  if (!marks_.shown) return;
  const Palette& colours = scene_colours(work);
  const bool follows = shown_ && same_camera(*shown_, work.look.navigator.camera());
  PathMarks::Look look;
  look.revision = editor_.revision();
  look.chosen = editor_.chosen();
  if (!follows) look.time = time_;
  look.size = kFrustum * work.look.navigator.scene_radius() * work.settings.camera_size;
  look.shape = film_.shape();
  look.line = colours.good, look.key = colours.held_out_camera, look.current = colours.current_camera;
  marks_.set(editor_, look);
}

// A click chooses a key, a drag moves it across the view, with Shift to and fro.
bool FilmFeature::take_pointer(const InputEvent& event, double scale) {
  using Kind = InputEvent::Kind;
  const splat::View view = work.look.navigator.view();
  if (event.kind == Kind::kPress && event.button == MouseButton::kLeft && marks_.shown) {
    const auto key = key_at(editor_, view, event.x, event.y, kReachPx * scale);
    if (!key) return false;
    editor_.choose(key);
    time_ = editor_.key_times()[*key];
    const Vec3 at = vec3(editor_.chosen_key()->pose.position);
    const Pixel pixel = *pixel_of(view, at);
    grab_x_ = event.x - pixel.x, grab_y_ = event.y - pixel.y;
    grab_depth_ = (view.cam_from_world * array3(at))[2];
    dragging_in_scene_ = true, moved_in_scene_ = false;
    return true;
  }
  if (!dragging_in_scene_ || !editor_.chosen()) return dragging_in_scene_ = false;
  if (event.kind == Kind::kRelease) {
    editor_.end_drag();
    return std::exchange(dragging_in_scene_, false);
  }
  if (event.kind != Kind::kMove) return true;
  splat::CameraPose pose = editor_.chosen_key()->pose;
  const Pixel pixel = pixel_of(view, vec3(pose.position)).value_or(Pixel{event.x, event.y});
  const double dx = event.x - grab_x_ - pixel.x, dy = event.y - grab_y_ - pixel.y;
  if (!moved_in_scene_ && std::hypot(dx, dy) < kClickPx * scale) return true;
  if (!std::exchange(moved_in_scene_, true)) editor_.begin_drag();
  if (event.modifiers.shift) grab_depth_ *= std::exp(-4 * dy / view.camera.height), grab_y_ += dy, grab_x_ += dx;
  const Vec3 to = event.modifiers.shift ? point_at(view, pixel.x, pixel.y, grab_depth_)
                                        : point_at(view, event.x - grab_x_, event.y - grab_y_, grab_depth_);
  pose.position = array3(to);
  editor_.repose(*editor_.chosen(), pose);
  work.look.changed = true;
  return true;
}

// The edge of the pictures where the scene is seen from the path, and the keys' numbers.
void FilmFeature::draw_over_scene(const ScenePlace& scene) {
  if (!shown() || editor_.empty() || playing_) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const Palette& colours = scene_colours(work);
  const double shape = film_.shape();
  const float half = float(scene.height * shape / 2), middle = scene.x + scene.width / 2;
  if (shown_ && same_camera(*shown_, work.look.navigator.camera()) && half < scene.width / 2)
    list.AddRect({middle - half, scene.y + 1}, {middle + half, scene.y + scene.height - 1}, packed(colours.camera), 0,
                 work.appearance.scale);
  if (editor_.path().keys.size() > kMostNumbered) return;
  const splat::View view = work.look.navigator.view();
  for (size_t i = 0; i < editor_.path().keys.size(); ++i) {
    const auto at = scene.at(view, vec3(editor_.path().keys[i].pose.position));
    if (!at || at->x < scene.x || at->y < scene.y || at->x > scene.x + scene.width || at->y > scene.y + scene.height)
      continue;
    const bool chosen = editor_.chosen() == i;
    const ImU32 colour = packed(chosen ? colours.current_camera : colours.held_out_camera);
    list.AddCircleFilled(*at, 3 * work.appearance.scale, colour);
    list.AddText({at->x + 5 * work.appearance.scale, at->y}, colour, std::to_string(i + 1).c_str());
    if (chosen) note_place("###path_key", at->x, at->y);
  }
}

// ---- what can be done

void FilmFeature::add_strip_actions(std::vector<Action>& all) {
  const bool keys = !editor_.empty();
  all.push_back({.name = playing_ ? "Stop the camera path" : "Play the camera path",
                 .keys = "Space",
                 .possible = editor_.seconds() > 0,
                 .run = [this] { set_playing(!playing_); }});
  all.push_back({.name = "Add a key from this view", .keys = "I", .run = [this] { add_key(); }});
  all.push_back({.name = "Previous key", .keys = "Ctrl+[", .possible = keys, .run = [this] { step_key(-1); }});
  all.push_back({.name = "Next key", .keys = "Ctrl+]", .possible = keys, .run = [this] { step_key(1); }});
  all.push_back({.name = "Delete the key", .keys = "Delete", .possible = editor_.chosen().has_value(), .run = [this] {
                   remove_key();
                 }});
}

void FilmFeature::add_actions(const std::string& menu, std::vector<Action>& all) {
  if (menu == "Edit" && shown()) {  // before those of splats
    const std::string undo = editor_.undo_name(), redo = editor_.redo_name();
    if (!undo.empty()) all.push_back({.name = "Undo " + undo, .keys = "Ctrl+Z", .run = [this] { editor_.undo(); }});
    if (!redo.empty())
      all.push_back({.name = "Redo " + redo, .keys = "Ctrl+Shift+Z", .run = [this] { editor_.redo(); }});
  }
  if (menu == "View") {
    all.push_back({.name = "Camera path",
                   .keys = "T",
                   .possible = usable(),
                   .run = [this] { open_ = !open_; },
                   .menu = "View",
                   .ticked = open_});
    all.push_back({.name = "Save the camera path",
                   .possible = work.received.anything_open() && !editor_.empty(),
                   .run = [this] { panel_.ask_save(false); }});
    if (shown()) add_strip_actions(all);
  }
  if (menu == "File")
    all.push_back({.name = "Make a film",
                   .possible = film_.possible(),
                   .run = [this] { ask_film(); },
                   .menu = "File",
                   .label = "Make a film..."});
}

void FilmFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  if (column == Column::kLeft && shown()) sections.push_back({5, "path", "Camera path", [this] { draw_section(); }});
}

void FilmFeature::draw_section() {
  if (!section("Camera path")) return;
  panel_.draw();
  ImGui::BeginDisabled(!film_.possible());
  if (main_button(work.appearance, "Make a film...###path_make", "Size, quality and file are asked for", -1))
    ask_film();
  ImGui::EndDisabled();
}

void FilmFeature::ask_film() {
  if (!film_.possible()) return;
  set_playing(false);
  if (editor_.empty()) panel_.use_usual();
  open_ = true;
  film_.ask(time_);
}

void FilmFeature::draw_dialogs() { film_.draw(); }

void FilmFeature::add_state(nlohmann::json& state) const {
  if (!open_ && editor_.empty() && !film_.ended()) return;
  state["path"] = {{"open", shown()},
                   {"keys", editor_.path().keys.size()},
                   {"chosen", editor_.chosen() ? int(*editor_.chosen()) : -1},
                   {"seconds", editor_.seconds()},
                   {"playing", playing_},
                   {"previewed", film_.previewed()},
                   {"ended", film_.ended() ? film_.ended()->output.string() : ""}};
  if (!playing_) state["path"]["time"] = std::round(time_ * 1e4) / 1e4;
  if (const splat::PathKey* key = editor_.chosen_key()) state["path"]["at"] = key->pose.position;
}

}  // namespace studio
