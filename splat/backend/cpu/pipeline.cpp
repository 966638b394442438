#include "splat/backend/cpu/pipeline.h"

#include <algorithm>

namespace splat::cpu {

Pipeline::Pipeline(int threads, SimdLevel level) : pool_(threads), kernels_(kernels_of(level)) {
  for (int t = 0; t < pool_.threads(); ++t) sorters_.emplace_back();
}

void Pipeline::resize(Frame& frame, int width, int height, size_t splats, size_t channels) {
  ImageSize& size = frame.size;
  if (width != size.width || height != size.height || frame.image.size() != channels * size.plane()) {
    size = {width, height, (width + math::kTileSize - 1) / math::kTileSize,
            (height + math::kTileSize - 1) / math::kTileSize};
    frame.image.resize(channels * size.plane());
    frame.transmittance.resize(size.plane());
    frame.v_image.resize(channels * size.plane());
    frame.v_image.fill_bytes(0);
    frame.tile_first.resize(size.tiles() + 1);
    frame.tile_end.resize(size.tiles());
    frame.tile_contributing.resize(size.tiles());
    frame.tile_first_row.resize(size.tiles());
  }
  const size_t n_chunks = chunks_of(splats), records = n_chunks * kChunkSplats;
  frame.chunk_visible.resize(n_chunks);
  frame.chunk_rows.resize(n_chunks);
  frame.chunk_instances.resize(n_chunks);
  frame.chunk_first_row.resize(n_chunks + 1);
  frame.chunk_emitted.resize(n_chunks);
  frame.chunk_first_instance.resize(n_chunks);
  frame.records.resize(records);
  frame.first_instance.resize(records);
  frame.visible_bits.resize(records / kBlockSplats);
  frame.resize_rows(0);
}

void Pipeline::bin(Frame& frame, size_t splats, bool squares) {
  const size_t n_chunks = chunks_of(splats), tiles = frame.size.tiles();
  size_t rows = 0;
  for (size_t chunk = 0; chunk < n_chunks; ++chunk) {
    frame.chunk_first_row[chunk] = rows;
    rows += frame.chunk_rows[chunk];
  }
  frame.resize_rows(rows);

  // Parts only decide who counts where; lists come out the same.
  const size_t parts = std::min(std::max<size_t>(n_chunks, 1), pool_.threads() == 1 ? 1 : size_t(pool_.threads()) * 3);
  const auto part_begin = [&](size_t part) { return n_chunks * part / parts; };
  frame.tile_cursors.resize(parts * tiles);
  frame.tile_cursors.fill_bytes(0);
  const size_t scratch = size_t(2) * frame.size.tiles_y * 16;
  bin_scratch_.resize(scratch * pool_.threads());
  pool_.for_each(parts, [&](size_t part, int thread) {
    BinArgs args;
    args.records = frame.records.data();
    args.tiles_x = frame.size.tiles_x;
    args.tiles_y = frame.size.tiles_y;
    args.squares = squares;
    args.scratch = bin_scratch_.data() + scratch * thread;
    args.first_instance = frame.first_instance.data();
    args.tile_counts = frame.tile_cursors.data() + part * tiles;
    for (size_t chunk = part_begin(part); chunk < part_begin(part + 1); ++chunk) {
      args.rows = frame.rows() + frame.chunk_first_row[chunk];
      const BinResult result = kernels_.bin(args, chunk, frame.chunk_visible[chunk]);
      frame.chunk_emitted[chunk] = result.rows;
      frame.chunk_instances[chunk] = result.instances;
    }
  });
  place_tile_lists(frame, n_chunks, parts);
  pool_.for_each(parts,
                 [&](size_t part, int) { fill_tile_lists(frame, part_begin(part), part_begin(part + 1), part); });
}

void Pipeline::sort(Frame& frame) {
  pool_.for_each(frame.size.tiles(), [&](size_t tile, int thread) { sorters_[thread].sort(frame, tile); });
}

void Pipeline::blend_forward(Frame& frame, const BlendArgs& args) {
  pool_.for_each(frame.size.tiles(), [&](size_t tile, int) { kernels_.blend_forward(args, tile); });
}

size_t Pipeline::place_moments(Frame& frame, size_t floats) {
  size_t rows = 0;
  for (size_t tile = 0; tile < frame.size.tiles(); ++tile) {
    frame.tile_first_row[tile] = uint32_t(rows);
    rows += frame.tile_contributing[tile];
  }
  frame.resize_moments(rows, floats);
  return rows;
}

void Pipeline::blend_backward(Frame& frame, const BlendArgs& args) {
  pool_.for_each(frame.size.tiles(), [&](size_t tile, int) { kernels_.blend_backward(args, tile); });
}

BlendArgs blend_args(Frame& frame) {
  BlendArgs args;
  args.size = frame.size;
  args.records = frame.records.data();
  args.entries = frame.entries.data();
  args.tile_first = frame.tile_first.data();
  args.tile_end = frame.tile_end.data();
  args.block_masks = frame.block_masks.data();
  args.image = frame.image.data();
  args.transmittance = frame.transmittance.data();
  args.v_image = frame.v_image.data();
  args.tile_contributing = frame.tile_contributing.data();
  args.tile_first_row = frame.tile_first_row.data();
  args.moments = frame.moments();
  args.instance_row = frame.instance_record.data();
  return args;
}

}  // namespace splat::cpu
