#include "library/splat_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "io/text.h"
#include "library/structs.h"
#include "splat/model/screen_filter.h"

namespace library {
namespace {

void check_array(const float* array, uint64_t count, std::string_view name) {
  if (count > 0) check_pointer(array, name);
}

void check_flag(int32_t flag, std::string_view name) {
  if (flag != 0 && flag != 1) refuse(std::string(name) + " is " + std::to_string(flag) + "; it is 0 or 1");
}

}  // namespace

hs_splats checked_splats(const hs_splats* given) {
  const hs_splats splats = read_struct(given, "splats");
  constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
  if (splats.count > kMost)
    refuse("count of splats is " + std::to_string(splats.count) + "; at most " + std::to_string(kMost) +
           " are possible");
  if (splats.sh_degree < 0 || splats.sh_degree > splat::kMaxShDegree)
    refuse("sh_degree is " + std::to_string(splats.sh_degree) + "; it is 0 to " + std::to_string(splat::kMaxShDegree));
  check_flag(splats.antialiased, "antialiased");
  check_flag(splats.flat, "flat");
  check_array(splats.means, splats.count, "means");
  check_array(splats.quats, splats.count, "quats");
  check_array(splats.log_scales, splats.count, "log_scales");
  check_array(splats.logit_opacities, splats.count, "logit_opacities");
  check_array(splats.sh, splats.count, "sh");
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(splats.up[axis]) || !std::isfinite(splats.origin[axis])) refuse("up or origin is not finite");
  if (!(splats.metres_per_unit >= 0) || !std::isfinite(splats.metres_per_unit))
    refuse("metres_per_unit is not a positive number or 0");
  if (splats.epsg < 0) refuse("epsg is negative");
  if (!(splats.low_pass <= double(splat::kMostLowPass))) refuse("low_pass of the splats is not a number up to 100");
  return splats;
}

float low_pass_of(const hs_splats& splats) {
  if (splats.low_pass == 0) return splat::kUsualLowPass;
  return splats.low_pass < 0 ? 0 : float(splats.low_pass);
}

double low_pass_field(float px2) { return px2 > 0 ? std::strtod(io::shortest_text(px2).c_str(), nullptr) : -1; }

void copy_rows(const hs_splats& splats, size_t first, size_t count, splat::Gaussians& rows) {
  rows.sh_degree = splats.sh_degree;
  rows.resize(count);
  const size_t colours = 3 * size_t(rows.coefficients());
  std::copy_n(splats.means + 3 * first, 3 * count, rows.means.begin());
  std::copy_n(splats.quats + 4 * first, 4 * count, rows.quats.begin());
  std::copy_n(splats.log_scales + 3 * first, 3 * count, rows.log_scales.begin());
  std::copy_n(splats.logit_opacities + first, count, rows.logit_opacities.begin());
  std::copy_n(splats.sh + colours * first, colours * count, rows.sh.begin());
}

}  // namespace library
