#include "splat/backend/cpu/parameters.h"

#include <algorithm>

namespace splat::cpu {

void SplatBlocks::set_degree(int sh_degree) {
  rows_ = kShRow + 3 * sh_coefficients(sh_degree);
  splats_ = 0;
  values_.resize(0);
}

void SplatBlocks::resize(size_t splats) {
  const size_t kept = std::min(splats_, splats), blocks = block_count(splats);
  values_.resize(blocks * block_floats());
  // What lies between the last splat and the end of its block need not be zero any more: Adam steps whole vectors.
  for (size_t stale = kept; stale < block_count(kept) * kBlockSplats; ++stale)
    for (int row = 0; row < rows_; ++row)
      for (int stream = 0; stream < streams_; ++stream) at(stale, row, stream) = 0;
  std::fill(data() + block_count(kept) * block_floats(), data() + blocks * block_floats(), 0.0f);
  splats_ = splats;
}

void SplatBlocks::assign(const Gaussians& model, ThreadPool& pool) {
  constexpr size_t kChunk = 64;  // blocks: about 240 kB
  const size_t blocks = block_count(model.size());
  values_.resize(blocks * block_floats());
  splats_ = model.size();
  pool.for_chunks(blocks, kChunk, [&](size_t begin, size_t end, int) {
    for (size_t block = begin; block < end; ++block) {
      const size_t first = block * kBlockSplats, last = std::min(splats_, first + kBlockSplats);
      if (last - first < kBlockSplats) std::fill_n(data() + block * block_floats(), block_floats(), 0.0f);
      for (size_t row = first; row < last; ++row) set(row, model, row);
    }
  });
}

void SplatBlocks::keep_rows(std::span<const uint32_t> rows) {
  const int values = rows_ * streams_;
  for (size_t to = 0; to < rows.size(); ++to) {
    const size_t from = rows[to];
    if (from == to) continue;
    const float* source = data() + from / kBlockSplats * block_floats() + from % kBlockSplats;
    float* target = data() + to / kBlockSplats * block_floats() + to % kBlockSplats;
    for (int k = 0; k < values; ++k) target[k * kBlockSplats] = source[k * kBlockSplats];
  }
  resize(rows.size());
}

void SplatBlocks::reorder(const KeptAndCopied& rows, float* scratch) {
  constexpr int kAtOnce = int(kReorderFloats);
  const int values = rows_ * streams_;
  const size_t begin = rows.unmoved();
  for (int first = 0; first < values; first += kAtOnce) {
    const int count = std::min(kAtOnce, values - first);
    const auto first_value = [&](size_t splat) {
      return data() + splat / kBlockSplats * block_floats() + size_t(first) * kBlockSplats + splat % kBlockSplats;
    };
    for (size_t to = begin; to < rows.size(); ++to)
      for (int k = 0; k < count; ++k) scratch[to * kAtOnce + k] = first_value(rows[to])[k * kBlockSplats];
    for (size_t to = begin; to < rows.size(); ++to)
      for (int k = 0; k < count; ++k) first_value(to)[k * kBlockSplats] = scratch[to * kAtOnce + k];
  }
}

void SplatBlocks::copy_colour(size_t from, size_t to) {
  if (from == to) return;
  for (int row = kShRow; row < rows_; ++row) at(to, row) = at(from, row);
}

}  // namespace splat::cpu
