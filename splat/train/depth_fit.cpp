#include "splat/train/depth_fit.h"
#include "splat/core/percentile.h"

#include <algorithm>
#include <cmath>

namespace splat {
namespace {

constexpr size_t kMostSamples = 1000, kTrials = 150;
constexpr double kNearFit = 2.5 * 1.4826;  // median residuals, of what the last fit is made of
constexpr double kAgrees = 0.1;            // of the inverse depth
constexpr double kMostAgree = 0.5;         // the least share that must
constexpr double kBetterThanNone = 0.5;    // of the median deviation that a constant leaves
constexpr double kFlat = 1e-3;             // relative deviation below which a photo's depth is a constant

struct FitPlace {
  double x, y;
};

struct FitLine {
  double scale = 0, shift = 0;
  double residual(const FitPlace& p) const { return std::abs(scale * p.x + shift - p.y); }
};

double median_residual(const std::vector<FitPlace>& places, const FitLine& line, std::vector<double>& scratch) {
  scratch.clear();
  for (const FitPlace& p : places) scratch.push_back(line.residual(p));
  return median(scratch);
}

FitLine least_squares(const std::vector<FitPlace>& places, const FitLine& around, double limit) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const FitPlace& p : places)
    if (around.residual(p) <= limit) n += 1, x += p.x, y += p.y;
  if (n < 2) return around;
  x /= n, y /= n;
  for (const FitPlace& p : places)
    if (around.residual(p) <= limit) xx += (p.x - x) * (p.x - x), xy += (p.x - x) * (p.y - y);
  if (!(xx > 0)) return around;
  return {xy / xx, y - xy / xx * x};
}

FitLine best_of_pairs(const std::vector<FitPlace>& places) {
  FitLine best;
  double least = INFINITY;
  std::vector<double> scratch;
  for (size_t trial = 0; trial < kTrials; ++trial) {
    // Pairs far apart in the list, every one another: golden-ratio steps.
    const size_t n = places.size(), a = trial * 7919 % n, b = (a + 1 + trial * 4099 % (n - 1)) % n;
    const double dx = places[b].x - places[a].x;
    if (dx == 0) continue;
    const double scale = (places[b].y - places[a].y) / dx;
    const FitLine line{scale, places[a].y - scale * places[a].x};
    const double residual = median_residual(places, line, scratch);
    if (residual < least) least = residual, best = line;
  }
  return best;
}

}  // namespace

DepthFit fit_depth(std::span<const DepthSample> samples, bool is_depth) {
  DepthFit fit;
  if (samples.size() < kFewestSamples) return fit;
  std::vector<FitPlace> places;
  const size_t count = std::min(samples.size(), kMostSamples);
  for (size_t i = 0; i < count; ++i) {
    const DepthSample& s = samples[i * samples.size() / count];
    places.push_back({depth_feature(s.value, is_depth), s.inverse_depth});
  }
  std::vector<double> scratch;
  FitLine line = best_of_pairs(places);
  for (int round = 0; round < 3; ++round)
    line = least_squares(places, line, kNearFit * median_residual(places, line, scratch) + 1e-12);
  fit.scale = line.scale, fit.shift = line.shift;

  std::vector<double> inverse_depths, errors;
  for (const FitPlace& p : places) inverse_depths.push_back(p.y), errors.push_back(line.residual(p) / p.y);
  const double middle = median(inverse_depths);
  for (double& d : inverse_depths) d = std::abs(d - middle);
  const double constant = median(inverse_depths), residual = median_residual(places, line, scratch);
  const auto agree = std::count_if(errors.begin(), errors.end(), [](double e) { return e <= kAgrees; });
  fit.error = median(errors);
  fit.good = fit.scale > 0 && double(agree) >= kMostAgree * double(count) && constant > kFlat * middle &&
             residual <= kBetterThanNone * constant;
  return fit;
}

}  // namespace splat
