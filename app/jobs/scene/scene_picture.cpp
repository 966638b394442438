#include "app/jobs/scene/scene_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/jobs/blocks/city.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/scene/first_look.h"
#include "app/jobs/training/report/pictures.h"
#include "devices/registry.h"
#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "splat/model/near_scale.h"
#include "splat/model/resized_camera.h"

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

// A scene in blocks is shown as the whole once it is merged, as its scaffold until then.
fs::path shown_splats(const Recognised& found) {
  std::error_code code;
  if (found.kind != PathKind::kCity || fs::exists(merged_city(found.path), code)) return found.path;
  City city;
  city.folder = found.path;
  return newest_result(city.scaffold_folder());
}

splat::DatasetView with_side(const splat::DatasetView& view, int longest_side) {
  const int longest = std::max(view.camera.width, view.camera.height);
  if (longest_side <= 0 || longest <= longest_side) return view;
  const double scale = double(longest_side) / longest;
  const auto side = [&](int px) { return std::max(1, int(std::lround(px * scale))); };
  splat::DatasetView small = view;
  small.camera = resized(view.camera, side(view.camera.width), side(view.camera.height));
  return small;
}

}  // namespace

splat::Result<splat::Image8> picture_of_splats(const SplatInput& input, int side, int threads) {
  const std::optional<FirstLook> look = first_look(input, side * kSamples, threads);
  if (!look) return splat::Error{fmt::format("'{}' holds no splats that could be shown", input.path.string())};
  SPLAT_ASSIGN_OR_RETURN(const splat::BackendChoice chosen, splat::make_backend("cpu", -1, threads));
  splat::RenderSettings settings = as_trained({}, false, input.file.filter());
  settings.background = look->background;
  const double times = splat::near_scale(input.file.gaussians);
  chosen.backend->upload(times == 1 ? input.file.gaussians : splat::enlarged(input.file.gaussians, times));
  chosen.backend->forward(splat::enlarged(look->view, times), settings);
  splat::ImageF picture;
  chosen.backend->read_image(picture);
  return reduced(picture, kSamples);
}

splat::Result<splat::Image8> read_photo(const splat::DatasetView& view, const std::array<float, 3>& background,
                                        int longest_side) {
  SPLAT_ASSIGN_OR_RETURN(const splat::TrainingImage photo,
                         io::load_training_image(with_side(view, longest_side), background));
  return to_image8(photo);
}

splat::Result<splat::Image8> picture_of_scene(const fs::path& path, int side, int threads) {
  const Recognised found = recognise(path);
  if (found.kind == PathKind::kDataset) {
    io::DatasetOptions options;
    options.threads = threads;
    SPLAT_ASSIGN_OR_RETURN(const splat::Dataset dataset, io::load_dataset(found.path, options));
    if (dataset.views.empty()) return splat::Error{fmt::format("'{}' has no photos", path.string())};
    return read_photo(dataset.views.front(), {0, 0, 0}, side);
  }
  SPLAT_ASSIGN_OR_RETURN(const SplatInput input, read_splat_input(shown_splats(found), threads));
  return picture_of_splats(input, side, threads);
}

}  // namespace app
