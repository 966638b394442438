#include "splat/model/splat_histograms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/core/percentile.h"
#include "splat/math/activation.h"

namespace splat {
namespace {

constexpr size_t kCountedChunk = size_t(1) << 15;  // rows
constexpr size_t kMostLookedAt = 100'000;          // rows, for what nearly all have

// What value_of(row) is, row by row; NaN does not count. `edges`: of the values, not of the histogram.
template <class ValueOf>
std::vector<size_t> counted(size_t rows, const std::vector<double>& edges, ThreadPool& pool, const ValueOf& value_of) {
  const size_t bins = edges.size() - 1;
  std::vector<std::vector<size_t>> by_thread(size_t(pool.threads()), std::vector<size_t>(bins));
  pool.for_chunks(rows, kCountedChunk, [&](size_t begin, size_t end, int thread) {
    std::vector<size_t> counts(bins);
    for (size_t row = begin; row < end; ++row) {
      const double value = value_of(row);
      if (std::isnan(value)) continue;
      const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, value);
      ++counts[size_t(above - edges.begin()) - 1];
    }
    for (size_t bin = 0; bin < bins; ++bin) by_thread[size_t(thread)][bin] += counts[bin];
  });
  std::vector<size_t> counts(bins);
  for (const std::vector<size_t>& part : by_thread)
    for (size_t bin = 0; bin < bins; ++bin) counts[bin] += part[bin];
  return counts;
}

// The longest deviation as a power of ten; NaN where it is not finite.
double size_of(const Gaussians& model, size_t row) {
  constexpr double kPerDecade = std::numbers::ln10;
  const float* scale = model.log_scales.data() + 3 * row;
  const double value = std::max({scale[0], scale[1], scale[2]}) / kPerDecade;
  return std::isfinite(value) ? value : std::nan("");
}

}  // namespace

Histogram opacity_histogram(const Gaussians& model, ThreadPool& pool) {
  Histogram histogram;
  for (int i = 0; i <= 10; ++i) histogram.edges.push_back(i / 10.0);
  histogram.counts = counted(model.size(), histogram.edges, pool,
                             [&](size_t row) { return math::sigmoid(double(model.logit_opacities[row])); });
  return histogram;
}

Histogram size_histogram(const Gaussians& model, ThreadPool& pool) {
  const size_t stride = std::max<size_t>(1, model.size() / kMostLookedAt);
  std::vector<double> some;
  for (size_t row = 0; row < model.size(); row += stride)
    if (const double value = size_of(model, row); !std::isnan(value)) some.push_back(value);
  Histogram histogram;
  if (some.empty()) return histogram;
  // Half decades around what nearly all splats have; the rest goes to the ends.
  const double low = std::floor(2 * percentile(some, 0.001)) / 2,
               high = std::max(std::ceil(2 * percentile(some, 0.999)) / 2, low + 0.5);
  const size_t bins = std::min<size_t>(size_t(std::lround(2 * (high - low))), 16);
  std::vector<double> edges;  // powers of ten
  for (size_t i = 0; i <= bins; ++i) edges.push_back(low + (high - low) * double(i) / double(bins));
  for (const double edge : edges) histogram.edges.push_back(std::pow(10.0, edge));
  histogram.counts = counted(model.size(), edges, pool, [&](size_t row) { return size_of(model, row); });
  return histogram;
}

}  // namespace splat
