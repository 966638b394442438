// Morton codes of the splats' positions, so that neighbours in space come to lie together in memory. On
// the device what model/morton.h does for the CPU's rows.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;
constexpr float kCells = 1024;  // a side
constexpr uint32_t kLast = ~0u;

// Floats as integers of the same order, and back.
SPLAT_DEVICE uint32_t ordered_bits(float value) {
  const uint32_t bits = float_bits(value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
SPLAT_DEVICE float from_ordered_bits(uint32_t bits) {
  const uint32_t plain = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
  float value;
  __builtin_memcpy(&value, &plain, sizeof value);
  return value;
}

SPLAT_DEVICE bool has_position(const math::Vec3<float>& v) {
  return math::is_finite(v.x) && math::is_finite(v.y) && math::is_finite(v.z);
}

// bounds: the greatest of each coordinate's inverted bits, then of its bits.
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) bounds_kernel(SpatialArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats) return;
  const math::Vec3<float> mean = SplatRows::of(args.parameters, args.block_floats, splat).mean();
  if (!has_position(mean)) return;
  const uint32_t bits[3] = {ordered_bits(mean.x), ordered_bits(mean.y), ordered_bits(mean.z)};
  for (int axis = 0; axis < 3; ++axis) {
    atomicMax(args.bounds + axis, ~bits[axis]);
    atomicMax(args.bounds + 3 + axis, bits[axis]);
  }
}

// Bits 0..9 to every third place.
SPLAT_DEVICE uint32_t spread(uint32_t cell) {
  cell = (cell | cell << 16) & 0x030000ffu;
  cell = (cell | cell << 8) & 0x0300f00fu;
  cell = (cell | cell << 4) & 0x030c30c3u;
  return (cell | cell << 2) & 0x09249249u;
}
SPLAT_DEVICE float low_of(const SpatialArgs& args, int axis) { return from_ordered_bits(~args.bounds[axis]); }
// Cells are cubes: with a scale for each axis the thickness of a flat scene would count as much as its width.
SPLAT_DEVICE uint32_t cell_of(const SpatialArgs& args, int axis, float value) {
  float extent = 0;
  for (int i = 0; i < 3; ++i) extent = math::max(extent, from_ordered_bits(args.bounds[3 + i]) - low_of(args, i));
  const float low = low_of(args, axis);
  const float cell = extent > 0 ? (value - low) / extent * kCells : 0.0f;
  return cell > 0 ? uint32_t(math::min(cell, kCells - 1)) : 0;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) codes_kernel(SpatialArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats) return;
  if (splat < args.fixed) {  // before all others, and the sort is stable
    args.codes[splat] = 0;
    return;
  }
  const math::Vec3<float> mean = SplatRows::of(args.parameters, args.block_floats, splat).mean();
  args.codes[splat] = has_position(mean) ? spread(cell_of(args, 0, mean.x)) | spread(cell_of(args, 1, mean.y)) << 1 |
                                               spread(cell_of(args, 2, mean.z)) << 2
                                         : kLast;
}

}  // namespace

void morton_codes(const SpatialArgs& args, const Target& target) {
  const dim3 grid((args.splats + kThreads - 1) / kThreads);
  launch("bounds", bounds_kernel, grid, kThreads, target.stream, args);
  launch("morton_codes", codes_kernel, grid, kThreads, target.stream, args);
}

}  // namespace splat::gpu
