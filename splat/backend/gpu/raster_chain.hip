// From the sums over pixels to the gradients by the arrays that the splats came from, one splat a thread: as
// update.hip, without the step; and by the camera, as pose.hip.
#include "splat/backend/gpu/raster_access.h"

namespace splat::gpu {
namespace {

using math::Vec3;

constexpr int kThreads = kCameraSplats;

SPLAT_DEVICE const float* row_of(const RasterChainArgs& args, size_t i) {
  return args.gradients + i * size_t(args.gradient_floats);
}

// By the projected splat; of three channels, which those of SH are.
SPLAT_DEVICE math::SplatGradient<float> screen_gradient(const RasterChainArgs& args, size_t i) {
  const float* const m = row_of(args, i);
  const SplatRecord r = args.records[i];
  const math::SplatMoments<float> moments{m[0], m[1], m[2], m[3], m[4], m[5], {m[6], m[7], m[8]}};
  const math::WeightForm<float> form{r.form_xx, r.form_xy, r.form_yy, r.log2_opacity};
  math::SplatGradient<float> g = math::moments_to_gradients(moments, math::conic_of(form), r.opacity);
  if (args.scene.sh && args.scene.clamp_sh)
    g.v_colour = math::colour_clamp_vjp(Vec3<float>{r.red, r.green, r.blue}, g.v_colour);
  if (args.v_means2d) g.v_mean_px = {args.v_means2d[2 * i], args.v_means2d[2 * i + 1]};
  return g;
}

struct Gradient {
  math::RasterGradient<float> splat;
  Vec3<float> v_colour, direction;  // of SH
  bool finite;
};
SPLAT_DEVICE Gradient gradient_of(const RasterChainArgs& args, size_t i) {
  const RasterScene& scene = args.scene;
  const math::RasterSplat<float> splat = load_splat(scene, i);
  const math::SplatGradient<float> screen = screen_gradient(args, i);
  Gradient out = {};
  out.v_colour = screen.v_colour;
  Vec3<float> v_direction{0, 0, 0};
  if (scene.sh) {
    out.direction = math::view_direction(splat.mean, scene.view.centre);
    v_direction = math::colour_of_vjp_by_mean(scene.view, scene.sh_degree, RasterColours(scene, i, splat.mean),
                                              out.direction, out.v_colour);
  }
  float v_z = scene.depth == DepthChannel::kNone ? 0.0f : row_of(args, i)[kRasterMoments + scene.channels];
  if (scene.depth == DepthChannel::kInverse) {
    const float inverse = math::rcp(math::camera_from_world(scene.view, splat.mean).z);
    v_z = -v_z * inverse * inverse;
  }
  out.splat = math::raster_gradient(scene.view, scene.rules, splat, screen, v_z, v_direction);
  out.finite = math::all_finite(out.splat);
  return out;
}

// Into rows of `floats`, or added to them.
template <int kFloats>
SPLAT_DEVICE void put(float* to, size_t i, const float (&values)[kFloats], bool keep, bool add) {
  if (!to) return;
  to += i * kFloats;
#pragma unroll
  for (int k = 0; k < kFloats; ++k) to[k] = math::zero_unless(keep, values[k]) + (add ? to[k] : 0.0f);
}

SPLAT_DEVICE void put_geometry(const RasterChainArgs& args, size_t i, const math::RasterGradient<float>& g, bool keep) {
  const math::Quat<float>& q = g.v_shape.quat;
  const Vec3<float> scale = args.scene.scale_modifier * g.v_shape.scale;
  const math::Sym3<float>& s = g.v_shape.covariance;
  put(args.v_means, i, {g.v_mean.x, g.v_mean.y, g.v_mean.z}, keep, args.add);
  put(args.v_quats, i, {q.w, q.x, q.y, q.z}, keep, args.add);
  put(args.v_scales, i, {scale.x, scale.y, scale.z}, keep, args.add);
  put(args.v_covariances, i, {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz}, keep, args.add);
  put(args.v_opacities, i, {g.v_opacity}, keep, args.add);
}

SPLAT_DEVICE void put_sh(const RasterChainArgs& args, size_t i, const Gradient& g, bool seen) {
  if (!args.v_sh) return;
  const int used = (args.scene.sh_degree + 1) * (args.scene.sh_degree + 1);
  float* const to = args.v_sh + 3 * size_t(args.scene.sh_coefficients) * i;
  float basis[math::kMaxCoefficients];
  math::sh_basis(args.scene.sh_degree, g.direction, basis);
#pragma unroll
  for (int k = 0; k < math::kMaxCoefficients; ++k)
    if (k < used) {
      const Vec3<float> v = basis[k] * g.v_colour;
      put(to, size_t(k), {v.x, v.y, v.z}, seen, args.add);
    }
  for (int k = used; k < args.scene.sh_coefficients && !args.add; ++k) to[3 * k] = to[3 * k + 1] = to[3 * k + 2] = 0;
}

// Given colours need no chain rule.
SPLAT_DEVICE void put_colours(const RasterChainArgs& args, size_t i, bool seen) {
  if (!args.v_colours) return;
  const float* const from = row_of(args, i) + kRasterMoments;
  float* const to = args.v_colours + i * size_t(args.scene.channels);
  for (int c = 0; c < args.scene.channels; ++c) to[c] = (seen ? from[c] : 0.0f) + (args.add_colours ? to[c] : 0.0f);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_chain_kernel(RasterChainArgs args) {
  const size_t splat = size_t(blockIdx.x) * kThreads + threadIdx.x;
  if (splat >= args.scene.splats) return;
  const bool seen = args.radii[splat] > 0;
  put_colours(args, splat, seen);
  Gradient g = {};
  if (seen) g = gradient_of(args, splat);
  put_sh(args, splat, g, seen);
  put_geometry(args, splat, g.splat, seen && g.finite);
}

struct ScreenArgs {
  RasterChainArgs chain;
  float* v_means2d;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_screen_kernel(ScreenArgs args) {
  const size_t splat = size_t(blockIdx.x) * kThreads + threadIdx.x;
  if (splat >= args.chain.scene.splats) return;
  math::Vec2<float> v{0, 0};
  if (args.chain.radii[splat] > 0) v = screen_gradient(args.chain, splat).v_mean_px;
  args.v_means2d[2 * splat] = v.x, args.v_means2d[2 * splat + 1] = v.y;
}

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_camera_kernel(RasterChainArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(float, sums, kCameraValues* kThreads / kWave);
    const size_t splat = size_t(blockIdx.x) * kThreads + threadIdx.x;
    math::CameraGradient<float> camera = {};
    if (splat < args.scene.splats && args.radii[splat] > 0) {
      const Gradient g = gradient_of(args, splat);
      if (g.finite) camera = g.splat.camera;
    }
    const Vec3<float>& t = camera.v_translation;
    const auto& m = camera.v_rotation.m;
    const float values[kCameraValues] = {m[0][0], m[0][1], m[0][2], t.x,     m[1][0], m[1][1],
                                         m[1][2], t.y,     m[2][0], m[2][1], m[2][2], t.z};
#pragma unroll
    for (int i = 0; i < kCameraValues; ++i) {
      const float total = wave_sum<kWave>(values[i]);
      if (threadIdx.x % kWave == 0) sums[kCameraValues * int(threadIdx.x / kWave) + i] = total;
    }
    __syncthreads();
    if (threadIdx.x >= kCameraValues) return;
    float total = 0;
    for (int w = 0; w < kThreads / kWave; ++w) total += sums[kCameraValues * w + int(threadIdx.x)];
    args.block_sums[size_t(blockIdx.x) * kCameraValues + threadIdx.x] = total;
  }
}

// A block a value.
template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) raster_camera_total_kernel(RasterChainArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(double, sums, kThreads / kWave);
    const size_t blocks = (size_t(args.scene.splats) + kCameraSplats - 1) / kCameraSplats;
    double total = 0;
    for (size_t block = threadIdx.x; block < blocks; block += kThreads)
      total += double(args.block_sums[block * kCameraValues + blockIdx.x]);
    total = wave_sum<kWave>(total);
    if (threadIdx.x % kWave == 0) sums[threadIdx.x / kWave] = total;
    __syncthreads();
    if (threadIdx.x != 0) return;
    double all = 0;
    for (int w = 0; w < kThreads / kWave; ++w) all += sums[w];
    args.v_camera[blockIdx.x] = float(all);
  }
}

dim3 grid_of(const RasterChainArgs& args) { return dim3(unsigned(raster_camera_blocks(args.scene.splats))); }

}  // namespace

void raster_screen_gradient(const RasterChainArgs& args, float* v_means2d, const Target& target) {
  launch("raster_screen", raster_screen_kernel, grid_of(args), kThreads, target.stream, ScreenArgs{args, v_means2d});
}
void raster_chain(const RasterChainArgs& args, const Target& target) {
  launch("raster_chain", raster_chain_kernel, grid_of(args), kThreads, target.stream, args);
}
void raster_camera(const RasterChainArgs& args, const Target& target) {
  const bool wide = target.wave == 64;
  launch("raster_camera", wide ? raster_camera_kernel<64> : raster_camera_kernel<32>, grid_of(args), kThreads,
         target.stream, args);
  launch("raster_camera_total", wide ? raster_camera_total_kernel<64> : raster_camera_total_kernel<32>,
         dim3(kCameraValues), kThreads, target.stream, args);
}

}  // namespace splat::gpu
