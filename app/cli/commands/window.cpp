#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/session.h"

#ifdef HIPSPLAT_WINDOW

#include <unistd.h>

#include <cstdio>

#include "app/cli/terminal/interrupt.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/log.h"
#include "splat/core/system.h"
#include "studio/documents/demo.h"
#include "studio/session.h"
#include "studio/window/settings_file.h"
#include "studio/window/window.h"
#include "studio/window/window_settings.h"

namespace app {

namespace fs = std::filesystem;

namespace {

// HIPSPLAT_WINDOW_TRACE names a file that gets a line for whatever changes in the window, and makes OpenGL check every
// call: this is how tests follow it.
class Trace {
 public:
  Trace() {
    const char* path = splat::environment("HIPSPLAT_WINDOW_TRACE");
    file_ = path ? std::fopen(path, "we") : nullptr;
  }
  ~Trace() {
    if (file_) std::fclose(file_);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  bool on() const { return file_ != nullptr; }
  void line(const std::string& text) const {
    std::fprintf(file_, "%s\n", text.c_str());
    std::fflush(file_);
  }

 private:
  std::FILE* file_;
};

// Everything that was promised is on disk.
void end_without_display() {
  splat::log::error(
      "the connection to the display broke: a run in progress has its checkpoint, and edits that were not saved are "
      "kept for the next start");
  ::_exit(int(ExitCode::kFailed));
}

studio::WindowOptions window_options(const WindowTask& task, const fs::path& config, const Trace& trace) {
  studio::WindowOptions window;
  window.width = task.start.width;
  window.height = task.start.height;
  window.screenshot = !task.start.screenshot.empty();
  window.screenshot_after = task.start.screenshot_after;
  window.settings = studio::read_window_settings(config);
  window.version = HIPSPLAT_VERSION;
  window.demo = studio::demo_folder();
  window.interrupted = interrupted;
  window.display_lost = end_without_display;
  window.debug = trace.on();
  if (trace.on()) window.trace = [&trace](const std::string& text) { trace.line(text); };
  return window;
}

Outcome save(const studio::WindowResult& result, const fs::path& screenshot, const fs::path& config) {
  if (!result.screenshot) {
    if (const auto status = studio::write_window_settings(config, result.settings); !status)
      splat::log::warning(status.error().message);
    return done();
  }
  const std::string png = io::encode_png(*result.screenshot);
  io::remove_dead_partial_files_of(screenshot);
  if (const auto status = io::write_file_atomically(screenshot, png); !status) return failed(status.error());
  if (!result.error.empty())
    return bad_input(fmt::format("the picture '{}' shows an error: {}", screenshot.string(), result.error));
  return done();
}

// What is opened: the path that was named, else the scene of the last time where that is preferred and still there.
fs::path scene_at_start(const WindowTask& task, const studio::WindowSettings& settings) {
  std::error_code code;
  if (!task.path.empty()) return fs::absolute(task.path, code);
  const bool reopen = settings.reopen_last && task.start.screenshot.empty() && !settings.recent.empty();
  return reopen && fs::exists(settings.recent.front(), code) ? fs::path(settings.recent.front()) : fs::path();
}

Outcome show_window(const WindowTask& task) {
  install_interrupt_handlers();
  const Trace trace;
  const fs::path config = studio::config_folder();
  studio::Bridge bridge;
  studio::WindowOptions start = window_options(task, config, trace);
  const studio::WindowSettings settings = studio::settings_from_text(start.settings);
  const fs::path scene = scene_at_start(task, settings);
  start.opening = !scene.empty();
  auto window = studio::Window::open(start, bridge);
  if (!window) return {ExitCode::kNoBackend, window.error().message};
  DeviceOptions device = task.device;
  if (device.threads == 0) device.threads = settings.threads;
  studio::SessionOptions options{device, task.dataset, !scene.empty()};
  if (task.low_pass) options.low_pass_of = recognise(scene).path, options.low_pass = *task.low_pass;
  studio::Session session(options, bridge, config);
  if (!scene.empty()) bridge.requests.put(studio::OpenPath{scene});
  std::error_code code;
  for (const fs::path& path : task.also) bridge.requests.put(studio::AddSplats{fs::absolute(path, code), true});
  auto result = (*window)->run();
  if (!result) return failed(result.error());
  Outcome saved = save(*result, task.start.screenshot, config);
  if (saved.ok() && interrupted()) return {ExitCode::kInterrupted, "interrupted; the window's state is saved"};
  return saved;
}

}  // namespace
}  // namespace app

#else

namespace app {
namespace {

Outcome show_window(const WindowTask&) {
  return {ExitCode::kNoBackend,
          "this hipsplat was built without its window (HIPSPLAT_WINDOW=OFF): use hipsplat train DATASET -o "
          "OUT, or render, evaluate, info, doctor or bench (see --help)"};
}

}  // namespace
}  // namespace app

#endif

namespace app {

Outcome run_window(const WindowTask& task) {
  std::error_code code;
  std::vector<std::filesystem::path> paths = task.also;
  if (!task.path.empty()) paths.insert(paths.begin(), task.path);
  for (const std::filesystem::path& path : paths)
    if (!std::filesystem::exists(path, code)) return bad_input(fmt::format("there is no '{}'", path.string()));
  if (const std::filesystem::path& picture = task.start.screenshot; !picture.empty()) {
    if (const auto status = check_picture_name(picture); !status) return bad_input(status.error());
    if (const auto status = check_replaceable(picture, FileKind::kPicture, {.force = task.force}); !status)
      return bad_input(status.error());
  }
  return show_window(task);
}

}  // namespace app
