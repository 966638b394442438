// Photos of a made-up room full of texture, from known places: two walls, a floor and balls, seen from an arc in small
// steps, as one would walk around a subject.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "splat/model/image.h"

namespace align::test {

using Vec3 = std::array<double, 3>;

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 normalised(const Vec3& a) { return 1 / std::sqrt(dot(a, a)) * a; }

class TexturedRoom {
 public:
  static constexpr int kWidth = 480, kHeight = 360;  // px
  static constexpr double kFocal = 420;              // px

  // View `i` of `count` on an arc of `degrees` around the corner of the room.
  static Vec3 place(int i, int count, double degrees) {
    const double angle = (45 + degrees * (double(i) / (count - 1) - 0.5)) * 3.14159265358979 / 180;
    return {5 * std::cos(angle), 5 * std::sin(angle), 1.6 + 0.4 * std::sin(1.7 * i)};
  }

  static splat::Image8 photo(const Vec3& from) {
    const Vec3 forward = normalised(Vec3{0.8, 0.8, 0.8} - from);
    const Vec3 right = normalised(cross(forward, {0, 0, 1})), down = cross(forward, right);
    splat::Image8 image{kWidth, kHeight, 3, {}};
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const Vec3 ray = normalised(forward + ((x + 0.5 - kWidth / 2.0) / kFocal) * right +
                                    ((y + 0.5 - kHeight / 2.0) / kFocal) * down);
        const double value = brightness(from, ray);
        for (const double tint : {1.0, 0.9, 0.8}) image.pixels.push_back(uint8_t(std::fmin(255, value * tint)));
      }
    return image;
  }

 private:
  static double brightness(const Vec3& from, const Vec3& ray) {
    double nearest = 1e9;
    int what = 0;
    for (int axis = 0; axis < 3; ++axis) {  // the planes x = 0, y = 0 and z = 0
      const double t = -from[size_t(axis)] / ray[size_t(axis)];
      if (t > 1e-6 && t < nearest) nearest = t, what = axis;
    }
    constexpr double kBalls[4][4] = {
        {1.0, 1.6, 0.5, 0.5}, {1.7, 0.9, 0.4, 0.4}, {0.6, 0.7, 1.1, 0.35}, {1.3, 1.2, 1.2, 0.25}};
    for (int ball = 0; ball < 4; ++ball) {
      const Vec3 to_centre = from - Vec3{kBalls[ball][0], kBalls[ball][1], kBalls[ball][2]};
      const double b = dot(ray, to_centre), radius = kBalls[ball][3];
      const double inside = b * b - dot(to_centre, to_centre) + radius * radius;
      if (inside > 0 && -b - std::sqrt(inside) < nearest && -b - std::sqrt(inside) > 0)
        nearest = -b - std::sqrt(inside), what = 3 + ball;
    }
    const Vec3 at = from + nearest * ray;
    double value = 0;
    for (const double cells : {3.0, 7.0, 15.0, 33.0}) value += noise(at, cells, what);
    return 255 * std::fmin(1, std::fmax(0, 0.5 + 0.55 * (value / 2 - 1) + 0.05 * (what % 3)));
  }

  static double cell(int x, int y, int z, int seed) {
    uint32_t h =
        uint32_t(x) * 73856093u ^ uint32_t(y) * 19349663u ^ uint32_t(z) * 83492791u ^ uint32_t(seed) * 2654435761u;
    h ^= h >> 15, h *= 0x2c1b3c6du, h ^= h >> 12, h *= 0x297a2d39u, h ^= h >> 15;
    return double(h & 0xffff) / 65536;
  }

  // Random values on a grid, interpolated.
  static double noise(const Vec3& at, double cells, int seed) {
    int low[3];
    double part[3];
    for (size_t k = 0; k < 3; ++k) {
      const double scaled = at[k] * cells + 1000;
      low[k] = int(std::floor(scaled));
      part[k] = scaled - low[k];
      part[k] = part[k] * part[k] * (3 - 2 * part[k]);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      for (int k = 0; k < 3; ++k) weight *= corner >> k & 1 ? part[k] : 1 - part[k];
      sum += weight * cell(low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2 & 1), seed);
    }
    return sum;
  }
};

}  // namespace align::test
