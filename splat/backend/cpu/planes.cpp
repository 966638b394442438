// Splats as planes (math/plane.h): those of one chunk's visible splats, and by rows of the blended picture of them what
// makes them a surface, with its gradient. Rows of depths and of gradients between neighbours have room beside them.
#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/splat_block.h"
#include "splat/math/distortion.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

struct Row {
  const SurfaceArgs& args;
  int y;
  size_t first;  // pixel of the planes

  SPLAT_INLINE Row(const SurfaceArgs& a, int row) : args(a), y(row), first(size_t(row) * size_t(a.size.stride())) {}
  SPLAT_INLINE Vec3<FloatV> ray(int x) const {
    const FloatV column = lane_numbers() + FloatV(float(x) + 0.5f);
    return {(column - FloatV(args.cx)) * FloatV(1 / args.fx), FloatV((float(y) + 0.5f - args.cy) / args.fy), FloatV(1)};
  }
  SPLAT_INLINE Vec3<FloatV> plane(const float* planes, int x) const {
    const float* p = planes + first + x;
    return {load(p), load(p + args.size.plane()), load(p + 2 * args.size.plane())};
  }
  SPLAT_INLINE void put(const Vec3<FloatV>& v, MaskV counts, int x, float* planes) const {
    float* p = planes + first + x;
    store(zero_unless(counts, v.x), p);
    store(zero_unless(counts, v.y), p + args.size.plane());
    store(zero_unless(counts, v.z), p + 2 * args.size.plane());
  }
  SPLAT_INLINE FloatV transmittance(int x) const { return load(args.transmittance + first + x); }
};

}  // namespace

void planes(const PlaneArgs& args, size_t chunk) {
  const math::ViewParams<FloatV> view = broadcast(args.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < args.splats ? begin + kChunkSplats : args.splats;
  float* out = args.planes + begin * kPlaneFloats;
  for (size_t first = begin; first < end; first += kBlockSplats) {
    const uint32_t block_bits = args.visible_bits[first / kBlockSplats];
    for (int sub = 0; sub < kBlockSplats; sub += kLanes) {
      uint32_t lanes = block_bits >> sub & ((1u << kLanes) - 1);
      if (lanes == 0) continue;
      const SplatRows rows{args.parameters + first / kBlockSplats * args.block_floats + sub};
      const Vec3<FloatV> q = args.facing ? math::facing_plane(view, rows.mean())
                                         : math::plane_of(view, rows.mean(), rows.quat(), rows.scale());
      FloatV group[kPlaneFloats] = {q.x, q.y, q.z, FloatV(0)};
      alignas(64) float staged[kLanes * kPlaneFloats];
      store_transposed(group, staged, kPlaneFloats);
      for (; lanes; lanes &= lanes - 1, out += kPlaneFloats)
        __builtin_memcpy(out, staged + __builtin_ctz(lanes) * kPlaneFloats, kPlaneFloats * sizeof(float));
    }
  }
}

void inverse_depths(const SurfaceArgs& args, int y) {
  const Row row(args, y);
  for (int x = 0; x < args.size.stride(); x += kLanes)
    store(math::inverse_depth(row.plane(args.planes, x), row.ray(x), row.transmittance(x)),
          args.depths + row.first + x);
}

void surface_terms(const SurfaceArgs& args, int y) {
  const Row row(args, y);
  const int stride = args.size.stride();
  const FloatV half_fx(args.fx / 2), half_fy(args.fy / 2), weight(args.normal_weight);
  for (int x = 0; x < stride; x += kLanes) {
    const float* depth = args.depths + row.first + x;
    const FloatV none(0);
    const math::DepthStencil<FloatV> s{load(depth), load_unaligned(depth - 1), load_unaligned(depth + 1),
                                       y > 0 ? load(depth - stride) : none,
                                       y + 1 < args.size.height ? load(depth + stride) : none};
    const FloatV column = lane_numbers() + FloatV(x);
    const MaskV counts = math::is_smooth(s) & (column >= FloatV(1)) & (column < FloatV(args.size.width - 1));
    const Vec3<FloatV> ray = row.ray(x), drawn = row.plane(args.planes, x);
    const Vec3<FloatV> seen = math::plane_of_depths(s, ray, half_fx, half_fy);
    const Vec3<FloatV> v_seen = math::normal_difference_vjp(seen, drawn, weight);
    row.put(math::normal_difference_vjp(drawn, seen, weight), counts, x, args.v_planes);
    store(zero_unless(counts, v_seen.z), args.by_here + row.first + x);
    store(zero_unless(counts, half_fx * (v_seen.x - ray.x * v_seen.z)), args.by_x + row.first + x);
    store(zero_unless(counts, half_fy * (v_seen.y - ray.y * v_seen.z)), args.by_y + row.first + x);
  }
}

void surface_gradient(const SurfaceArgs& args, int y) {
  const Row row(args, y);
  const int stride = args.size.stride();
  for (int x = 0; x < stride; x += kLanes) {
    const float *by_x = args.by_x + row.first + x, *by_y = args.by_y + row.first + x;
    FloatV v = load(args.by_here + row.first + x) + load_unaligned(by_x - 1) - load_unaligned(by_x + 1);
    if (y > 0) v += load(by_y - stride);
    if (y + 1 < args.size.height) v -= load(by_y + stride);
    const FloatV depth = load(args.depths + row.first + x);
    if (args.priors) v += math::prior_vjp(depth, load(args.priors + row.first + x), FloatV(args.depth_weight));
    const math::PlanePixel<FloatV> p = math::inverse_depth_vjp(
        row.plane(args.planes, x), row.ray(x), row.transmittance(x), depth, v, row.plane(args.v_planes, x));
    const MaskV counts = depth > FloatV(0);
    row.put(p.v_plane, counts, x, args.v_planes);
    row.put(p.plane, counts, x, args.planes);
    if (!args.distortion_sums) continue;
    float *origin = args.distortion_sums + row.first + x, *sum = origin + args.size.plane();
    const math::Distortion<FloatV> d =
        math::scaled(math::distortion<FloatV>({load(origin), load(sum)}, FloatV(1) - row.transmittance(x), depth),
                     FloatV(args.distortion_weight));
    store(zero_unless(counts, d.by_weight), origin);
    store(zero_unless(counts, d.by_offset), sum);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
