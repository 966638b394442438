// Which share of every photo each cell of a scene fills, measured on a coarse model of the whole, and which photos a
// block is therefore trained on.
#pragma once

#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/blocks/cells.h"
#include "splat/core/stop.h"

namespace splat::blocks {

struct CellsOnGround {
  Ground ground;
  std::span<const Cell> cells;
};

// of[view][cell]: the sum of the blending weights of the cell's splats over that of all splats, at an eighth of the
// view's size. 0 where nothing is drawn. Cost: a small view drawn and walked through twice for each. stop: asked before
// each; throws Stopped.
std::vector<std::vector<float>> measure_shares(Backend& backend, const Dataset& dataset, const Gaussians& model,
                                               const CellsOnGround& over, const StopAsked& stop = {});

struct ViewChoice {
  double least_share = 0.05;  // of the picture
  double margin = 0.2;        // of the cell's sides: cameras within it are always taken
  size_t most = 2000;         // views trained on, of the largest shares; those held out come on top
};

// The views of each block, ascending; held-out ones by the same rule.
std::vector<std::vector<int>> choose_views(const Dataset& dataset, const Ground& ground, std::span<const Cell> cells,
                                           const std::vector<std::vector<float>>& shares, const ViewChoice& choice);

// For each view, at an eighth of its size rounded up: 0 where others hide the rows of `part` or there is none of them
// to see, else 255. What a block cannot explain must not be asked of it.
constexpr int kMaskDivisor = 8;
struct ShareMask {
  int width = 0, height = 0;
  std::vector<uint8_t> counts;  // [H,W]
};
std::vector<ShareMask> measure_masks(Backend& backend, const Dataset& dataset, const Gaussians& part,
                                     const Gaussians& others);

}  // namespace splat::blocks
