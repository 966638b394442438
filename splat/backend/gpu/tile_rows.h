// Which tiles a splat reaches, as spans along rows of tiles: exact, with two square roots for a whole row. Hanson et
// al., "Speedy-Splat" (CVPR 2025). For kernels; counting and emission must call the same functions.
#pragma once

#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_runtime.h"
#include "splat/math/raster_chain.h"

namespace splat::gpu {

struct TileRange {
  int first, count;
};
SPLAT_DEVICE TileRange range_of(const math::TileSpan<float>& span) { return {int(span.first), int(math::count(span))}; }

// Rows of tiles that the bounding box meets.
SPLAT_DEVICE TileRange tile_rows(const TileRecord& r, int tiles_y) {
  return range_of(math::tile_rows(r.ellipse, r.mean_y, tiles_y));
}

// Tiles of one row that the ellipse meets.
SPLAT_DEVICE TileRange row_tiles(const TileRecord& r, int row, int tiles_x) {
  return range_of(math::tiles_of_row(r.ellipse, math::Vec2<float>{r.mean_x, r.mean_y}, float(row), tiles_x));
}

// A splat that only the tiles of a square about its centre may show (raster::Footprint::kThreeSigma).
struct alignas(16) SquareTileRecord : TileRecord {
  float radius;  // px, of the square
};
SPLAT_DEVICE TileRange tile_rows(const SquareTileRecord& r, int tiles_y) {
  return range_of(math::intersection(math::tile_rows(r.ellipse, r.mean_y, tiles_y),
                                     math::square_tiles(r.mean_y, r.radius, tiles_y)));
}
SPLAT_DEVICE TileRange row_tiles(const SquareTileRecord& r, int row, int tiles_x) {
  return range_of(
      math::intersection(math::tiles_of_row(r.ellipse, math::Vec2<float>{r.mean_x, r.mean_y}, float(row), tiles_x),
                         math::square_tiles(r.mean_x, r.radius, tiles_x)));
}

// The record of another lane.
template <int kWave>
SPLAT_DEVICE TileRecord shuffle_record(const TileRecord& r, int lane, Site site = Site::current()) {
  const math::EllipseRows<float>& e = r.ellipse;
  return {wave_shuffle(r.mean_x, lane, kWave, site),
          wave_shuffle(r.mean_y, lane, kWave, site),
          {wave_shuffle(e.t, lane, kWave, site), wave_shuffle(e.half_y, lane, kWave, site),
           wave_shuffle(e.slope_x_by_y, lane, kWave, site), wave_shuffle(e.inv_yy, lane, kWave, site),
           wave_shuffle(e.conditional_xx, lane, kWave, site), wave_shuffle(e.y_at_right, lane, kWave, site)}};
}
template <int kWave>
SPLAT_DEVICE SquareTileRecord shuffle_record(const SquareTileRecord& r, int lane, Site site = Site::current()) {
  return {shuffle_record<kWave>(static_cast<const TileRecord&>(r), lane, site),
          wave_shuffle(r.radius, lane, kWave, site)};
}

}  // namespace splat::gpu
