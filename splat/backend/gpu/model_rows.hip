// Row operations on the device: between staged rows, one splat after another, and the blocks of records.h.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"
#include "splat/backend/noise_bits.h"
#include "splat/math/activation.h"
#include "splat/math/mean_noise.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;

template <class Value>
SPLAT_DEVICE Value& value_at(const BlocksOf<Value>& blocks, uint32_t splat, int row, int stream) {
  const size_t rows = size_t(blocks.rows) * size_t(blocks.streams);
  return blocks.values[(splat / kBlockSplats * rows + size_t(row * blocks.streams + stream)) * kBlockSplats +
                       splat % kBlockSplats];
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) scatter_kernel(ScatteredRows args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.count) return;
  const uint32_t splat = args.indices ? args.indices[i] : args.first + i;
  for (int row = 0; row < args.rows; ++row)
    value_at(args.to, splat, row, args.stream) = args.staged[size_t(i) * size_t(args.rows) + size_t(row)];
}
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) gather_kernel(GatheredRows args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.count) return;
  const uint32_t splat = args.indices ? args.indices[i] : args.first + i;
  for (int row = 0; row < args.rows; ++row)
    args.staged[size_t(i) * size_t(args.rows) + size_t(row)] = value_at(args.from, splat, row, args.stream);
}
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) copy_colours_kernel(CopiedColours args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.count) return;
  const uint32_t source = args.sources[i], target = args.targets[i];
  if (source == target) return;
  for (int row = kShRow; row < args.parameters.rows; ++row)
    value_at(args.parameters, target, row, 0) = value_at(args.parameters, source, row, 0);
}
struct ZeroArgs {
  BlockRows blocks;
  const uint32_t* indices;  // as ScatteredRows
  uint32_t first, count;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) zero_kernel(ZeroArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.count) return;
  const uint32_t splat = args.indices ? args.indices[i] : args.first + i;
  for (int row = 0; row < args.blocks.rows; ++row)
    for (int stream = 0; stream < args.blocks.streams; ++stream) value_at(args.blocks, splat, row, stream) = 0;
}

struct KeepArgs {
  BlockRows blocks;  // streams counted as rows
  KeptRows kept;
  int first_row, end_row;
  float* scratch;  // [rows,count]
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) keep_out_kernel(KeepArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.kept.count) return;
  const uint32_t splat = args.kept.rows[i];
  for (int row = args.first_row; row < args.end_row; ++row)
    args.scratch[size_t(row - args.first_row) * args.kept.count + i] = value_at(args.blocks, splat, row, 0);
}
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) keep_back_kernel(KeepArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= args.kept.count) return;
  const uint32_t splat = args.kept.first + i;
  for (int row = args.first_row; row < args.end_row; ++row)
    value_at(args.blocks, splat, row, 0) = args.scratch[size_t(row - args.first_row) * args.kept.count + i];
}

struct KeepValuesArgs {
  const uint32_t* values;
  KeptRows kept;
  uint32_t* scratch;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) keep_values_kernel(KeepValuesArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < args.kept.count) args.scratch[i] = args.values[args.kept.rows[i]];
}

struct LimitArgs {
  BlockRows parameters, moments;
  RowRange rows;
  float limit;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) limit_kernel(LimitArgs args) {
  const uint32_t splat = args.rows.begin + blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.rows.end) return;
  float& logit = value_at(args.parameters, splat, kOpacityRow, 0);
  if (logit > args.limit) logit = args.limit;
  for (int stream = 0; stream < args.moments.streams; ++stream) value_at(args.moments, splat, kOpacityRow, stream) = 0;
}

struct LowerArgs {
  BlockRows parameters;
  RowRange rows;
  float by, least;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) lower_kernel(LowerArgs args) {
  const uint32_t splat = args.rows.begin + blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.rows.end) return;
  float& logit = value_at(args.parameters, splat, kOpacityRow, 0);
  logit = math::lowered_logit(logit, args.by, args.least);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) noise_kernel(NoiseArgs args) {
  const uint32_t splat = args.rows.begin + blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.rows.end) return;
  const SplatRows rows{&value_at(args.parameters, splat, 0, 0)};
  const float share = math::noise_share(rows.opacity());
  if (!(share > 0)) return;
  uint32_t bits[6];
  noise_bits(args.seed, args.iteration, splat, bits);
  const math::Vec3<float> moved = math::mean_noise(bits, rows.quat(), rows.scale(), share, args.strength);
  value_at(args.parameters, splat, kMeanRow, 0) += moved.x;
  value_at(args.parameters, splat, kMeanRow + 1, 0) += moved.y;
  value_at(args.parameters, splat, kMeanRow + 2, 0) += moved.z;
}

dim3 grid_of(uint32_t count) { return dim3((count + kThreads - 1) / kThreads); }
dim3 grid_of(const RowRange& rows) { return grid_of(rows.end - rows.begin); }

}  // namespace

void scatter_rows(const ScatteredRows& args, const Target& target) {
  launch("scatter_rows", scatter_kernel, grid_of(args.count), kThreads, target.stream, args);
}
void gather_rows(const GatheredRows& args, const Target& target) {
  launch("gather_rows", gather_kernel, grid_of(args.count), kThreads, target.stream, args);
}
void zero_rows(const BlockRows& blocks, const uint32_t* indices, uint32_t first, uint32_t count, const Target& target) {
  launch("zero_rows", zero_kernel, grid_of(count), kThreads, target.stream, ZeroArgs{blocks, indices, first, count});
}
void copy_colours(const CopiedColours& args, const Target& target) {
  launch("copy_colours", copy_colours_kernel, grid_of(args.count), kThreads, target.stream, args);
}
void keep_rows(const BlockRows& blocks, const KeptRows& kept, float* scratch, const Target& target) {
  const int rows = blocks.rows * blocks.streams;
  for (int row = 0; row < rows; row += kKeepRowsAtOnce) {
    const int end = row + kKeepRowsAtOnce < rows ? row + kKeepRowsAtOnce : rows;
    const KeepArgs args{{blocks.values, rows, 1}, kept, row, end, scratch};
    launch("keep_rows", keep_out_kernel, grid_of(kept.count), kThreads, target.stream, args);
    launch("keep_rows", keep_back_kernel, grid_of(kept.count), kThreads, target.stream, args);
  }
}
void keep_values(uint32_t* values, const KeptRows& kept, uint32_t* scratch, const Target& target) {
  if (kept.count == 0) return;
  launch("keep_values", keep_values_kernel, grid_of(kept.count), kThreads, target.stream,
         KeepValuesArgs{values, kept, scratch});
  SPLAT_GPU_CHECK(hipMemcpyAsync(values + kept.first, scratch, kept.count * sizeof(uint32_t), hipMemcpyDeviceToDevice,
                                 target.stream));
}
void limit_opacity(const BlockRows& parameters, const BlockRows& moments, const RowRange& rows, float limit,
                   const Target& target) {
  launch("limit_opacity", limit_kernel, grid_of(rows), kThreads, target.stream,
         LimitArgs{parameters, moments, rows, limit});
}
void lower_opacity(const BlockRows& parameters, const RowRange& rows, float by, float least, const Target& target) {
  launch("lower_opacity", lower_kernel, grid_of(rows), kThreads, target.stream, LowerArgs{parameters, rows, by, least});
}
void add_noise(const NoiseArgs& args, const Target& target) {
  launch("add_noise", noise_kernel, grid_of(args.rows), kThreads, target.stream, args);
}

}  // namespace splat::gpu
