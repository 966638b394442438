// Which tiles a splat reaches, as spans along rows of tiles: exact, with two square roots for a whole row. Hanson et
// al., "Speedy-Splat" (CVPR 2025). For kernels; counting and emission must call the same functions.
#pragma once

#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_runtime.h"
#include "splat/math/tile_bounds.h"

namespace splat::gpu {

inline constexpr float kTileSpan = math::kTileSize;

// The first tile whose last pixel centre lies at or beyond x, and the last whose first pixel centre does not; px.
SPLAT_DEVICE float first_tile(float x) { return ceilf((x - (kTileSpan - 0.5f)) * (1 / kTileSpan)); }
SPLAT_DEVICE float last_tile(float x) { return floorf((x - 0.5f) * (1 / kTileSpan)); }

struct TileRange {
  int first, count;
};

// Rows of tiles that the bounding box meets.
SPLAT_DEVICE TileRange tile_rows(const TileRecord& r, int tiles_y) {
  const float first = math::max(first_tile(r.mean_y - r.half_y), 0.0f);
  const float last = math::min(last_tile(r.mean_y + r.half_y), float(tiles_y - 1));
  return {int(first), last < first ? 0 : int(last - first) + 1};
}

// Tiles of one row that the ellipse meets.
SPLAT_DEVICE TileRange row_tiles(const TileRecord& r, int row, int tiles_x) {
  math::Ellipse<float> e;
  e.t = r.t;
  e.half_y = r.half_y;
  e.slope_x_by_y = r.slope_x_by_y;
  e.inv_yy = r.inv_yy;
  e.conditional_xx = r.conditional_xx;
  e.y_at_right = r.y_at_right;
  const float y0 = float(row) * kTileSpan + 0.5f - r.mean_y;
  float left, right;
  const bool reached = math::row_span(e, y0, y0 + (kTileSpan - 1), left, right);
  const float first = math::max(first_tile(r.mean_x + left), 0.0f);
  const float last = math::min(last_tile(r.mean_x + right), float(tiles_x - 1));
  return {int(first), reached && last >= first ? int(last - first) + 1 : 0};
}

// The record of another lane.
template <int kWave>
SPLAT_DEVICE TileRecord shuffle_record(const TileRecord& r, int lane, Site site = Site::current()) {
  return {wave_shuffle(r.mean_x, lane, kWave, site),
          wave_shuffle(r.mean_y, lane, kWave, site),
          wave_shuffle(r.t, lane, kWave, site),
          wave_shuffle(r.half_y, lane, kWave, site),
          wave_shuffle(r.slope_x_by_y, lane, kWave, site),
          wave_shuffle(r.inv_yy, lane, kWave, site),
          wave_shuffle(r.conditional_xx, lane, kWave, site),
          wave_shuffle(r.y_at_right, lane, kWave, site)};
}

}  // namespace splat::gpu
