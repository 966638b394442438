#include "splat/metrics/tiles.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"
#include "splat/metrics/image_metrics.h"
#include "splat/metrics/quantised.h"

namespace splat {
namespace {

std::optional<double> tile_psnr(const ImageF& render, const TrainingImage& photo, const TileScore& tile) {
  double squared_error = 0;
  size_t counted = 0;
  for (int y = tile.y; y < tile.y + tile.height; ++y)
    for (int x = tile.x; x < tile.x + tile.width; ++x) {
      const size_t p = size_t(y) * size_t(photo.width) + size_t(x);
      if (!photo.counts(p)) continue;
      ++counted;
      squared_error += squared_error_at(render, photo, p);
    }
  if (2 * counted < size_t(tile.width) * size_t(tile.height)) return {};
  return psnr_of(squared_error / (3.0 * double(counted)));
}

}  // namespace

std::optional<TileExtremes> tile_extremes(const ImageF& render, const TrainingImage& photo) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  const double side = std::max(1.0, std::max(photo.width, photo.height) / double(kTilesAlong));
  const int columns = std::max(1, int(std::lround(photo.width / side)));
  const int rows = std::max(1, int(std::lround(photo.height / side)));
  std::optional<TileExtremes> extremes;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      TileScore tile{column * photo.width / columns, row * photo.height / rows};
      tile.width = (column + 1) * photo.width / columns - tile.x;
      tile.height = (row + 1) * photo.height / rows - tile.y;
      const auto psnr = tile_psnr(render, photo, tile);
      if (!psnr) continue;
      tile.psnr = *psnr;
      if (!extremes) extremes = TileExtremes{tile, tile};
      if (tile.psnr > extremes->best.psnr) extremes->best = tile;
      if (tile.psnr < extremes->worst.psnr) extremes->worst = tile;
    }
  return extremes;
}

}  // namespace splat
