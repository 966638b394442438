#include "viewer/workspace.h"

#include <algorithm>
#include <ctime>

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

void Workspace::set_scene(const Bounds& bounds, const UpGuess& up) {
  navigator.set_scene(bounds);
  navigator.set_up(up.up, false);
  navigator.set_bookmarks({});
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

void Workspace::take_splats(OpenedSplats&& opened) {
  const bool of_run = opened.iteration >= 0;
  if (!of_run) {
    dataset.reset();
    thumbnails.clear();
    training = {};
    navigator.set_photo_cameras({});
    set_scene(opened.bounds, opened.up);
    render.antialias = opened.antialiased;
    settings.add_recent(opened.path.string());
  }
  splats = std::move(opened);
  ++splats_loaded;
  scene_changed = true;
  if (of_run) return;
  look_at_scene();
}

void Workspace::take_dataset(OpenedDataset&& opened) {
  splats.reset();
  ++splats_loaded;
  engine_image.reset();
  thumbnails.clear();
  comparison.reset();
  photo_view = photo_wanted = -1;
  training = {};
  navigator.set_photo_cameras(opened.cameras);
  set_scene(opened.bounds, opened.up);
  settings.add_recent(opened.path.string());
  choices.output = opened.suggested_output;
  compared_view = -1;
  for (size_t i = 0; i < opened.cameras.size() && compared_view < 0; ++i)
    if (opened.cameras[i].held_out) compared_view = int(i);
  dataset = std::move(opened);
  ++dataset_loaded;
  scene_changed = true;
  look_at_scene();
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
  if (!view || photo_blend <= 0 || *view == photo_view || *view == photo_wanted) return;
  photo_wanted = *view;
  app.commands.put(WantPhoto{*view, 2048});
}

}  // namespace viewer
