#include "studio/model/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "app/jobs/host/host.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/log.h"
#include "studio/documents/recent_pictures.h"
#include "viewer/camera/pick.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr uint64_t kBytesPerPicturePixel = 64;  // of a saved picture: the engine's buffers, the copy and its PNG

// Clears the window's progress display when the work is done or dropped.
class ProgressShown {
 public:
  explicit ProgressShown(Bus& reports) : reports_(&reports) {}
  ProgressShown(ProgressShown&& other) noexcept : reports_(std::exchange(other.reports_, nullptr)) {}
  ProgressShown& operator=(ProgressShown&&) = delete;
  ~ProgressShown() {
    if (reports_) reports_->put(WorkProgress{});
  }

 private:
  Bus* reports_;
};

splat::Image8 rgb_image(const EngineImage& image) {
  splat::Image8 rgb{image.width, image.height, 3, {}};
  rgb.pixels.resize(size_t(image.width) * size_t(image.height) * 3);
  for (size_t i = 0; i < rgb.pixels.size(); ++i) rgb.pixels[i] = image.rgba[i / 3 * 4 + i % 3];
  return rgb;
}

// Colours that came premultiplied, as files have them.
splat::Image8 rgba_image(const EngineImage& image) {
  splat::Image8 rgba{image.width, image.height, 4, image.rgba};
  for (size_t i = 0; i < rgba.pixels.size(); ++i) {
    const int alpha = rgba.pixels[i / 4 * 4 + 3];
    if (i % 4 != 3 && alpha > 0) rgba.pixels[i] = uint8_t(std::min((rgba.pixels[i] * 255 + alpha / 2) / alpha, 255));
  }
  return rgba;
}

// The one picture that is on the clipboard.
fs::path clipboard_file() {
  std::error_code code;
  const fs::path folder = cache_folder().empty() ? fs::temp_directory_path(code) / "hipsplat" : cache_folder();
  fs::create_directories(folder, code);
  return folder / "clipboard.png";
}

}  // namespace

ModelService::ModelService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<PickPoint>([this](PickPoint&& wanted) { pick(wanted); });
  requests.on<SaveRendering>([this](SaveRendering&& wanted) { save_rendering(std::move(wanted)); });
  requests.on<WantBookmarkPicture>([this](WantBookmarkPicture&& wanted) {
    context_.model.draw_once(wanted.request, [this, bookmark = wanted.bookmark](EngineImage&& picture) {
      context_.report(BookmarkPicture{bookmark, std::move(picture)});
    });
  });
  requests.on<SavePicture>([this](SavePicture&& wanted) {
    context_.writings.add([this, wanted = std::move(wanted)] { save_picture(wanted.path, wanted.picture); });
  });
}

void ModelService::save_picture(const fs::path& path, const splat::Image8& picture) {
  io::remove_dead_partial_files_of(path);
  if (const auto status = io::write_file_atomically(path, io::encode_png(picture)); !status)
    return context_.fail(status.error().message, path, "Save picture");
  context_.say_done(fmt::format("picture of {}x{} px written to '{}'", picture.width, picture.height, path.string()),
                    path);
}

void ModelService::make_picture_to_copy(const splat::Image8& picture) {
  const fs::path file = clipboard_file();
  if (const auto status = io::write_file_atomically(file, io::encode_png(picture)); !status)
    return log::error(status.error().message);
  context_.report(PictureToCopy{file});
}

void ModelService::pick(const PickPoint& wanted) {
  const auto send = [this, wanted](const splat::Gaussians& model, const splat::ScreenFilter& filter,
                                   std::span<const uint8_t> left_out = {}) {
    splat::ThreadPool pool(context_.options.device.threads);
    context_.report(PickedPoint{viewer::pick_point(model, filter, wanted.view, wanted.x, wanted.y, pool, left_out),
                                wanted.tool, wanted.object});
  };
  if (LiveTraining* run = context_.model.run())
    return run->ask(
        [send](TrainingRun& now) { send(now.trainer().model(), splat::screen_filter(now.options().train)); });
  context_.model.opened().run(
      [this, send, object = wanted.object](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
        const auto filter = context_.documents.with([](const OpenScene& scene) { return scene.as_trained.filter; });
        std::vector<uint8_t> left_out;
        if (edited) left_out.assign(edited->states().begin(), edited->states().end());
        for (uint8_t& one : left_out) one &= splat::edit::kNotShown;
        if (object && edited)
          for (size_t row = 0; row < left_out.size(); ++row) left_out[row] |= edited->objects()[row] != *object;
        send(model, filter, left_out);
      });
}

void ModelService::save_rendering(SaveRendering&& wanted) {
  const splat::PinholeCamera& size = wanted.request.view.camera;
  const uint64_t needed = uint64_t(size.width) * uint64_t(size.height) * kBytesPerPicturePixel;
  const uint64_t available = host_memory().available_bytes;
  if (needed > available)
    return context_.fail(fmt::format("a picture of {}x{} px needs about {} of memory and {} are free: make it smaller",
                                     size.width, size.height, human_bytes(needed), human_bytes(available)),
                         "Save picture");
  wanted.request.settings.see_through = wanted.transparent;
  context_.report(WorkProgress{fmt::format("drawing a picture of {}x{} px", size.width, size.height), -1});
  context_.model.draw_once(wanted.request, [this, path = wanted.path, transparent = wanted.transparent,
                                            shown = ProgressShown(context_.bridge.reports)](const EngineImage& image) {
    if (image.rgba.empty()) return log::error("there are no splats to make a picture of: open a file or train first");
    splat::Image8 picture = transparent ? rgba_image(image) : rgb_image(image);
    context_.writings.add([this, path, picture = std::move(picture)] {
      path.empty() ? make_picture_to_copy(picture) : save_picture(path, picture);
    });
  });
}

}  // namespace studio
