// Rotations as other programs write them: rounded, scaled, now and then broken.
#pragma once

#include <array>
#include <optional>

namespace io {

// The rotation nearest to `m` (row-major) once its uniform scale is removed; nullopt when m is singular, mirrored, or
// farther than rounding from a scaled rotation (an entry off by more than 1 %).
std::optional<std::array<double, 9>> nearest_rotation(const std::array<double, 9>& m);

}  // namespace io
