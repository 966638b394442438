#include "splat/model/finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace splat {

bool has_legal_values(const Gaussians& model, size_t row) {
  const size_t sh = size_t(model.coefficients()) * 3;
  const float* scale = model.log_scales.data() + 3 * row;
  const auto legal_scale = [](float value) { return value < std::numeric_limits<float>::infinity(); };  // nor NaN
  return all_finite({model.means.data() + 3 * row, 3}) && all_finite({model.quats.data() + 4 * row, 4}) &&
         all_finite({model.sh.data() + sh * row, sh}) && !std::isnan(model.logit_opacities[row]) &&
         std::all_of(scale, scale + 3, legal_scale);
}

bool is_drawable(const Gaussians& model, size_t row) {
  const float* q = model.quats.data() + 4 * row;
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0 && has_legal_values(model, row);
}

}  // namespace splat
