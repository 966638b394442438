#include "app/jobs/training/region_photos.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "app/jobs/training/masked_photos.h"
#include "splat/core/check.h"
#include "splat/core/log.h"
#include "splat/core/parallel.h"
#include "splat/core/percentile.h"

namespace app {
namespace {

constexpr size_t kMostPoints = 20000;  // evenly spread over their list
constexpr double kNearlyAll = 0.99, kBeyond = 3;

using RegionPixels = std::vector<std::vector<splat::PixelRun>>;  // [views][H]

// How many.
size_t leave_out_unseeing(const RegionPixels& pixels, splat::Dataset& dataset) {
  size_t unseeing = 0;
  for (size_t i = 0; i < pixels.size(); ++i) {
    if (dataset.views[i].left_out || splat::sees(pixels[i])) continue;
    dataset.views[i].left_out = true;
    ++unseeing;
  }
  return unseeing;
}

// How many times as far from the nearest camera that sees the box as nearly all points are from theirs; without points
// 0.
double times_beyond(const splat::Box& box, const splat::Dataset& dataset) {
  std::vector<std::array<double, 3>> cameras;
  double nearest = std::numeric_limits<double>::infinity();
  for (const int view : dataset.training_views()) {
    cameras.push_back(dataset.views[size_t(view)].cam_from_world.origin_in_source());
    nearest = std::min(nearest, box.distance(cameras.back()));
  }
  std::vector<double> far;
  const std::vector<std::array<double, 3>> points = splat::some_points(dataset.points, kMostPoints);
  for (size_t i = 0; i < points.size(); ++i) {
    const std::array<double, 3>&point = points[i], &camera = cameras[i % cameras.size()];
    far.push_back(std::hypot(point[0] - camera[0], point[1] - camera[1], point[2] - camera[2]));
  }
  if (far.empty()) return 0;
  return nearest / std::max(splat::percentile(far, kNearlyAll), std::numeric_limits<double>::min());
}

std::unique_ptr<splat::ImageSource> photos_of_region(RegionPixels pixels, std::unique_ptr<splat::ImageSource> photos) {
  const auto mask = [pixels = std::move(pixels)](int view, int width, int height, std::vector<uint8_t>& counts) {
    const std::vector<splat::PixelRun>& runs = pixels[size_t(view)];
    SPLAT_CHECK_EQ(runs.size(), size_t(height));
    for (size_t y = 0; y < runs.size(); ++y) {
      const auto row = counts.begin() + ptrdiff_t(y) * width;
      std::fill(row, row + runs[y].begin, uint8_t(0));
      std::fill(row + runs[y].end, row + width, uint8_t(0));
    }
  };
  return masked_photos(std::move(photos), mask);
}

}  // namespace

splat::Status keep_to_region(const splat::Box& box, int threads, splat::Dataset& dataset,
                             std::unique_ptr<splat::ImageSource>& photos) {
  RegionPixels pixels(dataset.views.size());
  splat::ThreadPool pool(threads);
  pool.for_each(pixels.size(), [&](size_t i, int) { pixels[i] = pixels_that_meet(box, dataset.views[i].view()); });
  if (const size_t unseeing = leave_out_unseeing(pixels, dataset); unseeing > 0)
    splat::log::info(fmt::format("{} of {} views do not see the region and are left out", unseeing, pixels.size()));
  if (dataset.training_views().empty())
    return splat::Error{
        fmt::format("--region: no photo of '{}' that is trained on sees it; corners count in the "
                    "coordinates of the cameras and of the splats",
                    dataset.root.string())};
  if (const double times = times_beyond(box, dataset); times > kBeyond)
    splat::log::warning(
        fmt::format("--region lies {:.0f} times as far from the cameras as what the photos show: corners count in the "
                    "coordinates of the cameras and of the splats",
                    times));
  photos = photos_of_region(std::move(pixels), std::move(photos));
  return {};
}

}  // namespace app
