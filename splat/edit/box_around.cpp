#include "splat/edit/box_around.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/edit/edited_model.h"

namespace splat::edit {
namespace {

constexpr double kLeftOut = 0.05;     // at either end, of kMiddle
constexpr double kThinnest = 0.0005;  // half of it, as a share of the longest side

constexpr double kRounding = 1e-9;  // of what coordinates go through

bool is_meant(uint8_t state, BoxRows rows) {
  return rows == BoxRows::kSelected ? (state & kSelected) != 0 : (state & (kDeleted | kHidden)) == 0;
}

}  // namespace

std::optional<Box> box_around(const Gaussians& model, std::span<const uint8_t> states, BoxRows rows,
                              const math::Quat<double>& rotation) {
  const Box axes{{0, 0, 0}, {0, 0, 0}, rotation};  // around the origin
  std::array<std::vector<double>, 3> along;
  for (size_t row = 0; row < states.size(); ++row) {
    const float* mean = &model.means[3 * row];
    if (!is_meant(states[row], rows) || !std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2]))
      continue;
    const std::array<double, 3> at = axes.unturned({mean[0], mean[1], mean[2]});
    for (size_t c = 0; c < 3; ++c) along[c].push_back(at[c]);
  }
  if (along[0].empty()) return std::nullopt;
  std::array<double, 3> middle{}, half{};
  for (size_t c = 0; c < 3; ++c) {
    std::vector<double>& values = along[c];
    const size_t left_out = rows == BoxRows::kMiddle ? size_t(kLeftOut * double(values.size())) : 0;
    const double low = nth_value(values, left_out), high = nth_value(values, values.size() - 1 - left_out);
    middle[c] = (low + high) / 2, half[c] = (high - low) / 2;
  }
  const double longest = *std::max_element(half.begin(), half.end());
  for (size_t c = 0; c < 3; ++c) {
    half[c] = std::max(half[c], longest > 0 ? kThinnest * longest : 0.5);
    half[c] += kRounding * (half[c] + std::abs(middle[c]));  // none of them lies just outside
  }
  const math::Mat3<double> turn = math::rotation_from_quat(rotation);
  const math::Vec3<double> centre = turn * math::Vec3<double>{middle[0], middle[1], middle[2]};
  return box_about({centre.x, centre.y, centre.z}, half, rotation);
}

}  // namespace splat::edit
