#include "splat/backend/cpu/tile_lists.h"

#include <hwy/contrib/sort/vqsort.h>

#include <bit>
#include <limits>
#include <new>

namespace splat::cpu {

void place_tile_lists(Frame& frame, size_t chunks, size_t parts) {
  size_t instances = 0, visible = 0;
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    frame.chunk_first_instance[chunk] = uint32_t(instances);
    instances += frame.chunk_instances[chunk];
    visible += frame.chunk_visible[chunk];
  }
  if (instances > std::numeric_limits<uint32_t>::max()) throw std::bad_alloc();  // 50 GB of lists: callers say so
  frame.visible = visible;
  frame.instances = instances;

  const size_t tiles = frame.size.tiles();
  uint32_t next = 0;
  for (size_t tile = 0; tile < tiles; ++tile) {
    frame.tile_first[tile] = next;
    for (size_t part = 0; part < parts; ++part) {
      uint32_t& cursor = frame.tile_cursors[part * tiles + tile];
      const uint32_t count = cursor;
      cursor = next;
      next += count;
    }
  }
  frame.tile_first[tiles] = next;
  frame.entries.resize(instances);
  frame.instance_record.resize(instances);
}

void fill_tile_lists(Frame& frame, size_t begin, size_t end, size_t part) {
  uint32_t* cursors = frame.tile_cursors.data() + part * frame.size.tiles();
  uint64_t* entries = frame.entries.data();
  const float* depths = frame.depths();
  for (size_t chunk = begin; chunk < end; ++chunk) {
    const TileRow* rows = frame.rows() + frame.chunk_first_row[chunk];
    for (uint32_t i = 0; i < frame.chunk_emitted[chunk]; ++i) {
      const TileRow& row = rows[i];
      const uint64_t depth = uint64_t(std::bit_cast<uint32_t>(depths[row.record])) << 32;
      uint32_t instance = frame.chunk_first_instance[chunk] + row.instance;
      uint32_t* row_cursors = cursors + size_t(row.tile_row) * frame.size.tiles_x;
      for (uint32_t tile = row.first_tile; tile <= row.last_tile; ++tile, ++instance) {
        entries[row_cursors[tile]++] = depth | instance;
        frame.instance_record[instance] = row.record;
      }
    }
  }
}

struct TileSorter::Impl {
  hwy::Sorter sorter;
};

TileSorter::TileSorter() : impl_(std::make_unique<Impl>()) {}
TileSorter::~TileSorter() = default;
TileSorter::TileSorter(TileSorter&&) noexcept = default;

void TileSorter::sort(Frame& frame, size_t tile) {
  uint64_t* entries = frame.entries.data() + frame.tile_first[tile];
  const size_t n = frame.tile_first[tile + 1] - frame.tile_first[tile];
  if (n > 1) impl_->sorter(entries, n, hwy::SortAscending());
  for (size_t i = 0; i < n; ++i) {
    const uint32_t instance = uint32_t(entries[i]);
    entries[i] = uint64_t(frame.instance_record[instance]) << 32 | instance;
  }
}

}  // namespace splat::cpu
