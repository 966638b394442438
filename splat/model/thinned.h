// Fewer splats that look about the same from afar: for pictures of a view that moves, where all of them take too long.
// What a splat adds to a picture is about its opacity times its area. A row is kept with a chance in proportion to
// that, at most 1, and what is kept with the chance p has 1/p of its area, so that every part of the scene is covered
// as before: Cook, Halstead, Planck and Ryu, "Stochastic Simplification of Aggregate Detail", SIGGRAPH 2007. The
// chances are drawn along the rows, every time that their sum reaches a whole number: where neighbours in the list are
// neighbours in space (morton.h), each part of the scene keeps its share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"

namespace splat {

struct Thinned {
  Gaussians model;
  std::vector<uint32_t> rows;  // [N of model] that they are of the whole one; ascending
};

// The choice alone.
struct ThinnedRows {
  std::vector<uint32_t> rows;  // ascending
  std::vector<float> grown;    // [N of rows] is added to their log scales
};

// Reads only the model's opacities and scales; its other arrays may be empty. Fewer than `count` rows are all
// kept.
ThinnedRows thinned_rows(const Gaussians& model, size_t count, ThreadPool& pool);
void grow(Gaussians& model, std::span<const float> grown);  // of ThinnedRows, of the rows that were kept

// About `count` rows, within a tenth; all of them, unchanged, where there are no more. Rows that cannot be drawn (NaN,
// infinite) are left out. The same for any number of threads. Cost: two passes over opacities and scales.
Thinned thinned(const Gaussians& model, size_t count, ThreadPool& pool);

}  // namespace splat
