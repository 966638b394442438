// An object as neural networks make them, in the files that the repositories of TRELLIS, LGM and DreamGaussian write: a
// round body with a small head above it and an arm to the right, of flat splats.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace splat::test {

enum class Generator { kTrellis, kLgm, kLgmActivated, kDreamGaussian };

// The bytes of the file. TRELLIS: z-up, turned to y-down; its least size added in squares; units. LGM: y-up; without
// normals; units; as trainers keep values, or activated. DreamGaussian: y-up; quaternions of any length.
std::string generated_object(Generator generator, size_t splats = 30000);

// Of a point to the object's surface, with y upwards; negative inside.
double distance_to_object(const std::array<double, 3>& point);
inline constexpr double kObjectNeck = 0.0525;  // red above, else blue or green
inline constexpr double kObjectTop = 0.36, kObjectBottom = -0.46, kObjectRight = 0.48;

}  // namespace splat::test
