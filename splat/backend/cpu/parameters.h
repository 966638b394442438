// Storage of the model on the CPU: blocks of 16 splats, array of structures of arrays. A block is [rows][16] floats,
// row = one scalar parameter of 16 splats, so that a vector of splats is a few contiguous loads and a block is one
// stretch of memory (59 separate streams would defeat the hardware prefetcher). Adam's moments lie apart, as
// [rows][2][16], because projection does not read them. The last block is padded with zeros, which the kernels mask
// off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "splat/backend/cpu/parameter_rows.h"
#include "splat/backend/row_copies.h"
#include "splat/core/aligned_buffer.h"
#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"

namespace splat::cpu {

// Rows of `streams` values per splat and parameter: 1 for parameters and gradients, 2 for moments.
class SplatBlocks {
 public:
  // Rows of a block moved together: enough to use what memory brings in, few enough for the scratch.
  static constexpr size_t kReorderFloats = 8;

  explicit SplatBlocks(int streams) : streams_(streams) {}

  int rows() const { return rows_; }
  int coefficients() const { return (rows_ - kShRow) / 3; }
  size_t block_floats() const { return size_t(rows_) * streams_ * kBlockSplats; }
  size_t bytes() const { return values_.bytes(); }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  float& at(size_t splat, int row, int stream = 0) { return values_.data()[index(splat, row, stream)]; }
  float at(size_t splat, int row, int stream = 0) const { return values_.data()[index(splat, row, stream)]; }

  void set_degree(int sh_degree);                        // drops the contents
  void set_streams(int streams) { streams_ = streams; }  // of empty blocks
  int streams() const { return streams_; }
  void reserve(size_t splats) { values_.reserve(block_count(splats) * block_floats()); }
  void resize(size_t splats);                             // new splats are zero
  void assign(const Gaussians& model, ThreadPool& pool);  // of the same degree
  void keep_rows(std::span<const uint32_t> rows);         // new row i = old row rows[i]; ascending, unique
  // New row i = old row rows[i], in any order; within the splats there are. scratch: kReorderFloats a row.
  void reorder(const KeptAndCopied& rows, float* scratch);

  // Splat `splat` from row `row` of a model of the same degree, and back; of Ellipsoids all but the colour.
  template <class Model>
  void set(size_t splat, const Model& model, size_t row, int stream = 0) {
    visit_rows(model, row, [&](const float* values, int first, int count) {
      for (int i = 0; i < count; ++i) at(splat, first + i, stream) = values[i];
    });
  }
  template <class Model>
  void get(size_t splat, Model& model, size_t row, int stream = 0) const {
    visit_rows(model, row, [&](float* values, int first, int count) {
      for (int i = 0; i < count; ++i) values[i] = at(splat, first + i, stream);
    });
  }
  void copy_colour(size_t from, size_t to);  // of parameters

 private:
  size_t index(size_t splat, int row, int stream) const {
    return splat / kBlockSplats * block_floats() + (size_t(row) * streams_ + stream) * kBlockSplats +
           splat % kBlockSplats;
  }

  int streams_;
  int rows_ = kShRow + 3;
  size_t splats_ = 0;
  AlignedBuffer<float> values_;
};

}  // namespace splat::cpu
