#include "io/dataset/depth_map.h"

#include <algorithm>
#include <cmath>

#include "io/image_file.h"
#include "io/images/exif.h"
#include "io/images/upright.h"

namespace io {

namespace fs = std::filesystem;
using splat::DatasetView, splat::Error, splat::Result, splat::Status;

namespace {

constexpr double kSameShape = 0.02;  // by which width to height may differ from the photo's

Error unusable(const fs::path& path, const std::string& why) {
  return Error{"'" + path.string() + "' is no depth map: " + why + "; --depths off trains without"};
}

}  // namespace

Status check_depth_map(const fs::path& path, int photo_width, int photo_height, int orientation) {
  const Result<ImageSize> size = read_grey16_size(path);
  if (!size) return unusable(path, size.error().message);
  double shape = double(size->width) / size->height;
  const Sides stored{size->width, size->height};
  if (swaps_sides(orientation_beside(path, stored, {photo_width, photo_height}, orientation))) shape = 1 / shape;
  const double photo = double(photo_width) / photo_height;
  if (std::abs(shape / photo - 1) <= kSameShape) return {};
  return unusable(path, "it is " + std::to_string(size->width) + "x" + std::to_string(size->height) +
                            " pixels, another shape than its photo's " + std::to_string(photo_width) + "x" +
                            std::to_string(photo_height));
}

Result<std::vector<uint16_t>> load_depth_map(const DatasetView& view, const Remap* remap) {
  Result<Grey16> map = read_grey16(view.depth_path);
  if (!map) return unusable(view.depth_path, map.error().message);
  const int turn = orientation_beside(view.depth_path, {map->width, map->height}, {view.file_width, view.file_height},
                                      view.photo_orientation);
  if (turn != 1) map->pixels = upright(map->pixels, map->width, map->height, 1, turn);
  const size_t width = size_t(view.camera.width), height = size_t(view.camera.height);
  const double step_x = double(map->width) / (remap ? remap->source_width : int(width)),
               step_y = double(map->height) / (remap ? remap->source_height : int(height));
  std::vector<uint16_t> out(width * height);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t pixel_x = i % width, pixel_y = i / width;
    double x = double(pixel_x), y = double(pixel_y);
    if (remap) {
      const Remap::Tap& tap = remap->taps[i];
      if (tap.x == Remap::kBlank) continue;
      x = tap.x + tap.fraction_x / 256.0, y = tap.y + tap.fraction_y / 256.0;
    }
    const int column = std::min(int((x + 0.5) * step_x), map->width - 1);
    const int row = std::min(int((y + 0.5) * step_y), map->height - 1);
    out[i] = map->pixels[size_t(row) * size_t(map->width) + size_t(column)];
  }
  return out;
}

}  // namespace io
