#include "splat/backend/cpu/model_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/backend/cpu/records.h"
#include "splat/backend/noise_bits.h"
#include "splat/backend/packed_moments.h"
#include "splat/core/check.h"
#include "splat/math/activation.h"
#include "splat/math/mean_noise.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"

namespace splat::cpu {
namespace {

template <class T>
void keep(AlignedBuffer<T>& values, std::span<const uint32_t> rows) {
  for (size_t i = 0; i < rows.size(); ++i) values[i] = values[rows[i]];
  values.resize(rows.size());
}

template <class T>
void reorder(AlignedBuffer<T>& values, std::span<const uint32_t> rows, float* scratch) {
  static_assert(sizeof(T) <= SplatBlocks::kReorderFloats * sizeof(float));
  T* const reordered = reinterpret_cast<T*>(scratch);
  for (size_t i = 0; i < rows.size(); ++i) reordered[i] = values[rows[i]];
  std::copy_n(reordered, rows.size(), values.data());
}

template <class T>
void resize_zeroed(AlignedBuffer<T>& values, size_t size) {
  const size_t old = std::min(values.size(), size);
  values.resize(size);
  std::fill(values.data() + old, values.data() + size, T(0));
}

}  // namespace

size_t ModelRows::bytes() const {
  return parameters.bytes() + moments.bytes() + mean2d_gradient_norm.bytes() + visible_count.bytes() +
         max_radius_px.bytes() + last_step.bytes() + bounds_.bytes();
}

AlignedBuffer<math::RowBounds<float>>& ModelRows::bounds() {
  if (bounds_.size() == 0) {
    bounds_.resize((size_ + kBoundedSplats - 1) / kBoundedSplats);
    bounds_.fill_bytes(0xff);
  }
  return bounds_;
}

void ModelRows::reserve(size_t splats) {
  parameters.reserve(splats);
  moments.reserve(splats);
  mean2d_gradient_norm.reserve(splats);
  visible_count.reserve(splats);
  max_radius_px.reserve(splats);
  last_step.reserve(splats);
  bounds_.reserve((splats + kBoundedSplats - 1) / kBoundedSplats);
}

void ModelRows::resize(size_t splats) {
  parameters.resize(splats);
  if (has_moments_) {
    moments.resize(splats);
    resize_zeroed(last_step, splats);
  }
  resize_zeroed(mean2d_gradient_norm, splats);
  resize_zeroed(visible_count, splats);
  resize_zeroed(max_radius_px, splats);
  size_ = splats;
}

void ModelRows::upload(const Gaussians& model, ThreadPool& pool) {
  check_shapes(model, model.sh_degree);
  SPLAT_CHECK(model.sh_degree >= 0 && model.sh_degree <= kMaxShDegree);
  sh_degree_ = model.sh_degree;
  resize(0);
  fixed_ = 0;
  has_moments_ = false;
  parameters.set_degree(sh_degree_);
  moments.set_degree(sh_degree_);
  moments.set_streams(pack_next_ ? 1 : 2);
  moment_coefficients = 1;
  parameters.assign(model, pool);
  resize(model.size());
}

void ModelRows::download_rows(size_t first, size_t count, Gaussians& rows) const {
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  rows.sh_degree = sh_degree_;
  rows.resize(count);
  for (size_t i = 0; i < count; ++i) parameters.get(first + i, rows, i);
}

void ModelRows::download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const {
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  rows.resize(count);
  for (size_t i = 0; i < count; ++i) parameters.get(first + i, rows, i);
}

void ModelRows::need_moments() {
  if (has_moments_) return;
  moments.resize(size_);  // where memory is refused, there are none yet
  resize_zeroed(last_step, size_);
  has_moments_ = true;
}

void ModelRows::upload_moment_rows(size_t first, const AdamMoments& rows) {
  need_moments();
  check_shapes(rows.first, sh_degree_);
  check_shapes(rows.second, sh_degree_);
  const size_t count = rows.first.size();
  SPLAT_CHECK_EQ(rows.second.size(), count);
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  SPLAT_CHECK(rows.last_step.empty() || rows.last_step.size() == count);
  if (moments_packed()) {
    const Gaussians packed = packed_moments(rows);
    for (size_t i = 0; i < count; ++i) moments.set(first + i, packed, i);
  } else {
    for (size_t i = 0; i < count; ++i) moments.set(first + i, rows.first, i, 0);
    for (size_t i = 0; i < count; ++i) moments.set(first + i, rows.second, i, 1);
  }
  for (size_t i = 0; i < count; ++i) last_step[first + i] = rows.last_step.empty() ? 0 : rows.last_step[i];
  moment_coefficients = parameters.coefficients();
}

void ModelRows::download_moment_rows(size_t first, size_t count, AdamMoments& rows) const {
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  const int streams = moments.streams();
  int stream = 0;
  for (Gaussians* part : {&rows.first, &rows.second}) {
    part->sh_degree = sh_degree_;
    if (!has_moments_) part->resize(0);  // and zero below
    part->resize(count);
    for (size_t i = 0; has_moments_ && stream < streams && i < count; ++i) moments.get(first + i, *part, i, stream);
    ++stream;
  }
  if (moments_packed()) unpack_moments(rows);
  rows.last_step.assign(count, 0);
  if (has_moments_) std::copy_n(last_step.data() + first, count, rows.last_step.data());
}

void ModelRows::keep_and_copy_rows(const KeptAndCopied& rows, const Ellipsoids& copies, float* scratch) {
  check_kept_and_copied(rows, copies, size_, fixed_);
  if (rows.size() > size_) resize(rows.size());  // all memory first: where it fails, the rows are as they were
  if (rows.sources.empty())
    parameters.keep_rows(rows.kept);
  else
    parameters.reorder(rows, scratch);
  if (has_moments_) {
    moments.keep_rows(rows.kept);
    keep(last_step, rows.kept);
  }
  keep(mean2d_gradient_norm, rows.kept);
  keep(visible_count, rows.kept);
  keep(max_radius_px, rows.kept);
  resize(rows.size());
  for (size_t i = 0; i < copies.size(); ++i) parameters.set(rows.kept.size() + i, copies, i);
}

void ModelRows::sort_in_space(float* scratch) {
  std::vector<float> means(3 * (size_ - fixed_));
  for (size_t i = fixed_; i < size_; ++i)
    for (int axis = 0; axis < 3; ++axis) means[3 * (i - fixed_) + axis] = parameters.at(i, kMeanRow + axis);
  std::vector<uint32_t> order(size_);
  std::iota(order.begin(), order.begin() + ptrdiff_t(fixed_), 0u);
  const std::vector<uint32_t> others = morton_order(means);
  std::transform(others.begin(), others.end(), order.begin() + ptrdiff_t(fixed_),
                 [&](uint32_t row) { return row + uint32_t(fixed_); });
  parameters.reorder({order, {}}, scratch);
  if (has_moments_) {
    moments.reorder({order, {}}, scratch);
    reorder(last_step, order, scratch);
  }
  reorder(mean2d_gradient_norm, order, scratch);
  reorder(visible_count, order, scratch);
  reorder(max_radius_px, order, scratch);
}

void ModelRows::append_rows(const Gaussians& rows) {
  check_shapes(rows, sh_degree_);
  const size_t old = size_;
  resize(old + rows.size());
  for (size_t i = 0; i < rows.size(); ++i) parameters.set(old + i, rows, i);
}

void ModelRows::write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) {
  check_shapes(rows, sh_degree_);
  SPLAT_CHECK_EQ(indices.size(), rows.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    SPLAT_CHECK_LT(size_t(indices[i]), size_);
    parameters.set(indices[i], rows, i);
    if (reset_moments) zero_moments(indices[i]);
  }
}

void ModelRows::copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets,
                          const Ellipsoids& copies, bool reset_moments) {
  check_copies(sources, targets, copies, size_);
  for (size_t i = 0; i < targets.size(); ++i) {
    parameters.copy_colour(sources[i], targets[i]);
    parameters.set(targets[i], copies, i);
    if (reset_moments) zero_moments(targets[i]);
  }
}

void ModelRows::zero_moments(size_t row) {
  if (!has_moments_) return;
  for (int value = 0; value < moments.rows(); ++value) zero_moments(row, value);
}

void ModelRows::zero_moments(size_t row, int value) {
  for (int stream = 0; stream < moments.streams(); ++stream) moments.at(row, value, stream) = 0;
}

void ModelRows::limit_opacity(float max_opacity) {
  const float limit = float(math::logit(double(max_opacity)));
  for (size_t i = fixed_; i < size_; ++i) {
    float& logit = parameters.at(i, kOpacityRow);
    logit = std::min(logit, limit);
    if (has_moments_) zero_moments(i, kOpacityRow);
  }
}

void ModelRows::lower_opacity(float by, float least) {
  for (size_t i = fixed_; i < size_; ++i) {
    float& logit = parameters.at(i, kOpacityRow);
    logit = math::lowered_logit(logit, by, least);
  }
}

void ModelRows::add_noise(const MeanNoise& noise, size_t begin, size_t end) {
  for (size_t i = std::max(begin, fixed_); i < end; ++i) {
    const float share = math::noise_share(math::sigmoid(parameters.at(i, kOpacityRow)));
    if (!(share > 0)) continue;
    const auto value = [&](int row) { return parameters.at(i, row); };
    const auto scale = [&](int axis) { return std::exp(value(kLogScaleRow + axis)); };
    uint32_t bits[6];
    noise_bits(noise.seed, uint32_t(noise.iteration), uint32_t(i), bits);
    const math::Vec3<float> moved =
        math::mean_noise<float>(bits, {value(kQuatRow), value(kQuatRow + 1), value(kQuatRow + 2), value(kQuatRow + 3)},
                                {scale(0), scale(1), scale(2)}, share, noise.strength);
    parameters.at(i, kMeanRow) += moved.x;
    parameters.at(i, kMeanRow + 1) += moved.y;
    parameters.at(i, kMeanRow + 2) += moved.z;
  }
}

void ModelRows::fix_rows(size_t count) {
  SPLAT_CHECK_LE(count, size_);
  fixed_ = count;
}

void ModelRows::read_statistics_rows(size_t first, size_t count, DensifyStatistics& out) const {
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  const auto copy = [&](const auto& values, auto& to) {
    to.assign(values.data() + first, values.data() + first + count);
  };
  copy(mean2d_gradient_norm, out.mean2d_gradient_norm);
  copy(visible_count, out.visible_count);
  copy(max_radius_px, out.max_radius_px);
}

void ModelRows::write_statistics_rows(size_t first, const DensifyStatistics& given) {
  const size_t count = given.mean2d_gradient_norm.size();
  SPLAT_CHECK_EQ(given.visible_count.size(), count);
  SPLAT_CHECK_EQ(given.max_radius_px.size(), count);
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  std::copy_n(given.mean2d_gradient_norm.data(), count, mean2d_gradient_norm.data() + first);
  const auto limited = [](auto value) { return uint16_t(std::min(value, decltype(value)(UINT16_MAX))); };
  std::transform(given.visible_count.begin(), given.visible_count.end(), visible_count.data() + first, limited);
  std::transform(given.max_radius_px.begin(), given.max_radius_px.end(), max_radius_px.data() + first, limited);
}

void ModelRows::reset_statistics() {
  mean2d_gradient_norm.fill_bytes(0);
  visible_count.fill_bytes(0);
  max_radius_px.fill_bytes(0);
}

}  // namespace splat::cpu
