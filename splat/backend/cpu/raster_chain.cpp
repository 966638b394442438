// From the gradients by the projected splats to those by the arrays they came from: as update.cpp, without the step.
#include "splat/backend/cpu/raster_rows.h"
#include "splat/backend/cpu/splat_block.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

using math::Vec3;

// What kLanes splats have; 0 for what is not visible.
struct Gathered {
  math::SplatGradient<FloatV> screen;
  FloatV v_depth;
};

// The gradient rows of the set lanes begin at `rows`, one behind the other.
SPLAT_INLINE Gathered gather(const RasterChainArgs& args, const float* rows, size_t first, uint32_t lanes) {
  alignas(64) float staged[kLanes * 12] = {}, depth[kLanes] = {};
  const RasterScene& scene = args.scene;
  for (; lanes; lanes &= lanes - 1, rows += args.stride) {
    const int lane = __builtin_ctz(lanes);
    for (int k = 0; k < 12; ++k) staged[lane * 12 + k] = rows[k];
    if (args.v_means2d)
      for (int k = 0; k < 2; ++k) staged[lane * 12 + k] = args.v_means2d[2 * (first + size_t(lane)) + size_t(k)];
    if (scene.depth != DepthChannel::kNone) depth[lane] = rows[kRasterGeometryFloats + scene.channels];
  }
  FloatV a[4], b[4], c[4];
  load_transposed(staged, 12, a);
  load_transposed(staged + 4, 12, b);
  load_transposed(staged + 8, 12, c);
  return {{{a[0], a[1]}, {a[2], a[3], b[0]}, b[1], {b[2], b[3], c[0]}}, load(depth)};
}

// By the coefficients; returns what of the gradient by the mean comes through the direction.
SPLAT_INLINE Vec3<FloatV> sh_gradient(const RasterChainArgs& args, const math::ViewParams<FloatV>& view,
                                      const Vec3<FloatV>& mean, const Vec3<FloatV>& v_colour, MaskV seen, size_t first,
                                      int n) {
  const RasterScene& scene = args.scene;
  const RasterColours colours(scene, first, mean);
  const Vec3<FloatV> direction = math::view_direction(mean, view.centre);
  if (args.v_sh) {
    FloatV basis[math::kMaxCoefficients], v_sh[kMostRowFloats];
    math::sh_basis(scene.sh_degree, direction, basis);
    for (int k = 0; k < math::kMaxCoefficients; ++k) {
      const bool used = k < (scene.sh_degree + 1) * (scene.sh_degree + 1);
      const FloatV by = used ? zero_unless(seen, basis[k]) : FloatV(0);
      v_sh[3 * k] = by * v_colour.x, v_sh[3 * k + 1] = by * v_colour.y, v_sh[3 * k + 2] = by * v_colour.z;
    }
    store_rows(v_sh, 3 * scene.sh_coefficients, args.v_sh, first, n, args.add);
  }
  return math::colour_of_vjp_by_mean(view, scene.sh_degree, colours, direction, v_colour);
}

SPLAT_INLINE void store_geometry(const RasterChainArgs& args, const math::RasterGradient<FloatV>& g, MaskV keep,
                                 size_t first, int n) {
  const math::Quat<FloatV>& q = g.v_shape.quat;
  const Vec3<FloatV> scale = FloatV(args.scene.scale_modifier) * g.v_shape.scale;
  const math::Sym3<FloatV>& s = g.v_shape.covariance;
  const FloatV none(0);
  const auto kept = [&](FloatV v) SPLAT_LAMBDA { return zero_unless(keep, v); };
  FloatV mean[4] = {kept(g.v_mean.x), kept(g.v_mean.y), kept(g.v_mean.z), none};
  FloatV quat[4] = {kept(q.w), kept(q.x), kept(q.y), kept(q.z)};
  FloatV scales[4] = {kept(scale.x), kept(scale.y), kept(scale.z), none};
  FloatV covariance[8] = {kept(s.xx), kept(s.xy), kept(s.xz), kept(s.yy), kept(s.yz), kept(s.zz), none, none};
  FloatV opacity[4] = {kept(g.v_opacity), none, none, none};
  store_rows(mean, 3, args.v_means, first, n, args.add);
  store_rows(quat, 4, args.v_quats, first, n, args.add);
  store_rows(scales, 3, args.v_scales, first, n, args.add);
  store_rows(covariance, 6, args.v_covariances, first, n, args.add);
  store_rows(opacity, 1, args.v_opacities, first, n, args.add);
}

SPLAT_INLINE void add_camera(const math::CameraGradient<FloatV>& g, MaskV keep, FloatV* sums) {
  const Vec3<FloatV>& t = g.v_translation;
  const FloatV translation[3] = {t.x, t.y, t.z};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) sums[4 * r + c] += zero_unless(keep, g.v_rotation.m[r][c]);
    sums[4 * r + 3] += zero_unless(keep, translation[r]);
  }
}

template <class T>
SPLAT_INLINE void clear(T* to, size_t floats, size_t first, int n) {
  if (to)
    for (size_t i = first * floats; i < (first + size_t(n)) * floats; ++i) to[i] = 0;
}
SPLAT_INLINE void store_nothing(const RasterChainArgs& args, size_t first, int n) {
  if (args.add) return;
  clear(args.v_means, 3, first, n);
  clear(args.v_quats, 4, first, n);
  clear(args.v_scales, 3, first, n);
  clear(args.v_covariances, 6, first, n);
  clear(args.v_opacities, 1, first, n);
  clear(args.v_sh, 3 * size_t(args.scene.sh_coefficients), first, n);
}

// Given colours need no chain rule.
SPLAT_INLINE void store_colours(const RasterChainArgs& args, const float* rows, size_t first, int n, uint32_t lanes) {
  if (!args.v_colours) return;
  const size_t channels = size_t(args.scene.channels);
  for (int lane = 0; lane < n; ++lane) {
    float* to = args.v_colours + (first + size_t(lane)) * channels;
    const bool seen = lanes >> lane & 1;
    for (size_t c = 0; c < channels; ++c)
      to[c] = (seen ? rows[size_t(kRasterGeometryFloats) + c] : 0.0f) + (args.add_colours ? to[c] : 0.0f);
    if (seen) rows += args.stride;
  }
}

}  // namespace

void raster_chain(const RasterChainArgs& args, size_t chunk) {
  const RasterScene& scene = args.scene;
  const math::ViewParams<FloatV> view = broadcast(scene.view);
  const size_t begin = chunk * kChunkSplats;
  const size_t end = begin + kChunkSplats < scene.splats ? begin + kChunkSplats : scene.splats;
  const float* rows = args.gradients + begin * size_t(args.stride);
  FloatV camera[12];
  for (FloatV& sum : camera) sum = FloatV(0);
  for (size_t first = begin; first < end; first += kLanes) {
    const int n = end - first < size_t(kLanes) ? int(end - first) : kLanes;
    const uint32_t lanes =
        uint32_t(args.visible_bits[first / kBlockSplats]) >> (first % kBlockSplats) & ((1u << kLanes) - 1);
    prefetch_ahead(scene, first);
    prefetch_ahead(args.v_sh, first, scene.splats, 3 * size_t(scene.sh_coefficients));
    store_colours(args, rows, first, n, lanes);
    if (lanes == 0) {
      store_nothing(args, first, n);
      continue;
    }
    const Gathered v = gather(args, rows, first, lanes);
    rows += size_t(__builtin_popcount(lanes)) * size_t(args.stride);
    const MaskV seen = mask_from_bits(lanes);
    const math::RasterSplat<FloatV> splats = load_splats(scene, first);
    Vec3<FloatV> v_direction{FloatV(0), FloatV(0), FloatV(0)};
    if (scene.sh) v_direction = sh_gradient(args, view, splats.mean, v.screen.v_colour, seen, first, n);
    FloatV v_z = v.v_depth;
    if (scene.depth == DepthChannel::kInverse) {
      const FloatV inverse = rcp(math::camera_from_world(view, splats.mean).z);
      v_z = -v_z * inverse * inverse;
    }
    const math::RasterGradient<FloatV> g = math::raster_gradient(view, scene.rules, splats, v.screen, v_z, v_direction);
    const MaskV keep = seen & math::all_finite(g);
    store_geometry(args, g, keep, first, n);
    if (args.v_camera) add_camera(g.camera, keep, camera);
  }
  for (int k = 0; args.v_camera && k < 12; ++k) {
    alignas(64) float by_lane[kLanes];
    store(camera[k], by_lane);
    double total = 0;
    for (int lane = 0; lane < kLanes; ++lane) total += double(by_lane[lane]);
    args.v_camera[chunk][k] = total;
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
