#include "splat/model/robust_extent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "splat/math/activation.h"
#include "splat/math/covariance.h"

namespace splat {

namespace {

constexpr size_t kMostRows = 100'000;
constexpr double kCut = 0.01, kFramedCut = 0.05;  // of the weight at either end of an axis
constexpr size_t kFew = 100;                      // rows that have no strays
constexpr float kSigmas = 2;

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
std::optional<Extent> extent_of(std::span<const float> xyz, double cut, const Weight& weight) {
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
    extent.low[c] = beyond_cut(axes[c].begin(), axes[c].end(), cut * total);
    extent.high[c] = beyond_cut(axes[c].rbegin(), axes[c].rend(), cut * total);
  }
  return extent;
}

std::optional<Extent> extent_of(std::span<const float> xyz, double cut) {
  return extent_of(xyz, cut, [](size_t) { return 1.0f; });
}

std::optional<Extent> extent_of(const Gaussians& model, double cut) {
  const auto extent = extent_of(model.means, cut, [&](size_t row) {
    const float opacity = math::sigmoid(model.logit_opacities[row]);  // NaN: no weight
    return opacity * opacity;
  });
  return extent ? extent : extent_of(std::span(model.means), cut);
}

// The ends of all splats on every axis.
std::optional<Extent> whole_extent(const Gaussians& model) {
  std::vector<float> ends;  // [2N,3]
  for (size_t row = 0; row < model.size(); ++row) {
    const float *p = &model.means[3 * row], *s = &model.log_scales[3 * row], *q = &model.quats[4 * row];
    const auto factor = math::covariance_factor(math::rotation_from_quat(math::Quat<float>{q[0], q[1], q[2], q[3]}),
                                                math::Vec3<float>{std::exp(s[0]), std::exp(s[1]), std::exp(s[2])});
    for (const float side : {-kSigmas, kSigmas})
      for (size_t c = 0; c < 3; ++c)
        ends.push_back(p[c] + side * std::hypot(factor.m[c][0], factor.m[c][1], factor.m[c][2]));
  }
  return extent_of(std::span(std::as_const(ends)), 0);
}

}  // namespace

std::optional<Extent> robust_extent(const Gaussians& model) { return extent_of(model, kCut); }

std::optional<Extent> robust_extent(std::span<const float> xyz) { return extent_of(xyz, kCut); }

std::optional<Extent> framed_extent(const Gaussians& model) {
  if (model.size() < kFew) return whole_extent(model);
  auto extent = extent_of(model, kFramedCut);
  for (size_t c = 0; extent && c < 3; ++c) {
    const double beyond = kFramedCut / (1 - 2 * kFramedCut) * (extent->high[c] - extent->low[c]);
    extent->low[c] -= beyond, extent->high[c] += beyond;
  }
  return extent;
}

}  // namespace splat
