#include "splat/model/morton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "splat/core/percentile.h"

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

// A cube of cells.
struct Grid {
  std::array<double, 3> low{};
  double side = 0;
};

// Around nearly all of the points. With a scale for each axis the thickness of a flat scene would count as much as its
// width; with room for every point a single absurd one would leave all others in one cell.
Grid grid_of(std::span<const float> means) {
  constexpr double kBeyond = 0.05,
                   kRoom = 32;  // the share of points beyond the middle, either way; its widths around it
  std::array<double, 3> low{}, high{}, least{}, most{};
  double width = 0;
  std::vector<float> values;
  values.reserve(means.size() / 3);
  for (size_t c = 0; c < 3; ++c) {
    values.clear();
    for (size_t i = 0; i < means.size() / 3; ++i)
      if (finite(&means[3 * i])) values.push_back(means[3 * i + c]);
    if (values.empty()) return {};
    const auto ends = std::minmax_element(values.begin(), values.end());
    least[c] = *ends.first, most[c] = *ends.second;
    const auto beyond = size_t(kBeyond * double(values.size()));
    low[c] = nth_value(values, beyond);
    high[c] = nth_value(values, values.size() - 1 - beyond);
    width = std::max(width, high[c] - low[c]);
  }
  Grid grid;
  for (size_t c = 0; c < 3; ++c) {
    grid.low[c] = width > 0 ? std::max(least[c], low[c] - kRoom * width) : least[c];
    grid.side = std::max(grid.side, (width > 0 ? std::min(most[c], high[c] + kRoom * width) : most[c]) - grid.low[c]);
  }
  return grid;
}

}  // namespace

std::vector<uint32_t> morton_order(std::span<const float> means) {
  const size_t count = means.size() / 3;
  const Grid grid = grid_of(means);
  std::vector<std::pair<uint64_t, uint32_t>> keys(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t key = finite(&means[3 * i]) ? 0 : kLast;
    for (size_t c = 0; c < 3 && key != kLast; ++c) {
      const double within = grid.side > 0 ? (means[3 * i + c] - grid.low[c]) / grid.side : 0;
      key |= spread(uint64_t(std::clamp(within, 0.0, 1.0) * double(kCells - 1))) << c;
    }
    keys[i] = {key, uint32_t(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order(count);
  std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
  return order;
}

}  // namespace splat
