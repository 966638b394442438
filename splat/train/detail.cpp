#include "splat/train/detail.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "splat/model/brightness.h"

namespace splat {
namespace {

constexpr int kLeastDifference = 5;  // of 255: between a pixel and the mean of its neighbours

}  // namespace

size_t detail_pixels(const TrainingImage& photo) {
  if (photo.width < 3 || photo.height < 3) return 0;
  const std::vector<uint8_t> values = brightness(photo);
  size_t count = 0;
  for (int y = 1; y + 1 < photo.height; ++y)
    for (int x = 1; x + 1 < photo.width; ++x) {
      const size_t at = size_t(y) * size_t(photo.width) + size_t(x), width = size_t(photo.width);
      if (!photo.counts(at)) continue;
      const int around = values[at - 1] + values[at + 1] + values[at - width] + values[at + width];
      count += std::abs(4 * values[at] - around) > 4 * kLeastDifference;
    }
  return count;
}

Result<double> mean_detail_pixels(const Dataset& dataset, ImageSource& images, const StopAsked& stop) {
  const std::vector<int> views = dataset.training_views();
  const size_t count = std::min(views.size(), kDetailPhotos);
  if (count == 0) return 0.0;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    end_if(stop);
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(views[i * views.size() / count]));
    sum += double(detail_pixels(*photo));
  }
  return sum / double(count);
}

}  // namespace splat
