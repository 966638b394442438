// What a pixel sees of triangles, found in double by asking every triangle: the pixel's ray in terms of the corners.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace splat::triangles::test {

struct Soup {
  std::vector<float> positions;  // [V,4] clip space
  std::vector<int32_t> corners;  // [T,3]
  int width = 0, height = 0;

  size_t vertices() const { return positions.size() / 4; }
  size_t count() const { return corners.size() / 3; }
  void add(const std::array<std::array<float, 4>, 3>& triangle) {
    for (const auto& corner : triangle) {
      corners.push_back(int32_t(vertices()));
      positions.insert(positions.end(), corner.begin(), corner.end());
    }
  }
};

// Triangles of about this size (of the picture's half) and with w around 2; with `behind`, some corners behind the eye.
inline Soup random_soup(size_t count, float size, bool behind, int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  Soup soup{{}, {}, width, height};
  for (size_t t = 0; t < count; ++t) {
    const float x = 1.2f * number(random), y = 1.2f * number(random), z = number(random);
    std::array<std::array<float, 4>, 3> triangle;
    for (auto& c : triangle) {
      const float w = behind && number(random) > 0.4f ? 2 * number(random) : 2 + number(random);
      c = {w * (x + size * number(random)), w * (y + size * number(random)), w * (z + 0.3f * number(random)), w};
    }
    soup.add(triangle);
  }
  return soup;
}

// A triangle at a pixel, by the inverse of the matrix of its corners.
struct Hit {
  double share[3], depth;  // z/w
  double border;           // px from the pixel's centre to the nearest edge, below 0 outside
};

// place: x and y of the corners as homogeneous pixels.
inline Hit hit_of(const std::array<std::array<double, 4>, 3>& c, double x, double y) {
  const auto minor = [&](int i, int j, int a, int b) { return c[i][a] * c[j][b] - c[i][b] * c[j][a]; };
  const double volume = c[0][0] * minor(1, 2, 1, 3) - c[0][1] * minor(1, 2, 0, 3) + c[0][3] * minor(1, 2, 0, 1);
  Hit hit{{}, 0, std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double a = minor(j, k, 1, 3) / volume, b = -minor(j, k, 0, 3) / volume, d = minor(j, k, 0, 1) / volume;
    hit.share[i] = a * x + b * y + d;
    hit.border = std::min(hit.border, hit.share[i] / std::hypot(a, b));
    hit.depth += hit.share[i] * c[i][2];
    sum += hit.share[i];
  }
  for (double& share : hit.share) share /= sum;
  if (!std::isfinite(hit.depth) || !std::isfinite(sum)) hit.border = -std::numeric_limits<double>::infinity();
  return hit;
}

}  // namespace splat::triangles::test
