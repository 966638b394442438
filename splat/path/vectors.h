// Positions as vectors. Internal to splat/path.
#pragma once

#include <array>
#include <cmath>

#include "splat/math/vec.h"

namespace splat {

inline math::Vec3<double> vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline double length(const math::Vec3<double>& v) { return std::sqrt(math::dot(v, v)); }

}  // namespace splat
