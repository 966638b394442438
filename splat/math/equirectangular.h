// The equirectangular projection of panoramas: all directions on one picture, x by azimuth, y by elevation, both
// linear. Picture positions are parts of its width and height, within [0, 1]: the middle looks along +z, x = 0.75 along
// +x, the top edge along -y (camera axes x right, y down, z forward). Any length of ray but 0. Source: COLMAP's
// EQUIRECTANGULAR model (src/colmap/sensor/models.h). Host only.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/math/vec.h"

namespace splat::math {

inline Vec2<double> equirectangular_from_ray(const Vec3<double>& ray) {
  constexpr double kPi = std::numbers::pi;
  return {0.5 + std::atan2(ray.x, ray.z) / (2 * kPi),
          0.5 + std::atan2(ray.y, std::sqrt(ray.x * ray.x + ray.z * ray.z)) / kPi};
}

inline Vec3<double> ray_from_equirectangular(double x, double y) {
  constexpr double kPi = std::numbers::pi;
  const double azimuth = 2 * kPi * (x - 0.5), below = kPi * (y - 0.5);
  return {std::cos(below) * std::sin(azimuth), std::sin(below), std::cos(below) * std::cos(azimuth)};
}

// Gradients of both picture positions by the ray. Near a pole that of x grows beyond bounds; on it, it is large.
struct EquirectangularGradients {
  Vec3<double> x, y;
};
inline EquirectangularGradients equirectangular_gradients(const Vec3<double>& ray) {
  constexpr double kPi = std::numbers::pi;
  const double length2 = dot(ray, ray);
  const double level = std::sqrt(std::max(ray.x * ray.x + ray.z * ray.z, 1e-18 * length2));
  const bool pole = ray.x == 0 && ray.z == 0;
  const double across = 1 / (2 * kPi * level), up = ray.y / level;
  const Vec3<double> around = pole ? Vec3<double>{1, 0, 0} : Vec3<double>{ray.z / level, 0, -ray.x / level};
  return {across * around, 1 / (kPi * length2) * Vec3<double>{-ray.x * up, level, -ray.z * up}};
}

}  // namespace splat::math
