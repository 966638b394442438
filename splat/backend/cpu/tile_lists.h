// Tile lists, second part: from the spans of every splat to one list a tile, in order of depth, ties by index. No
// atomics: each part of the chunks counted its own instances per tile, so that it knows where its entries go. The first
// part is bin.cpp; the GPU's tile_lists.hip does both.
#pragma once

#include <cstddef>
#include <memory>

#include "splat/backend/cpu/frame.h"

namespace splat::cpu {

// After binning, with tile_cursors holding the counts [parts][tiles]: numbers the instances, places the lists and turns
// the counts into cursors.
void place_tile_lists(Frame& frame, size_t chunks, size_t parts);

// Writes the entries of the chunks [begin, end), which make up `part`.
void fill_tile_lists(Frame& frame, size_t begin, size_t end, size_t part);

// Sorts one tile's list by depth, with Highway's VQSort. Keeps the sort's scratch memory: one per thread.
class TileSorter {
 public:
  TileSorter();
  ~TileSorter();
  TileSorter(TileSorter&&) noexcept;
  void sort(Frame& frame, size_t tile);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace splat::cpu
