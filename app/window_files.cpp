// What the window has written.
#include <fmt/format.h>

#include <utility>

#include "app/host.h"
#include "app/window_session_impl.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "io/io.h"
#include "splat/core/log.h"
#include "viewer/live/draw_picture.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

splat::Image8 rgb_image(const viewer::EngineImage& image) {
  splat::Image8 rgb{image.width, image.height, 3, {}};
  rgb.pixels.resize(size_t(image.width) * size_t(image.height) * 3);
  for (size_t i = 0; i < rgb.pixels.size(); ++i) rgb.pixels[i] = image.rgba[i / 3 * 4 + i % 3];
  return rgb;
}

void write_png(const fs::path& path, const splat::Image8& image) {
  if (const auto status = io::write_file_atomically(path, io::encode_png(image)); !status)
    log::error(status.error().message);
  else
    log::info(fmt::format("picture '{}', {}x{} px", path.string(), image.width, image.height));
}

void write_splats(const fs::path& path, const splat::Gaussians& model, const io::SplatFileInfo& info) {
  const auto report = io::write_splat_file(path, model, info);
  if (!report) return log::error(report.error().message);
  log::info(fmt::format("{} splats written to '{}'", human_count(report->written), path.string()));
  if (report->dropped > 0)
    log::warning(fmt::format("{} splats that are not finite were left out of '{}'", report->dropped, path.string()));
}

}  // namespace

void WindowSession::Impl::carry_out(viewer::ExportSplats& command) {
  const fs::path path = command.path;
  if (training) {
    training->ask([this, path](TrainingRun& run) {
      io::SplatFileInfo info;
      info.antialiased = run.options().train.antialias;
      info.iteration = run.trainer().iteration();
      info.view_up = run.dataset().view_up;
      auto model = std::make_shared<const splat::Gaussians>(run.trainer().model());
      writings.add([path, model, info] { write_splats(path, *model, info); });
    });
    return;
  }
  engine.run([this, path](const splat::Gaussians& model) {
    if (model.size() == 0) return log::error("there are no splats to export: open a file or train first");
    io::SplatFileInfo info;
    {
      std::lock_guard lock(result_mutex);
      info = file_info;
    }
    write_splats(path, model, info);
  });
}

void WindowSession::Impl::carry_out(viewer::SavePicture& command) {
  auto picture = std::make_shared<const splat::Image8>(std::move(command.picture));
  writings.add([path = command.path, picture] { write_png(path, *picture); });
}

void WindowSession::Impl::carry_out(viewer::SaveRendering& command) {
  const auto save = [this, path = command.path](viewer::EngineImage image) {
    if (image.rgba.empty()) return log::error("there are no splats to make a picture of: open a file or train first");
    auto picture = std::make_shared<const splat::Image8>(rgb_image(image));
    writings.add([path, picture] { write_png(path, *picture); });
  };
  if (!training) return engine.draw_once(command.request, save);
  training->ask([save, request = command.request](TrainingRun& run) {
    save(viewer::draw_picture(*run.backend().backend, request, 1));
  });
}

}  // namespace app
