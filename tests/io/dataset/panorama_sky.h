// Panoramas of a made-up sky, by formulas written down apart from those under test.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "io/dataset/panorama.h"

namespace splat::test {

inline constexpr double kPi = std::numbers::pi;
using Ray = std::array<double, 3>;

// A scene at infinity, by direction: smooth, different in every colour and direction.
inline double sky(const Ray& ray, size_t channel) {
  const double length = std::hypot(ray[0], ray[1], ray[2]), c = double(channel);
  return 128 + 50 * std::sin(7 * ray[0] / length + c) + 40 * std::cos(9 * ray[1] / length - c) +
         30 * std::sin(11 * ray[2] / length + 2 * c);
}

// Documented formulas once more: the ray through a place of a panorama, in parts of its sides.
inline Ray panorama_ray(double x, double y) {
  const double azimuth = (x - 0.5) * 2 * kPi, elevation = (0.5 - y) * kPi;
  return {std::cos(elevation) * std::sin(azimuth), -std::sin(elevation), std::cos(elevation) * std::cos(azimuth)};
}

template <class Scene>
Image8 panorama(int width, int height, const Scene& scene) {
  Image8 photo{width, height, 3, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Ray ray = panorama_ray((x + 0.5) / width, (y + 0.5) / height);
      for (size_t c = 0; c < 3; ++c) photo.pixels.push_back(uint8_t(std::lround(scene(ray, c))));
    }
  return photo;
}

// The ray of a place in a face's picture, in the photo's frame.
inline Ray face_ray(const io::PanoramaFace& face, const PinholeCamera& camera, double x, double y) {
  const std::array<double, 3> in_face{(x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy, 1};
  Ray ray{};
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) ray[c] += face.face_from_photo[3 * r + c] * in_face[r];
  return ray;
}

inline double psnr_of(double squared_error, size_t values) {
  return 10 * std::log10(255 * 255 * double(values) / squared_error);
}

}  // namespace splat::test
