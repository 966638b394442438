// The model on the CPU: parameters, Adam's moments and densification statistics, whose rows always move together.
#pragma once

#include <cstdint>
#include <span>

#include "splat/backend/backend.h"
#include "splat/backend/cpu/parameters.h"
#include "splat/math/row_bounds.h"

namespace splat::cpu {

class ModelRows {
 public:
  size_t size() const { return size_; }
  int sh_degree() const { return sh_degree_; }  // stored
  size_t bytes() const;
  void reserve(size_t splats);  // for training: moments as well

  void upload(const Gaussians& model, ThreadPool& pool);
  void download_rows(size_t first, size_t count, Gaussians& rows) const;
  void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const;
  // Moments take twice the memory of the parameters, and a model that is only looked at has none. From here on there
  // are some, zero at first.
  void need_moments();
  void pack_moments(bool packed) { pack_next_ = packed; }  // from the next upload() on
  bool moments_packed() const { return moments.streams() == 1; }
  void upload_moment_rows(size_t first, const AdamMoments& rows);
  void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const;
  // Scratch memory: SplatBlocks::kReorderFloats for each row there will be.
  void keep_and_copy_rows(const KeptAndCopied& rows, const Ellipsoids& copies, float* scratch);
  void sort_in_space(float* scratch);
  void append_rows(const Gaussians& rows);
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments);
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments);
  void limit_opacity(float max_opacity);
  void lower_opacity(float by, float least);
  void add_noise(const MeanNoise& noise, size_t begin, size_t end);  // to these rows

  void fix_rows(size_t count);  // Backend::fix_rows()
  size_t fixed() const { return fixed_; }

  void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) const;
  void write_statistics_rows(size_t first, const DensifyStatistics& rows);
  void reset_statistics();

  SplatBlocks parameters{1}, moments{2};
  AlignedBuffer<uint32_t> last_step;  // [N] AdamMoments::last_step, where there are moments
  // Coefficients from here on have moments that are all zero and need no step while their gradient is zero too.
  int moment_coefficients = 1;
  // As DensifyStatistics; whole numbers, which stay at 65535 once they are there.
  AlignedBuffer<float> mean2d_gradient_norm;  // [N]
  AlignedBuffer<uint16_t> visible_count;      // [N]
  AlignedBuffer<uint16_t> max_radius_px;      // [N]

  // By kBoundedSplats, for as many rows as there are; unknown ones (NaN) are found by projection. Of every row that
  // changes they are to be forgotten: here of all, in update() of those that are stepped.
  AlignedBuffer<math::RowBounds<float>>& bounds();
  void forget_bounds() { bounds_.resize(0); }

 private:
  void resize(size_t splats);  // new rows are zero
  void zero_moments(size_t row);
  void zero_moments(size_t row, int value);  // of a parameter

  AlignedBuffer<math::RowBounds<float>> bounds_;
  size_t size_ = 0, fixed_ = 0;
  int sh_degree_ = 0;
  bool has_moments_ = false, pack_next_ = false;
};

}  // namespace splat::cpu
