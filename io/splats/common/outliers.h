// Values that lie absurdly far from the rest. Formats that store values as steps between the least and the largest one
// must not let a single such splat, of a training gone astray or a damaged file, decide how long a step is.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace io {

struct SaneRange {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();

  bool holds(float value) const { return value >= low && value <= high; }
  float clamped(float value) const { return std::clamp(value, low, high); }
};

// What the middle nine tenths of the values span, at least `width`, and `room` times as much on either side. Those not
// finite do not count; without others all is sane. Turns the values around. Cost: linear.
SaneRange sane_range(std::vector<float>& values, double room, double width);

}  // namespace io
