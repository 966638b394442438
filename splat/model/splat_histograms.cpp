#include "splat/model/splat_histograms.h"

#include <algorithm>
#include <cmath>

#include "splat/math/activation.h"

namespace splat {
namespace {

size_t bin_of(const Histogram& histogram, double value) {
  const auto above = std::upper_bound(histogram.edges.begin() + 1, histogram.edges.end() - 1, value);
  return size_t(above - histogram.edges.begin()) - 1;
}

double longest_log_scale(const Gaussians& model, size_t row) {
  const float* scale = model.log_scales.data() + 3 * row;
  return std::max({scale[0], scale[1], scale[2]});
}

}  // namespace

Histogram opacity_histogram(const Gaussians& model) {
  Histogram histogram;
  for (int i = 0; i <= 10; ++i) histogram.edges.push_back(i / 10.0);
  histogram.counts.resize(10);
  for (const float logit : model.logit_opacities)
    if (const double opacity = math::sigmoid(double(logit)); !std::isnan(opacity))
      ++histogram.counts[bin_of(histogram, opacity)];
  return histogram;
}

Histogram size_histogram(const Gaussians& model) {
  constexpr double kPerDecade = M_LN10;
  std::vector<double> values;
  for (size_t row = 0; row < model.size(); ++row)
    if (const double value = longest_log_scale(model, row) / kPerDecade; std::isfinite(value)) values.push_back(value);
  Histogram histogram;
  if (values.empty()) return histogram;
  const auto percentile = [&](double share) {
    const auto at = values.begin() + ptrdiff_t(share * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  };
  // Half decades around what nearly all splats have; the rest goes to the ends.
  const double low = std::floor(2 * percentile(0.001)) / 2,
               high = std::max(std::ceil(2 * percentile(0.999)) / 2, low + 0.5);
  const size_t bins = std::min<size_t>(size_t(std::lround(2 * (high - low))), 16);
  for (size_t i = 0; i <= bins; ++i)
    histogram.edges.push_back(std::pow(10.0, low + (high - low) * double(i) / double(bins)));
  histogram.counts.resize(bins);
  for (const double value : values) ++histogram.counts[bin_of(histogram, std::pow(10.0, value))];
  return histogram;
}

}  // namespace splat
