// Files that the window writes.
#include <fmt/format.h>

#include <utility>

#include "app/console/host.h"
#include "app/window/window_session_impl.h"
#include "app/window/window_settings_file.h"
#include "io/atomic_file.h"
#include "io/box_file.h"
#include "io/image_file.h"
#include "io/io.h"
#include "io/splats/formats.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr uint64_t kBytesPerPicturePixel = 64;  // of a saved picture: the engine's buffers, the copy and its PNG

// Clears the window's progress display when the work is done or dropped.
class ProgressShown {
 public:
  explicit ProgressShown(viewer::AppState& state) : state_(&state) {}
  ProgressShown(ProgressShown&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  ProgressShown& operator=(ProgressShown&&) = delete;
  ~ProgressShown() {
    if (state_) state_->work.put({});
  }

 private:
  viewer::AppState* state_;
};

splat::Image8 rgb_image(const viewer::EngineImage& image) {
  splat::Image8 rgb{image.width, image.height, 3, {}};
  rgb.pixels.resize(size_t(image.width) * size_t(image.height) * 3);
  for (size_t i = 0; i < rgb.pixels.size(); ++i) rgb.pixels[i] = image.rgba[i / 3 * 4 + i % 3];
  return rgb;
}

void write_png(const fs::path& path, const splat::Image8& image, viewer::AppState& state) {
  io::remove_dead_partial_files_of(path);
  if (const auto status = io::write_file_atomically(path, io::encode_png(image)); !status)
    log::error(status.error().message);
  else
    say_done(state, fmt::format("picture of {}x{} px written to '{}'", image.width, image.height, path.string()));
}

// File units per unit of the scene.
double units_in(const fs::path& path, const io::SceneFrame& frame) {
  const auto format = io::output_splat_format(path);
  return format && io::splat_format(*format).counts_metres ? frame.to_metres() : 1;
}

// True: done.
bool write_splats(const viewer::ExportSplats& wanted, const splat::Gaussians& model, const io::SplatFileInfo& info,
                  viewer::AppState& state) {
  const fs::path& path = wanted.path;
  io::remove_dead_partial_files_of(path);
  const auto report = io::write_splat_file(path, model, info, {.max_sh_degree = wanted.max_sh_degree});
  if (!report) {
    log::error(report.error().message);
    return false;
  }
  say_done(state, fmt::format("{} splats written to '{}'", human_count(report->written), path.string()));
  if (report->dropped > 0)
    log::warning(fmt::format("{} splats that are not finite were left out of '{}'", report->dropped, path.string()));
  return true;
}

}  // namespace

void say_done(viewer::AppState& state, const std::string& text) {
  log::info(text);
  state.notices.put({viewer::NoticeKind::kDone, text});
}

void WindowSession::Impl::carry_out(viewer::ExportSplats& command) {
  if (training) {
    training->ask([this, command](TrainingRun& run) {
      io::SplatFileInfo info;
      info.antialiased = run.options().train.antialias;
      info.iteration = run.trainer().iteration();
      info.view_up = run.dataset().view_up;
      info.frame = {run.dataset().origin, run.dataset().epsg,
                    command.metres_per_unit.value_or(run.dataset().metres_per_unit)};
      writings.add([this, command, model = run.trainer().model(), info] { write_splats(command, model, info, state); });
    });
    return;
  }
  engine.run([this, command](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    if (model.size() == 0) return log::error("there are no splats to export: open a file or train first");
    io::SplatFileInfo info;
    {
      std::lock_guard lock(scene_mutex);
      info = scene.file_info;
    }
    if (command.metres_per_unit) info.frame.metres_per_unit = *command.metres_per_unit;
    if (!edited) {
      write_splats(command, model, info, state);
      return;
    }
    if (!write_splats(command, edited->saved(command.object), info, state)) return;
    if (command.object) return;  // a part: the whole is not saved by it
    editing->was_saved(*edited, command.path, units_in(command.path, info.frame));
    editing->keep(*edited);
    state.edited.put(editing->scene(*edited));
  });
}

void WindowSession::Impl::carry_out(viewer::SaveSettings& command) {
  if (config.empty()) return;
  writings.add([this, text = std::move(command.text)] {
    if (const auto status = write_window_settings(config, text); !status) log::warning(status.error().message);
  });
}

void WindowSession::Impl::carry_out(viewer::SavePicture& command) {
  writings.add([this, path = command.path, picture = std::move(command.picture)] { write_png(path, picture, state); });
}

void WindowSession::Impl::carry_out(viewer::SaveBox& command) {
  writings.add([this, path = std::move(command.path), box = command.box]() mutable {
    if (!path.has_extension()) path += ".json";
    if (const auto status = io::write_box_file(path, box); !status) return log::error(status.error().message);
    say_done(state, "crop box written to '" + path.string() + "': --region and --crop-box read it");
  });
}

void WindowSession::Impl::carry_out(viewer::SaveRendering& command) {
  const splat::PinholeCamera& size = command.request.view.camera;
  const uint64_t needed = uint64_t(size.width) * uint64_t(size.height) * kBytesPerPicturePixel;
  const uint64_t available = host_memory().available_bytes;
  if (needed > available)
    return log::error(fmt::format("a picture of {}x{} px needs about {} of memory and {} are free: make it smaller",
                                  size.width, size.height, human_bytes(needed), human_bytes(available)));
  command.request.settings.see_through = false;
  state.work.put({fmt::format("drawing a picture of {}x{} px", size.width, size.height), -1, false});
  auto save = [this, path = command.path, shown = ProgressShown(state)](const viewer::EngineImage& image) {
    if (image.rgba.empty()) return log::error("there are no splats to make a picture of: open a file or train first");
    writings.add([this, path, picture = rgb_image(image)] { write_png(path, picture, state); });
  };
  if (training)
    training->draw_once(command.request, std::move(save));
  else
    engine.draw_once(command.request, std::move(save));
}

}  // namespace app
