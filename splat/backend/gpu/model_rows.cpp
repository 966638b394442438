#include "splat/backend/gpu/model_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "splat/backend/packed_moments.h"
#include "splat/core/check.h"
#include "splat/core/gpu_sort.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat::gpu {
namespace {

constexpr size_t kStagedSplats = 16384;
constexpr size_t kBounds = 6;        // SpatialArgs
constexpr size_t kAlignFloats = 64;  // of memory handed to the sort, as if it were allocated for it

// Where the memory of the sort begins behind codes, sorted codes and rows, in scratch memory.
size_t sort_memory_at(size_t splats) { return (3 * splats + kAlignFloats - 1) / kAlignFloats * kAlignFloats; }

template <class T>
void copy_to_host(T* to, const T* from, size_t count, const Target& target) {
  if (count) SPLAT_GPU_CHECK(hipMemcpyAsync(to, from, count * sizeof(T), hipMemcpyDeviceToHost, target.stream));
}
template <class T>
void copy_to_device(T* to, const T* from, size_t count, const Target& target) {
  if (count) SPLAT_GPU_CHECK(hipMemcpyAsync(to, from, count * sizeof(T), hipMemcpyHostToDevice, target.stream));
}
template <class T>
void zero(T* from, size_t count, const Target& target) {
  if (count) SPLAT_GPU_CHECK(hipMemsetAsync(from, 0, count * sizeof(T), target.stream));
}

}  // namespace

size_t ModelRows::bytes() const {
  return parameters.bytes() + moments.bytes() + mean2d_gradient_norm.bytes() + visible_count.bytes() +
         max_radius_px.bytes() + last_step.bytes() + bounds.bytes() + staged_.bytes() + indices_.bytes();
}

void ModelRows::reserve(size_t splats, const Target& target) {
  if (splats <= capacity_) return;
  try {
    const size_t blocks = block_count(splats) * block_floats(), used = block_count(size_) * block_floats();
    parameters.reserve(blocks, used, target.stream);
    moments.reserve(size_t(moment_streams_) * blocks, size_t(moment_streams_) * used, target.stream);
    mean2d_gradient_norm.reserve(splats, size_, target.stream);
    visible_count.reserve(splats, size_, target.stream);
    max_radius_px.reserve(splats, size_, target.stream);
    last_step.reserve(splats, size_, target.stream);
    bounds.reserve(bounds_count(splats), 0, target.stream);
    forget_bounds();
    capacity_ = splats;
  } catch (const DeviceError&) {
    shrink(capacity_, target);
    throw;
  }
}

void ModelRows::shrink(size_t splats, const Target& target) try {
  capacity_ = std::max(splats, size_);
  const size_t blocks = block_count(capacity_) * block_floats();
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
  staged_.release(), indices_.release();  // what is kept is copied, which needs room
  parameters.shrink(blocks, target.stream);
  moments.shrink(size_t(moment_streams_) * blocks, target.stream);
  mean2d_gradient_norm.shrink(capacity_, target.stream);
  visible_count.shrink(capacity_, target.stream);
  max_radius_px.shrink(capacity_, target.stream);
  last_step.shrink(capacity_, target.stream);
  bounds.shrink(bounds_count(capacity_), target.stream);
} catch (const DeviceError&) {  // then there is more room than capacity() says
}

size_t ModelRows::scratch_floats(size_t splats) {
  const size_t sort = (sort_temporary_bytes(splats) + sizeof(float) - 1) / sizeof(float);
  return std::max(splats * size_t(kKeepRowsAtOnce), sort_memory_at(splats) + sort);
}

void ModelRows::reserve_staging(size_t splats) {
  const size_t floats = std::min(splats, kStagedSplats) * size_t(rows());
  staged_.reserve_discarding(floats);
  staged_host_.reserve_discarding(floats);
  indices_.reserve_discarding(splats);
  bounds_.reserve_discarding(kBounds);
}

void ModelRows::make_room(size_t splats, const Target& target) {
  if (splats > capacity_) try {
      reserve(std::max(splats, capacity_ + capacity_ / 2), target);
    } catch (const DeviceError&) {
      reserve(splats, target);  // without room to spare
    }
}

void ModelRows::grow(size_t splats, const Target& target) {
  make_room(splats, target);
  const size_t added = splats - size_;
  zero_rows(moment_blocks(), nullptr, uint32_t(size_), uint32_t(added), target);
  zero(mean2d_gradient_norm.data() + size_, added, target);
  zero(visible_count.data() + size_, added, target);
  zero(max_radius_px.data() + size_, added, target);
  zero(last_step.data() + size_, added, target);
  size_ = splats;
}

void ModelRows::make_bounds(const Target& target) {
  if (bounds_there_ || size_ == 0) return;
  SPLAT_GPU_CHECK(
      hipMemsetAsync(bounds.data(), 0xff, bounds_count(size_) * sizeof(math::RowBounds<float>), target.stream));
  bounds_there_ = true;
}

template <class Model>
void ModelRows::send(const Model& model, const BlockRows& blocks, int stream, const uint32_t* indices, size_t first,
                     const Target& target) {
  const int rows = kHasColours<Model> ? blocks.rows : kEllipsoidRows;
  const size_t width = size_t(rows);
  staged_.reserve_discarding(std::min(model.size(), kStagedSplats) * width);
  staged_host_.reserve_discarding(std::min(model.size(), kStagedSplats) * width);
  for (size_t begin = 0; begin < model.size(); begin += kStagedSplats) {
    const size_t count = std::min(kStagedSplats, model.size() - begin);
    for (size_t i = 0; i < count; ++i)
      visit_rows(model, begin + i, [&](const float* values, int row, int n) {
        std::copy_n(values, n, staged_host_.data() + i * width + size_t(row));
      });
    copy_to_device(staged_.data(), staged_host_.data(), count * width, target);
    scatter_rows({blocks, rows, stream, staged_.data(), indices ? indices + begin : nullptr, uint32_t(first + begin),
                  uint32_t(count)},
                 target);
    SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));  // the staging memory is used again
  }
}

template <class Model>
void ModelRows::fetch(const ConstBlockRows& blocks, int stream, Range range, Model& model, const Target& target) const {
  SPLAT_CHECK(range.first <= size_ && range.count <= size_ - range.first);
  if constexpr (kHasColours<Model>) model.sh_degree = sh_degree_;
  model.resize(range.count);
  const int rows = kHasColours<Model> ? blocks.rows : kEllipsoidRows;
  const size_t width = size_t(rows);
  staged_.reserve_discarding(std::min(range.count, kStagedSplats) * width);
  staged_host_.reserve_discarding(std::min(range.count, kStagedSplats) * width);
  for (size_t begin = 0; begin < range.count; begin += kStagedSplats) {
    const size_t count = std::min(kStagedSplats, range.count - begin);
    gather_rows({blocks, rows, stream, staged_.data(), range.indices ? range.indices + begin : nullptr,
                 uint32_t(range.first + begin), uint32_t(count)},
                target);
    copy_to_host(staged_host_.data(), staged_.data(), count * width, target);
    SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
    for (size_t i = 0; i < count; ++i)
      visit_rows(model, begin + i, [&](float* values, int row, int n) {
        std::copy_n(staged_host_.data() + i * width + size_t(row), n, values);
      });
  }
}

void ModelRows::upload(const Gaussians& model, const Target& target) {
  check_shapes(model, model.sh_degree);
  SPLAT_CHECK(model.sh_degree >= 0 && model.sh_degree <= kMaxShDegree);
  size_ = fixed_ = 0;
  const int streams = pack_next_ ? 1 : 2;
  if (model.sh_degree != sh_degree_ || streams != moment_streams_) capacity_ = 0;  // other blocks
  sh_degree_ = model.sh_degree;
  moment_streams_ = streams;
  moment_coefficients = 1;
  grow(model.size(), target);
  send(model, parameter_blocks(), 0, nullptr, 0, target);
}

template void ModelRows::fetch(const ConstBlockRows&, int, Range, Gaussians&, const Target&) const;
template void ModelRows::fetch(const ConstBlockRows&, int, Range, Ellipsoids&, const Target&) const;

void ModelRows::download_ellipsoids_of(std::span<const uint32_t> indices, Ellipsoids& rows, const Target& target) {
  const ConstBlockRows blocks = std::as_const(*this).parameter_blocks();
  fetch(blocks, 0, {0, indices.size(), send_indices(indices, target)}, rows, target);
}

void ModelRows::download_blocks(const float* blocks, Gaussians& model, const Target& target) const {
  fetch({blocks, rows(), 1}, 0, {0, size_}, model, target);
}

void ModelRows::upload_moment_rows(size_t first, const AdamMoments& given, const Target& target) {
  SPLAT_CHECK_EQ(given.first.size(), given.second.size());
  SPLAT_CHECK(first <= size_ && given.first.size() <= size_ - first);
  for (const Gaussians* part : {&given.first, &given.second}) check_shapes(*part, sh_degree_);
  if (moments_packed()) {
    send(splat::packed_moments(given), moment_blocks(), 0, nullptr, first, target);
  } else {
    send(given.first, moment_blocks(), 0, nullptr, first, target);
    send(given.second, moment_blocks(), 1, nullptr, first, target);
  }
  SPLAT_CHECK(given.last_step.empty() || given.last_step.size() == given.first.size());
  if (given.last_step.empty())
    zero(last_step.data() + first, given.first.size(), target);
  else
    copy_to_device(last_step.data() + first, given.last_step.data(), given.first.size(), target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));  // the caller's memory is free again
  moment_coefficients = sh_coefficients(sh_degree_);
}

void ModelRows::download_moment_rows(size_t first, size_t count, AdamMoments& rows, const Target& target) const {
  fetch(moment_blocks(), 0, {first, count}, rows.first, target);
  if (moments_packed())
    unpack_moments(rows);
  else
    fetch(moment_blocks(), 1, {first, count}, rows.second, target);
  rows.last_step.resize(count);
  copy_to_host(rows.last_step.data(), last_step.data() + first, count, target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
}

const uint32_t* ModelRows::send_indices(std::span<const uint32_t> indices, const Target& target) {
  indices_.reserve_discarding(indices.size());
  copy_to_device(indices_.data(), indices.data(), indices.size(), target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));  // the caller's memory is free again
  return indices_.data();
}

void ModelRows::keep_and_copy_rows(const KeptAndCopied& rows, const Ellipsoids& copies, float* scratch,
                                   const Target& target) {
  check_kept_and_copied(rows, copies, size_, fixed_);
  const size_t first = rows.unmoved(), moved = rows.kept.size() - first;
  make_room(rows.size(), target);
  indices_.reserve_discarding(rows.size() - first);
  copy_to_device(indices_.data(), rows.kept.data() + first, moved, target);
  copy_to_device(indices_.data() + moved, rows.sources.data(), rows.sources.size(), target);
  gpu::keep_rows(parameter_blocks(), {indices_.data(), uint32_t(first), uint32_t(rows.size() - first)}, scratch,
                 target);
  keep_moments_and_statistics({indices_.data(), uint32_t(first), uint32_t(moved)}, scratch, target);
  size_ = rows.kept.size();
  grow(rows.size(), target);
  send(copies, parameter_blocks(), 0, nullptr, rows.kept.size(), target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));  // the caller's memory is free again
}

void ModelRows::keep_moments_and_statistics(const KeptRows& kept, float* scratch, const Target& target) {
  gpu::keep_rows(moment_blocks(), kept, scratch, target);
  auto* words = reinterpret_cast<uint32_t*>(scratch);
  keep_values(reinterpret_cast<uint32_t*>(mean2d_gradient_norm.data()), kept, words, target);
  keep_values(visible_count.data(), kept, words, target);
  keep_values(reinterpret_cast<uint32_t*>(max_radius_px.data()), kept, words, target);
  keep_values(last_step.data(), kept, words, target);
}

void ModelRows::sort_in_space(float* scratch, const Target& target) {
  if (size_ < 2) return;
  const uint32_t count = uint32_t(size_);
  indices_.reserve_discarding(size_);
  bounds_.reserve_discarding(kBounds);
  auto* const codes = reinterpret_cast<uint32_t*>(scratch);
  uint32_t *const sorted_codes = codes + count, *const rows = sorted_codes + count;
  zero(bounds_.data(), kBounds, target);
  morton_codes({parameters.data(), block_floats(), count, uint32_t(fixed_), bounds_.data(), codes}, target);
  fill_identity(rows, count, target);
  sort_pairs({scratch + sort_memory_at(size_), sort_temporary_bytes(size_)},
             {codes, sorted_codes, rows, indices_.data(), size_, 0, 32}, target.stream);
  const KeptRows kept{indices_.data(), 0, count};
  gpu::keep_rows(parameter_blocks(), kept, scratch, target);
  keep_moments_and_statistics(kept, scratch, target);
}

void ModelRows::append_rows(const Gaussians& rows, const Target& target) {
  check_shapes(rows, sh_degree_);
  const size_t old = size_;
  grow(old + rows.size(), target);
  send(rows, parameter_blocks(), 0, nullptr, old, target);
}

void ModelRows::write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments,
                           const Target& target) {
  check_shapes(rows, sh_degree_);
  SPLAT_CHECK_EQ(indices.size(), rows.size());
  for (uint32_t index : indices) SPLAT_CHECK_LT(size_t(index), size_);
  const uint32_t* on_device = send_indices(indices, target);
  send(rows, parameter_blocks(), 0, on_device, 0, target);
  if (reset_moments) zero_rows(moment_blocks(), on_device, 0, uint32_t(indices.size()), target);
}

void ModelRows::copy_rows(const Copies& copies, float* scratch, const Target& target) {
  check_copies(copies.sources, copies.targets, copies.rows, size_);
  auto* const sources = reinterpret_cast<uint32_t*>(scratch);
  copy_to_device(sources, copies.sources.data(), copies.sources.size(), target);
  const uint32_t* targets = send_indices(copies.targets, target);
  const uint32_t count = uint32_t(copies.targets.size());
  copy_colours({parameter_blocks(), sources, targets, count}, target);
  send(copies.rows, parameter_blocks(), 0, targets, 0, target);
  if (copies.reset_moments) zero_rows(moment_blocks(), targets, 0, count, target);
}

void ModelRows::limit_opacity(float max_opacity, const Target& target) {
  const float limit = float(math::logit(double(max_opacity)));
  gpu::limit_opacity(parameter_blocks(), moment_blocks(), changing_rows(), limit, target);
}

void ModelRows::lower_opacity(float by, float least, const Target& target) {
  gpu::lower_opacity(parameter_blocks(), changing_rows(), by, least, target);
}

void ModelRows::add_noise(const MeanNoise& noise, const Target& target) {
  gpu::add_noise({parameter_blocks(), changing_rows(), noise.seed, uint32_t(noise.iteration), noise.strength}, target);
}

void ModelRows::fix_rows(size_t count) {
  SPLAT_CHECK_LE(count, size_);
  fixed_ = count;
}

void ModelRows::read_statistics_rows(size_t first, size_t count, DensifyStatistics& out, const Target& target) {
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  out.mean2d_gradient_norm.resize(count);
  out.visible_count.resize(count);
  out.max_radius_px.resize(count);
  copy_to_host(out.mean2d_gradient_norm.data(), mean2d_gradient_norm.data() + first, count, target);
  copy_to_host(out.visible_count.data(), visible_count.data() + first, count, target);
  copy_to_host(out.max_radius_px.data(), max_radius_px.data() + first, count, target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
}

void ModelRows::write_statistics_rows(size_t first, const DensifyStatistics& given, const Target& target) {
  const size_t count = given.mean2d_gradient_norm.size();
  SPLAT_CHECK_EQ(given.visible_count.size(), count);
  SPLAT_CHECK_EQ(given.max_radius_px.size(), count);
  SPLAT_CHECK(first <= size_ && count <= size_ - first);
  copy_to_device(mean2d_gradient_norm.data() + first, given.mean2d_gradient_norm.data(), count, target);
  copy_to_device(visible_count.data() + first, given.visible_count.data(), count, target);
  copy_to_device(max_radius_px.data() + first, given.max_radius_px.data(), count, target);
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
}

void ModelRows::reset_statistics(const Target& target) {
  zero(mean2d_gradient_norm.data(), size_, target);
  zero(visible_count.data(), size_, target);
  zero(max_radius_px.data(), size_, target);
}

}  // namespace splat::gpu
