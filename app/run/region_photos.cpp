#include "app/run/region_photos.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/run/masked_photos.h"
#include "splat/core/check.h"
#include "splat/core/log.h"
#include "splat/core/parallel.h"

namespace app {
namespace {

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
  photos = photos_of_region(std::move(pixels), std::move(photos));
  return {};
}

}  // namespace app
