// A depth map beside inverse depths that are known at some of its pixels: inverse depth = scale * x + shift, with x the
// map's number (networks write inverse depths) or one over it (sensors write depths). Robust: the best of pairs of
// samples by the median residual (least median of squares, Rousseeuw 1984), then least squares over what is near it; up
// to half of the samples may be wrong. The same for the same samples.
// Cost: about a millisecond for a thousand samples, more are thinned out evenly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splat {

struct DepthSample {
  uint16_t value = 0;        // of the map, not 0
  double inverse_depth = 0;  // 1 / world units, positive
};

struct DepthFit {
  double scale = 0, shift = 0;
  double error = 0;   // median of |residual| over the samples' inverse depth
  bool good = false;  // nearer means nearer, most samples agree, and better than a constant
};

// What a map's number stands for in a fit; 0 for what it does not know.
inline double depth_feature(uint16_t value, bool is_depth) {
  return value == 0 ? 0 : is_depth ? 1.0 / double(value) : double(value) / 65535;
}

inline constexpr size_t kFewestSamples = 20;

DepthFit fit_depth(std::span<const DepthSample> samples, bool is_depth);

}  // namespace splat
