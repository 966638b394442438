// The model on the device: parameters, Adam's moments and densification statistics, whose rows always move together.
// Host models pass through staging memory, a chunk at a time.
#pragma once

#include <cstdint>
#include <span>

#include "splat/backend/backend.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/row_copies.h"
#include "splat/core/gpu_buffer.h"

namespace splat::gpu {

class ModelRows {
 public:
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  int sh_degree() const { return sh_degree_; }  // stored
  size_t block_floats() const { return size_t(rows()) * kBlockSplats; }
  size_t bytes() const;
  // Where the device refuses, the rows have the room they had.
  void reserve(size_t splats, const Target& target);
  void make_room(size_t splats, const Target& target);  // likewise, and some to spare where there is any
  void shrink(size_t splats, const Target& target);     // gives room back, as far as that is possible
  // From the next upload() on.
  void pack_moments(bool packed) { pack_next_ = packed; }
  bool moments_packed() const { return moment_streams_ == 1; }
  // What row operations need as scratch memory, for as many splats before and after them.
  static size_t scratch_floats(size_t splats);
  void reserve_staging(size_t splats);  // as much as they will ever need

  void upload(const Gaussians& model, const Target& target);
  template <class Model>  // Gaussians or Ellipsoids
  void download_rows(size_t first, size_t count, Model& rows, const Target& target) const {
    fetch(parameter_blocks(), 0, {first, count}, rows, target);
  }
  void download_ellipsoids_of(std::span<const uint32_t> indices, Ellipsoids& rows, const Target& target);
  void upload_moment_rows(size_t first, const AdamMoments& rows, const Target& target);
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows, const Target& target) const;
  void keep_and_copy_rows(const KeptAndCopied& rows, const Ellipsoids& copies, float* scratch, const Target& target);
  void sort_in_space(float* scratch, const Target& target);  // along a Morton curve
  void append_rows(const Gaussians& rows, const Target& target);
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments, const Target& target);
  struct Copies {
    std::span<const uint32_t> sources, targets;
    const Ellipsoids& rows;
    bool reset_moments;
  };
  void copy_rows(const Copies& copies, float* scratch, const Target& target);
  void limit_opacity(float max_opacity, const Target& target);
  void lower_opacity(float by, float least, const Target& target);
  void add_noise(const MeanNoise& noise, const Target& target);
  void fix_rows(size_t count);  // Backend::fix_rows()
  size_t fixed() const { return fixed_; }

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows, const Target& target);
  void write_statistics_rows(size_t first, const DensifyStatistics& rows, const Target& target);
  void reset_statistics(const Target& target);
  // The parameters' shape, elsewhere.
  void download_blocks(const float* blocks, Gaussians& model, const Target& target) const;

  DeviceBuffer<float> parameters, moments;
  // Coefficients from here on have moments that are all zero and need no step while their gradient is zero too.
  int moment_coefficients = 1;
  DeviceBuffer<uint32_t> last_step;          // [N] AdamMoments::last_step
  DeviceBuffer<float> mean2d_gradient_norm;  // [N], as DensifyStatistics
  DeviceBuffer<uint32_t> visible_count;      // [N]
  DeviceBuffer<float> max_radius_px;         // [N]
  // [N / kBoundedSplats]; what is not known (NaN) projection finds. To be forgotten of every row that changes: here of
  // all, in update() of those that are stepped.
  DeviceBuffer<math::RowBounds<float>> bounds;
  void forget_bounds() { bounds_there_ = false; }
  void make_bounds(const Target& target);  // before projection

 private:
  int rows() const { return kShRow + 3 * sh_coefficients(sh_degree_); }
  BlockRows parameter_blocks() { return {parameters.data(), rows(), 1}; }
  BlockRows moment_blocks() { return {moments.data(), rows(), moment_streams_}; }
  ConstBlockRows parameter_blocks() const { return {parameters.data(), rows(), 1}; }
  ConstBlockRows moment_blocks() const { return {moments.data(), rows(), moment_streams_}; }
  RowRange changing_rows() const { return {uint32_t(fixed_), uint32_t(size_)}; }
  void keep_moments_and_statistics(const KeptRows& kept, float* scratch, const Target& target);
  void grow(size_t splats, const Target& target);  // new rows of moments and statistics are zero
  template <class Model>
  void send(const Model& model, const BlockRows& blocks, int stream, const uint32_t* indices, size_t first,
            const Target& target);
  struct Range {
    size_t first, count;
    const uint32_t* indices = nullptr;  // [count] on the device, in place of those from the first on
  };
  template <class Model>
  void fetch(const ConstBlockRows& blocks, int stream, Range range, Model& model, const Target& target) const;
  const uint32_t* send_indices(std::span<const uint32_t> indices, const Target& target);

  size_t size_ = 0, capacity_ = 0, fixed_ = 0;
  bool bounds_there_ = false;
  int sh_degree_ = 0;
  bool pack_next_ = false;
  int moment_streams_ = 2;
  mutable DeviceBuffer<float> staged_;  // scratch of copies in both directions
  mutable PinnedBuffer<float> staged_host_;
  DeviceBuffer<uint32_t> indices_, bounds_;
};

}  // namespace splat::gpu
