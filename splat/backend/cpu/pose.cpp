// The gradient by the pose of the view: a chunk's sum over its visible splats, in an order of its own, so that the sum
// over the chunks is the same for every number of threads.
#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/projected_gradient.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

void pose_gradient(const UpdateArgs& args, size_t chunk, math::Twist<double>& sum) {
  const math::ViewParams<FloatV> view = broadcast(args.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < args.splats ? begin + kChunkSplats : args.splats;
  size_t next = begin;  // record of the next visible splat
  FloatV totals[6];
  for (FloatV& total : totals) total = FloatV(0);
  for (size_t first = begin; first < end; first += kBlockSplats) {
    const size_t block = first / kBlockSplats;
    for (int sub = 0; sub < kBlockSplats && first + sub < end; sub += kLanes) {
      const uint32_t lanes = args.visible_bits[block] >> sub & ((1u << kLanes) - 1);
      if (lanes == 0) continue;
      const SplatRows splats{args.parameters + block * args.block_floats + sub};
      const ProjectedGradient g = gather_gradients(args.gradients, next, lanes);
      math::Twist<FloatV> v = math::pose_gradient(view, args.antialias, FloatV(args.opacity_factor), args.sh_degree,
                                                  splats, g.gradient, g.visible);
      if (args.planes) {
        math::GeometryGradient<FloatV> plane = math::no_geometry_gradient<FloatV>();
        math::add_plane_gradient(view, args.facing, splats, g.v_plane, g.visible, plane);
        v = v + math::pose_gradient_of_plane(view, splats, plane, g.visible);
      }
      const FloatV values[6] = {v.translation.x, v.translation.y, v.translation.z,
                                v.rotation.x,    v.rotation.y,    v.rotation.z};
      for (int k = 0; k < 6; ++k) totals[k] = totals[k] + values[k];
    }
  }
  double out[6];
  for (int k = 0; k < 6; ++k) {
    alignas(64) float by_lane[kLanes];
    store(totals[k], by_lane);
    out[k] = 0;
    for (int lane = 0; lane < kLanes; ++lane) out[k] += double(by_lane[lane]);
  }
  sum = {{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
