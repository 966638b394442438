// From sums over a picture to its loss: the same on every device that sums by itself.
#pragma once

#include <array>
#include <cstddef>

#include "splat/backend/backend.h"
#include "splat/core/check.h"
#include "splat/math/photo_colour.h"

namespace splat {

// What the gradient of the loss by one value is made of: times the sign of its difference, times the gradient of the
// sum of SSIM. counted: pixels that the mask lets count; none: zero.
struct LossScales {
  float l1 = 0, ssim = 0;
};
inline LossScales loss_scales(float ssim_weight, size_t counted) {
  if (counted == 0) return {};
  const float values = 3 * float(counted);
  return {(1 - ssim_weight) / values, -ssim_weight / values};
}

// l1_sum, ssim_sum: over the counted pixels and their channels.
inline LossValue mean_loss(double l1_sum, double ssim_sum, float ssim_weight, size_t counted) {
  LossValue value;
  value.ssim = 1;
  if (counted == 0) return value;
  const double values = 3.0 * double(counted), weight = ssim_weight;
  value.l1 = l1_sum / values;
  value.ssim = ssim_sum / values;
  value.total = (1 - weight) * value.l1 + weight * (1 - value.ssim);
  return value;
}

// What the background of a picture has more than the one that a photo lies over (math::over_other_background), by
// channel, [0,1]: drawn as the rest of the picture, it is seen through the photo's colour, too.
inline std::array<double, 3> background_change(const std::array<float, 3>& of_photo, const LossSettings& settings,
                                               const std::array<float, 3>& background) {
  std::array<double, 3> change{};
  for (size_t c = 0; c < 3; ++c)
    change[c] = math::photo_colour(settings.colour[c], double(background[c])) - double(of_photo[c]);
  return change;
}

// A photo, or a gradient by the picture, of another size than the picture is a bug.
template <class Picture>
void check_picture_size(const Picture& picture, int width, int height) {
  SPLAT_CHECK_EQ(picture.width, width);
  SPLAT_CHECK_EQ(picture.height, height);
  SPLAT_CHECK_EQ(picture.rgb.size(), 3 * size_t(width) * size_t(height));
}
inline void check_photo(const TrainingImage& photo, int width, int height) {
  check_picture_size(photo, width, height);
  SPLAT_CHECK(photo.mask.empty() || photo.mask.size() == size_t(width) * size_t(height));
  SPLAT_CHECK(photo.alpha.empty() || photo.alpha.size() == size_t(width) * size_t(height));
}

}  // namespace splat
