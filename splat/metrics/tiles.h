// The best and the worst tile of a rendered view: where in the picture its figure comes from.
// The picture is cut into equal tiles, about kTilesAlong of them along its longer side. PSNR as in image_metrics.h.
// Tiles of which the mask lets less than half count are left out. Cost: O(H W).
#pragma once

#include <optional>

#include "splat/model/image.h"

namespace splat {

inline constexpr int kTilesAlong = 8;  // 80 px of the pictures in a report: enough to see what a tile shows

struct TileScore {
  int x = 0, y = 0, width = 0, height = 0;  // px, from the upper left corner
  double psnr = 0;                          // dB
};

struct TileExtremes {
  TileScore best, worst;
};

// Same size required. None where no tile counts.
std::optional<TileExtremes> tile_extremes(const ImageF& render, const TrainingImage& photo);

}  // namespace splat
