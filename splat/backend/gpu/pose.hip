// The gradient by the pose of the view: one splat a thread, a sum for each block, and the sums of all blocks in double;
// always in the same order.
#include "splat/backend/gpu/projected_gradient.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = kPoseSplats;

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) pose_kernel(PoseArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(float, sums, kPoseValues* kThreads / kWave);
    const UpdateArgs& update = args.update;
    const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
    math::Twist<float> v{{0, 0, 0}, {0, 0, 0}};
    math::SplatGradient<float> g;
    if (splat < update.splats && update.counters->instances <= update.capacity && update.radii[splat] > 0 &&
        load_gradient(update, splat, g)) {
      const SplatRows rows = SplatRows::of(update.parameters, update.block_floats, splat);
      v = math::pose_gradient(update.view, update.antialias, update.opacity_factor, args.sh_degree, rows, g, true);
      if (update.planes) {
        math::GeometryGradient<float> plane = math::no_geometry_gradient<float>();
        add_plane_gradient(update, splat, plane);
        v = v + math::pose_gradient_of_plane(update.view, rows, plane, true);
      }
    }
    const float values[kPoseValues] = {v.translation.x, v.translation.y, v.translation.z,
                                       v.rotation.x,    v.rotation.y,    v.rotation.z};
#pragma unroll
    for (int i = 0; i < kPoseValues; ++i) {
      const float total = wave_sum<kWave>(values[i]);
      if (threadIdx.x % kWave == 0) sums[kPoseValues * int(threadIdx.x / kWave) + i] = total;
    }
    __syncthreads();
    if (threadIdx.x >= kPoseValues) return;
    float total = 0;
    for (int w = 0; w < kThreads / kWave; ++w) total += sums[kPoseValues * w + int(threadIdx.x)];
    args.block_sums[size_t(blockIdx.x) * kPoseValues + threadIdx.x] = total;
  }
}

// One block.
template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) pose_total_kernel(PoseArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(double, sums, kPoseValues* kThreads / kWave);
    const size_t blocks = pose_blocks(args.update.splats);
    double totals[kPoseValues] = {};
    for (size_t block = threadIdx.x; block < blocks; block += kThreads)
#pragma unroll
      for (int i = 0; i < kPoseValues; ++i) totals[i] += args.block_sums[block * kPoseValues + size_t(i)];
#pragma unroll
    for (int i = 0; i < kPoseValues; ++i) {
      const double total = wave_sum<kWave>(totals[i]);
      if (threadIdx.x % kWave == 0) sums[kPoseValues * int(threadIdx.x / kWave) + i] = total;
    }
    __syncthreads();
    if (threadIdx.x >= kPoseValues) return;
    double total = 0;
    for (int w = 0; w < kThreads / kWave; ++w) total += sums[kPoseValues * w + int(threadIdx.x)];
    args.sums[threadIdx.x] = total;
  }
}

}  // namespace

void pose_gradient(const PoseArgs& args, const Target& target) {
  const bool wide = target.wave == 64;
  launch("pose", wide ? pose_kernel<64> : pose_kernel<32>, dim3(unsigned(pose_blocks(args.update.splats))), kThreads,
         target.stream, args);
  launch("pose_total", wide ? pose_total_kernel<64> : pose_total_kernel<32>, dim3(1), kThreads, target.stream, args);
}

}  // namespace splat::gpu
