// Splats as planes (math/plane.h): those of the visible splats in the place of their colours, and from the picture of
// them what makes them a surface, with its gradient, one splat or one pixel a thread.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"
#include "splat/math/distortion.h"

namespace splat::gpu {
namespace {

using math::Vec3;

constexpr int kThreads = 128;

SPLAT_DEVICE void swap(float& a, float& b) {
  const float kept = a;
  a = b;
  b = kept;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) planes_kernel(PlaneArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || !(args.radii[splat] > 0)) return;
  const SplatRows rows = SplatRows::of(args.parameters, args.block_floats, splat);
  const Vec3<float> q = args.facing ? math::facing_plane(args.view, rows.mean())
                                    : math::plane_of(args.view, rows.mean(), rows.quat(), rows.scale());
  float* plane = args.planes + size_t(splat) * 3;
  plane[0] = q.x, plane[1] = q.y, plane[2] = q.z;
  float* gradient = args.gradients + size_t(splat) * kGradientFloats + kPlaneSlot;
  gradient[0] = gradient[1] = gradient[2] = 0;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) swap_kernel(PlaneArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || !(args.radii[splat] > 0)) return;
  float* plane = args.planes + size_t(splat) * 3;
  SplatRecord& r = args.records[splat];
  swap(r.red, plane[0]), swap(r.green, plane[1]), swap(r.blue, plane[2]);
}

// From the gradient by the plane to those by mean and quaternion, in its place.
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) plane_gradients_kernel(PlaneArgs args) {
  const uint32_t splat = blockIdx.x * kThreads + threadIdx.x;
  if (splat >= args.splats || !(args.radii[splat] > 0)) return;
  const SplatRows rows = SplatRows::of(args.parameters, args.block_floats, splat);
  float* p = args.gradients + size_t(splat) * kGradientFloats + kPlaneSlot;
  math::GeometryGradient<float> g = math::no_geometry_gradient<float>();
  math::add_plane_gradient(args.view, args.facing, rows, Vec3<float>{p[0], p[1], p[2]}, true, g);
  p[0] = g.v_mean.x, p[1] = g.v_mean.y, p[2] = g.v_mean.z;
  p[3] = g.v_quat.w, p[4] = g.v_quat.x, p[5] = g.v_quat.y, p[6] = g.v_quat.z;
}

// One pixel; what lies beside the picture has no depth.
struct Place {
  const SurfaceArgs& args;
  int x, y;
  size_t at, plane;

  SPLAT_DEVICE explicit Place(const SurfaceArgs& a)
      : args(a),
        x(int(blockIdx.x * kThreads + threadIdx.x)),
        y(int(blockIdx.y)),
        at(size_t(y) * size_t(a.size.width) + size_t(x)),
        plane(a.size.pixels()) {}
  SPLAT_DEVICE bool inside() const { return x < args.size.width; }
  SPLAT_DEVICE Vec3<float> ray() const {
    const auto& view = args.view;
    return {(float(x) + 0.5f - view.cx) / view.fx, (float(y) + 0.5f - view.cy) / view.fy, 1};
  }
  SPLAT_DEVICE Vec3<float> load(const float* planes) const {
    return {planes[at], planes[plane + at], planes[2 * plane + at]};
  }
  SPLAT_DEVICE void store(const Vec3<float>& v, float* planes) const {
    planes[at] = v.x, planes[plane + at] = v.y, planes[2 * plane + at] = v.z;
  }
  SPLAT_DEVICE float beside(const float* values, int dx, int dy) const {
    const bool there = x + dx >= 0 && y + dy >= 0 && x + dx < args.size.width && y + dy < args.size.height;
    return there ? values[size_t(y + dy) * size_t(args.size.width) + size_t(x + dx)] : 0.0f;
  }
};

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) inverse_depths_kernel(SurfaceArgs args) {
  const Place p(args);
  if (p.inside()) args.depths[p.at] = math::inverse_depth(p.load(args.planes), p.ray(), args.transmittance[p.at]);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) surface_terms_kernel(SurfaceArgs args) {
  const Place p(args);
  if (!p.inside()) return;
  const math::DepthStencil<float> s{args.depths[p.at], p.beside(args.depths, -1, 0), p.beside(args.depths, 1, 0),
                                    p.beside(args.depths, 0, -1), p.beside(args.depths, 0, 1)};
  Vec3<float> v{0, 0, 0}, v_seen{0, 0, 0};
  const Vec3<float> ray = p.ray();
  const float half_fx = args.view.fx / 2, half_fy = args.view.fy / 2;
  if (math::is_smooth(s)) {
    const Vec3<float> drawn = p.load(args.planes), seen = math::plane_of_depths(s, ray, half_fx, half_fy);
    v = math::normal_difference_vjp(drawn, seen, args.normal_weight);
    v_seen = math::normal_difference_vjp(seen, drawn, args.normal_weight);
  }
  p.store(v, args.v_planes);
  const Vec3<float> by{half_fx * (v_seen.x - ray.x * v_seen.z), half_fy * (v_seen.y - ray.y * v_seen.z), v_seen.z};
  p.store(by, args.by_depths);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) surface_gradient_kernel(SurfaceArgs args) {
  const Place p(args);
  if (!p.inside()) return;
  const float depth = args.depths[p.at];
  const float *by_x = args.by_depths, *by_y = by_x + p.plane;
  float v = by_y[p.plane + p.at] + p.beside(by_x, -1, 0) - p.beside(by_x, 1, 0) + p.beside(by_y, 0, -1) -
            p.beside(by_y, 0, 1);
  if (args.prior)
    v += math::prior_vjp(
        depth,
        math::prior_inverse_depth(float(args.prior[p.at]), args.prior_is_depth, args.prior_scale, args.prior_shift),
        args.depth_weight);
  math::PlanePixel<float> pixel = {{0, 0, 0}, {0, 0, 0}};
  if (depth > 0)
    pixel = math::inverse_depth_vjp(p.load(args.planes), p.ray(), args.transmittance[p.at], depth, v,
                                    p.load(args.v_planes));
  p.store(pixel.v_plane, args.v_planes);
  p.store(pixel.plane, args.planes);
  if (!args.distortion_sums) return;
  float &origin = args.distortion_sums[p.at], &sum = args.distortion_sums[p.plane + p.at];
  const math::DepthSquares<float> squares = {origin, sum};
  const math::Distortion<float> d =
      math::scaled(math::distortion(squares, 1 - args.transmittance[p.at], depth), args.distortion_weight);
  origin = math::zero_unless(depth > 0, d.by_weight), sum = math::zero_unless(depth > 0, d.by_offset);
}

dim3 grid_of(uint32_t splats) { return dim3((splats + kThreads - 1) / kThreads); }

}  // namespace

void planes(const PlaneArgs& args, const Target& target) {
  launch("planes", planes_kernel, grid_of(args.splats), kThreads, target.stream, args);
}
void swap_colours(const PlaneArgs& args, const Target& target) {
  launch("swap_colours", swap_kernel, grid_of(args.splats), kThreads, target.stream, args);
}
void plane_gradients(const PlaneArgs& args, const Target& target) {
  launch("plane_gradients", plane_gradients_kernel, grid_of(args.splats), kThreads, target.stream, args);
}
void surface_loss(const SurfaceArgs& args, const Target& target) {
  const dim3 grid(unsigned((args.size.width + kThreads - 1) / kThreads), unsigned(args.size.height));
  launch("inverse_depths", inverse_depths_kernel, grid, kThreads, target.stream, args);
  launch("surface_terms", surface_terms_kernel, grid, kThreads, target.stream, args);
  launch("surface_gradient", surface_gradient_kernel, grid, kThreads, target.stream, args);
}

}  // namespace splat::gpu
