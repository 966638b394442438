// Some of many points.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "splat/model/dataset.h"

namespace splat {

// At most `most` of the points, evenly spread over their list.
inline std::vector<std::array<double, 3>> some_points(const PointCloud& points, size_t most) {
  const size_t count = std::min(points.size(), most);
  std::vector<std::array<double, 3>> some;
  for (size_t i = 0; i < count; ++i) {
    const float* p = &points.xyz[3 * (i * points.size() / count)];
    some.push_back({p[0], p[1], p[2]});
  }
  return some;
}

}  // namespace splat
