#include "io/splats/finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace io {

bool has_legal_values(const splat::Gaussians& model, size_t row) {
  const size_t sh = size_t(model.coefficients()) * 3;
  const float* scale = model.log_scales.data() + 3 * row;
  const auto legal_scale = [](float value) { return value < std::numeric_limits<float>::infinity(); };  // nor NaN
  return all_finite({model.means.data() + 3 * row, 3}) && all_finite({model.quats.data() + 4 * row, 4}) &&
         all_finite({model.sh.data() + sh * row, sh}) && !std::isnan(model.logit_opacities[row]) &&
         std::all_of(scale, scale + 3, legal_scale);
}

}  // namespace io
