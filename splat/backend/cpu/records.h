// What the stages of one rendered view hand to each other: plain types. Splats are worked on in chunks of kChunkSplats;
// the visible ones of chunk c are records c*kChunkSplats ..., in order of their index, so that nothing depends on
// threads. An instance is a (tile, splat) pair. Instances are numbered in the order of emission, by splat and tile: a
// splat's are consecutive. Backward writes one gradient row for each, tile by tile in the order of the lists, so that
// writing streams; they are then read, ahead of time, and summed in the order of the instances. This costs 40 bytes an
// instance, but needs no atomics, no copy per thread, and gives the same sums for every thread count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/math/constants.h"

namespace splat::cpu {

inline constexpr size_t kChunkSplats = 1024;
inline constexpr size_t kBoundedSplats = 256;  // rows that share bounds (math/row_bounds.h)

// A visible splat as binning (first half) and blending need it: one cache line.
struct alignas(64) SplatRecord {
  float mean_x, mean_y;  // px
  float t, half_y;       // math::EllipseRows, to cut it with rows of tiles and blocks
  float slope_x_by_y, inv_yy, conditional_xx, y_at_right;
  float form_xx, form_xy, form_yy;  // math::WeightForm, px^-2
  float log2_opacity;               // likewise
  float radius;                     // px, 3 sigma; of four channels that are blended at once the last
  float red, green, blue;
};
inline constexpr int kRecordFloats = sizeof(SplatRecord) / sizeof(float);

// The tiles first_tile..last_tile of one row of tiles that a splat reaches.
struct TileRow {
  uint32_t record;
  uint32_t instance;  // of first_tile; counted from the chunk's first
  uint16_t tile_row, first_tile, last_tile;
};

// Sums over an instance's pixels, in the order of math::SplatMoments: w wx wy wxx wxy wyy, colour 3.
inline constexpr int kMomentFloats = 9;
inline constexpr int kInstanceFloats = 9;         // stride between rows; one more for a fourth channel
inline constexpr uint32_t kNoRow = ~uint32_t(0);  // of an instance that contributes to no pixel
// Gradient by a record, in its place after combining: mean_px 2, conic 3, opacity, colour before its clamp 3, plane 3.
inline constexpr int kGradientFloats = 12;

// Bytes of an entry's mask of the blocks of pixels in its tile, for vectors of this many lanes (blocks.h).
constexpr size_t mask_bytes(int lanes) { return size_t(math::kTileSize * math::kTileSize / 8) / size_t(lanes); }

struct ImageSize {
  int width = 0, height = 0;  // px
  int tiles_x = 0, tiles_y = 0;
  int stride() const { return tiles_x * math::kTileSize; }  // floats between rows of a plane
  size_t plane() const { return size_t(stride()) * tiles_y * math::kTileSize; }
  size_t tiles() const { return size_t(tiles_x) * tiles_y; }
};

}  // namespace splat::cpu
