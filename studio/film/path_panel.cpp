#include "studio/film/path_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "splat/model/focus_point.h"
#include "splat/path/ready_made.h"
#include "studio/film/path_marks.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kUsualSeconds = 10, kBookmarkGap = 2;

}  // namespace

// A number that changes as it is dragged, or by Ctrl+click as it is typed: one step.
bool PathPanel::drag_row(const char* label, const char* tip, const char* id, double& value,
                         const std::array<double, 3>& range, const char* format) {
  Row row(label, tip);
  const bool changed = ImGui::DragScalar(id, ImGuiDataType_Double, &value, float(range[2]), &range[0], &range[1],
                                         format, ImGuiSliderFlags_AlwaysClamp);
  note_place(id);
  if (ImGui::IsItemActivated()) editor_.begin_drag();
  if (ImGui::IsItemDeactivated()) editor_.end_drag();
  return changed;
}

void PathPanel::key_rows() {
  const splat::PathKey* key = editor_.chosen_key();
  if (!key) {
    faint_text(work_.appearance, editor_.empty()
                                     ? "No keys yet: look at the scene as the film is to begin, and press I."
                                     : "Choose a key in the timeline or in the scene.");
    return;
  }
  const size_t at = *editor_.chosen();
  fact("Key", std::to_string(at + 1) + " of " + count_text(editor_.path().keys.size()));
  double seconds = editor_.key_times()[at], fov = key->pose.fov_y_deg, hold = key->hold;
  ImGui::BeginDisabled(!editor_.can_move(at));
  if (drag_row("At", "When the camera is there, in seconds. At constant speed it follows from the way", "##key_time",
               seconds, {0, splat::kMostSeconds, 0.05}, "%.2f s"))
    editor_.move(at, seconds, 1 / film_.per_second);
  ImGui::EndDisabled();
  if (drag_row("Field of view", "Vertical, of the whole picture", "##key_fov", fov, {1, 170, 0.2}, "%.1f deg"))
    editor_.change("change field of view", [&](auto& path) { path.keys[at].pose.fov_y_deg = fov; });
  if (drag_row("Hold", "How long the camera stays there; it comes to rest before. Default 0", "##key_hold", hold,
               {0, 3600, 0.05}, "%.2f s"))
    editor_.change("change hold", [&](auto& path) { path.keys[at].hold = hold; });
  bool ease = key->ease;
  if (checkbox("Ease", &ease, "The camera comes to rest at this key and starts gently. Default off"))
    editor_.change(ease ? "ease key" : "do not ease key", [&](auto& path) { path.keys[at].ease = ease; });
}

void PathPanel::speed_rows() {
  const splat::CameraPath& path = editor_.path();
  int loop = int(path.loop);
  {
    Row row("At the end", "stop; back to the first key, round and round; the same way back. Default stop");
    if (choice("##path_loop", &loop, {"stop", "loop", "ping-pong"}))
      editor_.change("change the end", [&](auto& now) { now.loop = splat::LoopMode(loop); });
  }
  double closing = path.closing_seconds;
  if (path.loop == splat::LoopMode::kLoop &&
      drag_row("Back to the start", "Seconds from the last key to the first; 0: the mean of the others. Default 0",
               "##path_closing", closing, {0, 3600, 0.05}, closing > 0 ? "%.2f s" : "mean"))
    editor_.change("change the way back", [&](auto& now) { now.closing_seconds = closing; });
  bool constant = path.constant_speed, zoom = path.dolly_zoom;
  if (checkbox("Constant speed", &constant, "The whole time is spread evenly over the way. Default off"))
    editor_.change("constant speed", [&](auto& now) { now.constant_speed = constant; });
  ImGui::BeginDisabled(!path.target);
  if (checkbox("Dolly zoom", &zoom,
               path.target ? "The field of view keeps the size of the target as at the first key. Default off"
                           : "It needs a target: look at it, and press the button below"))
    editor_.change("dolly zoom", [&](auto& now) { now.dolly_zoom = zoom; });
  ImGui::EndDisabled();
  EvenRow row(work_.appearance, 2);
  if (row.button("Target here###path_target",
                 "What the film is about: the point that the view turns around (a double click sets it). Lenses are "
                 "sharp there, a dolly zoom keeps its size"))
    editor_.change("set target", [&](auto& now) { now.target = array3(work_.look.navigator.camera().pivot()); });
  ImGui::BeginDisabled(!path.target);
  if (row.button("No target###path_no_target", "Lenses are sharp before the middle of the path"))
    editor_.change("drop target", [](auto& now) { now.target.reset(), now.dolly_zoom = false; });
  ImGui::EndDisabled();
}

void PathPanel::path_rows() {
  double seconds = editor_.seconds();
  if (editor_.path().keys.size() > 1) {
    if (drag_row("Length", "How long the whole path takes: all keys move", "##path_seconds", seconds,
                 {0.1, splat::kMostSeconds, 0.05}, "%.2f s"))
      editor_.stretch(seconds);
    speed_rows();
  }
}

// ---- ready-made ones

void PathPanel::use(splat::CameraPath path, const char* what) {
  if (!editor_.replace(std::move(path), what)) return;
  editor_.choose(std::nullopt);
  replaced_();
}

std::vector<splat::View> PathPanel::photo_views() const {
  std::vector<splat::View> views;
  for (const PhotoCamera& camera : work_.received.cameras()) views.push_back(camera.view);
  return views;
}

// What the photos look at, else what the view turns around.
std::array<double, 3> PathPanel::scene_middle() const {
  std::vector<splat::Rigid3> poses;
  for (const PhotoCamera& camera : work_.received.cameras()) poses.push_back(camera.view.cam_from_world);
  return poses.empty() ? array3(work_.look.navigator.camera().pivot())
                       : splat::focus_point(poses, work_.look.navigator.scene_radius());
}

void PathPanel::use_orbit() {
  const CameraState& camera = work_.look.navigator.camera();
  const std::vector<splat::View> views = photo_views();
  splat::Orbit orbit{array3(camera.pivot()), array3(work_.look.navigator.up()), array3(camera.position),
                     camera.fov_y_deg};
  if (!views.empty()) orbit = splat::orbit_of(views);
  use(splat::orbit_path(orbit, kUsualSeconds), "orbit");
}

void PathPanel::use_usual() {
  const std::vector<splat::View> views = photo_views();
  views.size() > 1 ? use(splat::flight_path(views, kUsualSeconds), "flight along the photos") : use_orbit();
}

void PathPanel::use_bookmarks() {
  splat::CameraPath path;
  for (const auto& bookmark : work_.look.navigator.bookmarks())
    if (bookmark) path.keys.push_back({kBookmarkGap * double(path.keys.size()), pose_of(*bookmark)});
  if (path.keys.empty()) return work_.say("there are no bookmarks: Ctrl+1 to Ctrl+9 store the present view as one");
  use(std::move(path), "keys at the bookmarks");
}

void PathPanel::between_photos() {
  const std::vector<PhotoCamera>& cameras = work_.received.cameras();
  const auto photo_row = [&](const char* label, const char* id, int& photo) {
    photo = std::clamp(photo, 0, int(cameras.size()) - 1);
    Row row(label, "A photo, by its name");
    if (!ImGui::BeginCombo(id, cameras[size_t(photo)].name.c_str())) return;
    ImGuiListClipper clipper;
    clipper.Begin(int(cameras.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        if (ImGui::Selectable((cameras[size_t(i)].name + "##" + std::to_string(i)).c_str(), i == photo)) photo = i;
    ImGui::EndCombo();
  };
  photo_row("From", "##from_photo", from_photo_);
  photo_row("To", "##to_photo", to_photo_);
  if (!button("Fly between them", "From one to the other in 5 s, with a gentle start and end")) return;
  constexpr double kSeconds = 5;
  use(splat::path_between(cameras[size_t(from_photo_)].view, cameras[size_t(to_photo_)].view, kSeconds),
      "between two photos");
  ImGui::CloseCurrentPopup();
}

void PathPanel::ready_made_list() {
  if (!ImGui::BeginPopup("ready-made")) return;
  const auto row = [](const char* name, const char* tip) {
    const bool pressed = ImGui::Selectable(name);
    note_place(name);
    tooltip(tip);
    return pressed;
  };
  const std::vector<splat::View> views = photo_views();
  const splat::View here = splat::view_of(pose_of(work_.look.navigator.camera()), 16, 16);
  if (row("Round the scene", views.empty() ? "Round what the view turns around, from here"
                                           : "Round what the photos look at, at their height and distance"))
    use_orbit();
  if (row("A small swing", "The camera sways a little where the view is"))
    use(splat::wiggle_path(here, scene_middle(), kUsualSeconds), "wiggle");
  if (!views.empty() && row("Along the photos", "A smooth flight along all photos, in their order"))
    use(splat::flight_path(views, kUsualSeconds), "flight along the photos");
  if (row("At the bookmarks", "A key at each bookmark, 2 s apart")) use_bookmarks();
  if (views.size() > 1) {
    ImGui::Separator();
    ImGui::PushItemWidth(12 * ImGui::GetFontSize());
    between_photos();
    ImGui::PopItemWidth();
  }
  ImGui::EndPopup();
}

// ---- files

void PathPanel::ask_read() {
  work_.ask_file(FileDialog::Kind::kOpenFile,
                 "Open a camera path (hipsplat, nerfstudio, LichtFeld, SuperSplat, transforms.json)", "",
                 [this](const auto& path) { work_.ask(ReadPath{path}); }, {"Camera paths", {".json"}});
}

void PathPanel::ask_save(bool nerfstudio) {
  work_.ask_file(FileDialog::Kind::kSaveFile, nerfstudio ? "Save as nerfstudio's camera_path.json" : "Save camera path",
                 nerfstudio ? "camera_path.json" : "path.json",
                 [this, nerfstudio, present = editor_.path(), film = film_](const auto& path) {
                   work_.ask(SavePath{path, present, nerfstudio, film});
                 });
}

void PathPanel::draw() {
  key_rows();
  path_rows();
  ImGui::Spacing();
  {
    EvenRow row(work_.appearance, 2);
    if (row.button("Ready-made...###path_ready", "Round the scene, along the photos, between two photos, bookmarks"))
      ImGui::OpenPopup("ready-made");
    ImGui::BeginDisabled(editor_.empty());
    if (row.button("Clear###path_clear", "Without keys; Ctrl+Z brings them back")) use({}, "clear path");
    ImGui::EndDisabled();
  }
  {
    EvenRow row(work_.appearance, 3);
    if (row.button("Open...###path_open", "A path of hipsplat or of another program")) ask_read();
    ImGui::BeginDisabled(editor_.empty());
    if (row.button("Save...###path_save", "As path.json, for hipsplat render --path")) ask_save(false);
    if (row.button("Nerfstudio###path_nerfstudio", "As nerfstudio's camera_path.json, a pose a picture"))
      ask_save(true);
    ImGui::EndDisabled();
  }
  ready_made_list();
}

}  // namespace studio
