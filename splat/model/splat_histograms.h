// How the opacities and sizes of a model's splats are spread: for --info and for the window's panel.
// Cost: one pass over the model each.
#pragma once

#include <cstddef>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"

namespace splat {

struct Histogram {
  std::vector<double> edges;   // one more than counts, ascending
  std::vector<size_t> counts;  // what is outside goes to the first or last
};

Histogram opacity_histogram(const Gaussians& model, ThreadPool& pool);  // 0..1, ten bins; NaN does not count
// Standard deviation along the longest axis, world units: half decades around what nearly all splats have, at most 16.
// Splats that are not finite do not count; no bins where none is. What nearly all have is found among 100 000 of them.
Histogram size_histogram(const Gaussians& model, ThreadPool& pool);

}  // namespace splat
