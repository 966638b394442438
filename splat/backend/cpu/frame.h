// Everything one rendered view needs, from projection to gradients; grow-only, so that no iteration allocates.
#pragma once

#include "splat/backend/cpu/records.h"
#include "splat/core/aligned_buffer.h"

namespace splat::cpu {

struct Frame {
  ImageSize size;
  size_t visible = 0, instances = 0;

  // By chunk.
  AlignedBuffer<uint32_t> chunk_visible;  // records in use
  AlignedBuffer<uint32_t> chunk_rows;     // upper bound of tile rows
  AlignedBuffer<uint32_t> chunk_instances;
  AlignedBuffer<size_t> chunk_first_row;  // [chunks+1] where its TileRows lie
  AlignedBuffer<uint32_t> chunk_emitted;  // TileRows in use
  AlignedBuffer<uint32_t> chunk_first_instance;
  // By record.
  AlignedBuffer<SplatRecord> records;      // after combining: their gradients
  AlignedBuffer<uint32_t> first_instance;  // counted from the chunk's first
  // By block of 16 splats: bit i = splat i is visible.
  AlignedBuffer<uint16_t> visible_bits;
  // By tile.
  AlignedBuffer<uint32_t> tile_first;         // [tiles+1] first entry of its list
  AlignedBuffer<uint32_t> tile_end;           // entries [tile_first, tile_end) were blended before every pixel finished
  AlignedBuffer<uint32_t> tile_cursors;       // [parts][tiles]
  AlignedBuffer<uint32_t> tile_contributing;  // entries that contribute to a pixel
  AlignedBuffer<uint32_t> tile_first_row;     // of moments
  // By entry of the tile lists.
  AlignedBuffer<uint64_t> entries;     // depth bits << 32 | instance; once sorted: record << 32 | instance
  AlignedBuffer<uint8_t> block_masks;  // pixel blocks evaluated, mask_bytes(lanes) each; kept for backward
  // By instance.
  AlignedBuffer<uint32_t>
      instance_record;  // until the lists are sorted; from backward on its row of moments, or kNoRow
  // What is needed until the lists are sorted, and what is written from backward on, in the same memory.
  AlignedBuffer<std::byte> lists_or_moments;
  float* depths() { return reinterpret_cast<float*>(lists_or_moments.data()); }  // [records]
  TileRow* rows() { return reinterpret_cast<TileRow*>(depths() + records.size()); }
  void resize_rows(size_t rows) { lists_or_moments.resize(records.size() * sizeof(float) + rows * sizeof(TileRow)); }
  float* moments() { return depths(); }  // [rows][kInstanceFloats], by contributing entry of the tile lists
  void resize_moments(size_t rows, size_t floats = kInstanceFloats) {
    lists_or_moments.resize(rows * floats * sizeof(float));
  }
  // Planes of the image, padded to whole tiles.
  AlignedBuffer<float> image;          // [3][plane] background included
  AlignedBuffer<float> transmittance;  // [plane] final
  AlignedBuffer<float> v_image;        // [3][plane] zero outside the image

  // Calls visit(buffer) for each buffer of a frame, which may be const.
  template <class Self, class Visit>
  static void visit_buffers(Self& f, const Visit& visit) {
    visit(f.chunk_visible), visit(f.chunk_rows), visit(f.chunk_instances), visit(f.chunk_first_row);
    visit(f.chunk_emitted), visit(f.chunk_first_instance), visit(f.records), visit(f.first_instance);
    visit(f.visible_bits), visit(f.tile_first), visit(f.tile_end), visit(f.tile_cursors), visit(f.tile_contributing);
    visit(f.tile_first_row), visit(f.entries), visit(f.block_masks), visit(f.instance_record);
    visit(f.lists_or_moments), visit(f.image), visit(f.transmittance), visit(f.v_image);
  }
  size_t bytes() const {
    size_t total = 0;
    visit_buffers(*this, [&](const auto& buffer) { total += buffer.bytes(); });
    return total;
  }
};

}  // namespace splat::cpu
