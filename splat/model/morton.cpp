#include "splat/model/morton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace splat {
namespace {

constexpr uint64_t kCells = uint64_t(1) << 21;
constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();

// The low 21 bits of x, two zero bits between each and the next.
uint64_t spread(uint64_t x) {
  x &= kCells - 1;
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  x = (x | x << 2) & 0x1249249249249249ull;
  return x;
}

bool finite(const float* mean) { return std::isfinite(mean[0]) && std::isfinite(mean[1]) && std::isfinite(mean[2]); }

}  // namespace

std::vector<uint32_t> morton_order(std::span<const float> means) {
  const size_t count = means.size() / 3;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
  for (size_t i = 0; i < count; ++i)
    for (size_t c = 0; c < 3 && finite(&means[3 * i]); ++c) {
      low[c] = std::min(low[c], double(means[3 * i + c]));
      high[c] = std::max(high[c], double(means[3 * i + c]));
    }
  std::vector<std::pair<uint64_t, uint32_t>> keys(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t key = finite(&means[3 * i]) ? 0 : kLast;
    for (size_t c = 0; c < 3 && key != kLast; ++c) {
      const double extent = high[c] - low[c];
      const double cell = extent > 0 ? (means[3 * i + c] - low[c]) / extent * double(kCells - 1) : 0;
      key |= spread(uint64_t(cell)) << c;
    }
    keys[i] = {key, uint32_t(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order(count);
  std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
  return order;
}

}  // namespace splat
