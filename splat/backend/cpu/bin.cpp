// Tile lists, first part: which tiles each visible splat of a chunk reaches, exactly, as spans along rows of tiles.
// Hanson et al., "Speedy-Splat" (CVPR 2025): two square roots give the span of a whole row. A stage of the CPU alone:
// its spans are kept and counted by tile, so that lists are placed without a sort over all instances (tile_lists.h);
// the GPU finds the spans twice, in project to count and in tile_lists to emit, and sorts by tile and depth at once.
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/splat_block.h"
#include "splat/math/raster_chain.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

struct Spans {
  alignas(64) int32_t first_row[kLanes], rows[kLanes];  // of tiles
};

// For kLanes records: scratch[2r][lane], scratch[2r + 1][lane] = first and last tile of the r-th row of tiles.
SPLAT_INLINE void cut_rows(const BinArgs& args, const SplatRecord* records, MaskV exists, Spans& spans) {
  FloatV low[4], high[4];
  const float* p = &records->mean_x;
  load_transposed(p, kRecordFloats, low);
  load_transposed(p + 4, kRecordFloats, high);
  const math::Vec2<FloatV> mean_px{low[0], low[1]};
  const math::EllipseRows<FloatV> e{low[2], low[3], high[0], high[1], high[2], high[3]};
  math::TileSpan<FloatV> tile_rows = math::tile_rows(e, mean_px.y, args.tiles_y), columns;
  if (args.squares) {
    FloatV last[4];
    load_transposed(p + 12, kRecordFloats, last);
    tile_rows = math::intersection(tile_rows, math::square_tiles(mean_px.y, last[0], args.tiles_y));
    columns = math::square_tiles(mean_px.x, last[0], args.tiles_x);
  }
  const FloatV rows = zero_unless(exists, math::count(tile_rows));
  store_as_integers(tile_rows.first, spans.first_row);
  store_as_integers(rows, spans.rows);
  int most = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    if (spans.rows[lane] > most) most = spans.rows[lane];
  for (int r = 0; r < most; ++r) {
    math::TileSpan<FloatV> tiles = math::tiles_of_row(e, mean_px, tile_rows.first + FloatV(r), args.tiles_x);
    if (args.squares) tiles = math::intersection(tiles, columns);
    store_as_integers(tiles.first, args.scratch + 2 * r * kLanes);
    store_as_integers(tiles.last, args.scratch + (2 * r + 1) * kLanes);
  }
}

}  // namespace

BinResult bin(const BinArgs& args, size_t chunk, uint32_t visible) {
  BinResult result{0, 0};
  const size_t begin = chunk * kChunkSplats;
  for (uint32_t at = 0; at < visible; at += kLanes) {
    const int n = visible - at < uint32_t(kLanes) ? int(visible - at) : kLanes;
    Spans spans;
    cut_rows(args, args.records + begin + at, first_lanes(n), spans);
    for (int lane = 0; lane < n; ++lane) {
      const uint32_t record = uint32_t(begin + at + lane);
      args.first_instance[record] = result.instances;
      for (int r = 0; r < spans.rows[lane]; ++r) {
        const int first = args.scratch[2 * r * kLanes + lane], last = args.scratch[(2 * r + 1) * kLanes + lane];
        if (last < first) continue;
        const int tile_row = spans.first_row[lane] + r;
        args.rows[result.rows++] = {record, result.instances, uint16_t(tile_row), uint16_t(first), uint16_t(last)};
        uint32_t* counts = args.tile_counts + size_t(tile_row) * args.tiles_x;
        for (int tile = first; tile <= last; ++tile) ++counts[tile];
        result.instances += uint32_t(last - first + 1);
      }
    }
  }
  return result;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
