#include <fmt/format.h>

#include <algorithm>

#include "app/commands/commands.h"
#include "app/input/splat_input.h"
#include "app/run/report/pictures.h"
#include "app/run/run_output.h"
#include "app/window/first_look.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/backend/registry.h"

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr int kSamples = 3;  // a side: splats smaller than a pixel are drawn too large

// The mean of each block of `samples` by `samples` px.
splat::Image8 reduced(const splat::ImageF& picture, int samples) {
  splat::ImageF small{picture.width / samples, picture.height / samples, {}};
  small.rgb.resize(size_t(3) * size_t(small.width) * size_t(small.height));
  for (size_t row = 0; row < size_t(3) * size_t(small.height); ++row)  // of all three planes
    for (size_t x = 0; x < size_t(small.width); ++x) {
      float sum = 0;
      for (size_t j = 0; j < size_t(samples); ++j)
        for (size_t i = 0; i < size_t(samples); ++i)
          sum += std::clamp(picture.rgb[(row * size_t(samples) + j) * size_t(picture.width) + x * size_t(samples) + i],
                            0.0f, 1.0f);
      small.rgb[row * size_t(small.width) + x] = sum / float(samples * samples);
    }
  return to_image8(small);
}

}  // namespace

// On the processor: file managers run this in a sandbox without devices, many at a time.
Outcome run_thumbnail(const ThumbnailTask& task) {
  std::error_code code;
  const fs::path folder = fs::absolute(task.output, code).parent_path();
  if (!fs::is_directory(folder, code)) return bad_input(fmt::format("there is no folder '{}'", folder.string()));
  if (const auto status = check_writable_folder(folder); !status) return bad_input(status.error());
  const auto input = read_splat_input(task.splats, task.threads);
  if (!input) return bad_input(input.error());
  const std::optional<FirstLook> look = first_look(*input, task.side * kSamples, task.threads);
  if (!look) return bad_input(fmt::format("'{}' holds no splats that could be shown", task.splats.string()));
  splat::Result<splat::BackendChoice> chosen = splat::make_backend("cpu", -1, task.threads);
  if (!chosen) return failed(chosen.error());

  splat::RenderSettings settings;
  settings.antialias = input->file.antialiased;
  settings.background = look->background;
  chosen->backend->upload(input->file.gaussians);
  chosen->backend->forward(look->view, settings);
  splat::ImageF picture;
  chosen->backend->read_image(picture);
  const std::string png = io::encode_png(reduced(picture, kSamples));
  if (const auto status = io::write_file_atomically(task.output, png); !status) return failed(status.error());
  return done();
}

}  // namespace app
