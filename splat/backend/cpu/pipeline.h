// From projected splats to a picture, and back to sums by tile and splat: what the stages of a frame between projection
// and the chain rule have in common, whoever's the splats are (cpu_backend.cpp, cpu_rasteriser.cpp). Owns the threads.
#pragma once

#include <vector>

#include "splat/backend/cpu/dispatch.h"
#include "splat/backend/cpu/frame.h"
#include "splat/backend/cpu/parameter_rows.h"
#include "splat/backend/cpu/tile_lists.h"
#include "splat/core/parallel.h"

namespace splat::cpu {

inline size_t chunks_of(size_t splats) { return (splats + kChunkSplats - 1) / kChunkSplats; }

class Pipeline {
 public:
  Pipeline(int threads, SimdLevel level);

  ThreadPool& pool() { return pool_; }
  const Kernels& kernels() const { return kernels_; }

  // Room for a picture of `channels`. Projection fills records, depths, visible_bits, chunk_visible and
  // chunk_rows.
  void resize(Frame& frame, int width, int height, size_t splats, size_t channels = 3);
  void bin(Frame& frame, size_t splats, bool squares = false);  // squares: BinArgs
  void sort(Frame& frame);
  void blend_forward(Frame& frame, const BlendArgs& args);
  // Before the first blend_backward(), with this number of floats a row; returns the rows.
  size_t place_moments(Frame& frame, size_t floats = kInstanceFloats);
  void blend_backward(Frame& frame, const BlendArgs& args);

  size_t bytes() const { return bin_scratch_.bytes(); }

 private:
  ThreadPool pool_;
  const Kernels& kernels_;
  std::vector<TileSorter> sorters_;
  AlignedBuffer<int32_t> bin_scratch_;  // [threads][2][tiles_y][16]
};

// Over black.
BlendArgs blend_args(Frame& frame);

}  // namespace splat::cpu
