// Contributions and depth of the view drawn last (backend.h): second walks over its tile lists. Keeps their memory,
// which is taken when first used: 16 bytes a splat, at most 17 a pixel.
#pragma once

#include "splat/backend/backend.h"
#include "splat/backend/cpu/frame.h"
#include "splat/backend/cpu/kernels.h"
#include "splat/core/parallel.h"

namespace splat::cpu {

class ViewReader {
 public:
  // `rows`: of the model that the frame shows.
  void read_contributions(const Frame& frame, const BlendArgs& blend, const Kernels& kernels, ThreadPool& pool,
                          const ContributionSettings& settings, size_t rows, Contributions& out);
  void read_depth(Frame& frame, const BlendArgs& blend, const Kernels& kernels, ThreadPool& pool, DepthKind kind,
                  std::vector<float>& out);
  size_t bytes() const { return sums_.bytes() + counted_.bytes() + tile_counted_.bytes() + planes_.bytes(); }

 private:
  void spread_mask(const ImageSize& size, std::span<const uint8_t> mask, ThreadPool& pool);
  void write_rows(const Frame& frame, size_t chunk, Contributions& out) const;

  AlignedBuffer<ContributionSum> sums_;  // by record
  AlignedBuffer<float> counted_;         // [plane]
  AlignedBuffer<uint8_t> tile_counted_;  // [tiles]
  AlignedBuffer<float> planes_;          // [1 or 3][plane]
};

}  // namespace splat::cpu
