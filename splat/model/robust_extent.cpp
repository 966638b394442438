#include "splat/model/robust_extent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "splat/math/activation.h"

namespace splat {

namespace {

constexpr size_t kMostRows = 100'000;
constexpr double kCut = 0.01;  // of the weight at either end of an axis

using Weighed = std::pair<float, float>;  // a coordinate and its weight

// The first coordinate beyond the cut, of sorted ones.
template <class Iterator>
double beyond_cut(Iterator at, Iterator end, double cut) {
  double passed = 0;
  for (; at + 1 != end; ++at)
    if ((passed += double(at->second)) > cut) break;
  return double(at->first);
}

template <class Weight>
std::optional<Extent> extent_of(std::span<const float> xyz, const Weight& weight) {
  const size_t count = xyz.size() / 3, stride = std::max<size_t>(1, (count + kMostRows - 1) / kMostRows);
  std::array<std::vector<Weighed>, 3> axes;
  double total = 0;
  for (size_t row = 0; row < count; row += stride) {
    const float *p = &xyz[3 * row], w = weight(row);
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]) || !(w > 0)) continue;
    for (size_t c = 0; c < 3; ++c) axes[c].push_back({p[c], w});
    total += double(w);
  }
  if (axes[0].empty()) return std::nullopt;
  Extent extent;
  for (size_t c = 0; c < 3; ++c) {
    std::sort(axes[c].begin(), axes[c].end());
    extent.low[c] = beyond_cut(axes[c].begin(), axes[c].end(), kCut * total);
    extent.high[c] = beyond_cut(axes[c].rbegin(), axes[c].rend(), kCut * total);
  }
  return extent;
}

}  // namespace

std::optional<Extent> robust_extent(const Gaussians& model) {
  const auto extent = extent_of(model.means, [&](size_t row) {
    const float opacity = math::sigmoid(model.logit_opacities[row]);  // NaN: no weight
    return opacity * opacity;
  });
  return extent ? extent : robust_extent(std::span(model.means));
}

std::optional<Extent> robust_extent(std::span<const float> xyz) {
  return extent_of(xyz, [](size_t) { return 1.0f; });
}

}  // namespace splat
