#include "splat/backend/reference/reference_surface.h"

#include "splat/math/plane.h"

namespace splat::reference {
namespace {

using math::Vec3;

struct Grid {
  const math::ViewParams<double>& view;
  size_t width, height;

  Vec3<double> ray(size_t pixel) const {
    const size_t x = pixel % width, y = pixel / width;
    return {(double(x) + 0.5 - view.cx) / view.fx, (double(y) + 0.5 - view.cy) / view.fy, 1};
  }
  bool has_neighbours(size_t pixel) const {
    const size_t x = pixel % width, y = pixel / width;
    return x > 0 && y > 0 && x + 1 < width && y + 1 < height;
  }
};

}  // namespace

SurfaceLoss surface_loss(Picture planes, const math::ViewParams<double>& view, const SurfaceSettings& settings) {
  const size_t pixels = planes.colour.size();
  const Grid grid{view, size_t(planes.width), size_t(planes.height)};
  std::vector<double> depths(pixels), v_depths(pixels);
  for (size_t i = 0; i < pixels; ++i)
    depths[i] = math::inverse_depth(planes.colour[i], grid.ray(i), planes.final_transmittance[i]);
  SurfaceLoss out;
  out.v_planes.assign(pixels, {0, 0, 0});
  const double weight = double(settings.normal_weight) / double(pixels);
  const double half_fx = view.fx / 2, half_fy = view.fy / 2;
  for (size_t i = 0; i < pixels; ++i) {
    if (!grid.has_neighbours(i)) continue;
    const math::DepthStencil<double> s{depths[i], depths[i - 1], depths[i + 1], depths[i - grid.width],
                                       depths[i + grid.width]};
    if (!math::is_smooth(s)) continue;
    const Vec3<double> ray = grid.ray(i), seen = math::plane_of_depths(s, ray, half_fx, half_fy);
    out.value += weight * math::normal_difference(planes.colour[i], seen);
    out.v_planes[i] = math::normal_difference_vjp(planes.colour[i], seen, weight);
    const Vec3<double> v_seen = math::normal_difference_vjp(seen, planes.colour[i], weight);
    const double by_x = half_fx * (v_seen.x - ray.x * v_seen.z), by_y = half_fy * (v_seen.y - ray.y * v_seen.z);
    v_depths[i] += v_seen.z;
    v_depths[i + 1] += by_x, v_depths[i - 1] -= by_x;
    v_depths[i + grid.width] += by_y, v_depths[i - grid.width] -= by_y;
  }
  out.planes = planes;
  for (size_t i = 0; i < pixels; ++i) {
    if (!(depths[i] > 0)) continue;
    const auto p = math::inverse_depth_vjp(planes.colour[i], grid.ray(i), planes.final_transmittance[i], depths[i],
                                           v_depths[i], out.v_planes[i]);
    out.planes.colour[i] = p.plane;
    out.v_planes[i] = p.v_plane;
  }
  return out;
}

std::vector<Vec3<double>> add_plane_moments(const std::vector<ProjectedSplat>& planes, const SurfaceLoss& loss,
                                            std::vector<math::SplatGradient<double>>& v_splats) {
  const std::vector<math::SplatMoments<double>> moments = blend_moments(planes, loss.planes, loss.v_planes);
  std::vector<Vec3<double>> v_planes;
  for (size_t i = 0; i < planes.size(); ++i) {
    const auto g = math::moments_to_gradients(moments[i], math::conic_of(planes[i].weight), planes[i].opacity);
    math::SplatGradient<double>& sum = v_splats[i];
    sum.v_mean_px = {sum.v_mean_px.x + g.v_mean_px.x, sum.v_mean_px.y + g.v_mean_px.y};
    sum.v_conic = {sum.v_conic.xx + g.v_conic.xx, sum.v_conic.xy + g.v_conic.xy, sum.v_conic.yy + g.v_conic.yy};
    sum.v_opacity += g.v_opacity;
    v_planes.push_back(g.v_colour);
  }
  return v_planes;
}

}  // namespace splat::reference
