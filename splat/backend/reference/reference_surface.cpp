#include "splat/backend/reference/reference_surface.h"

#include "splat/core/check.h"
#include "splat/math/blend.h"
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

// Normals against those of the depths: adds to the loss, to v_planes and to the gradients by the depths.
void add_normals(const Grid& grid, const Picture& picture, double weight, SurfaceLoss& out,
                 std::vector<double>& v_depths) {
  const double half_fx = grid.view.fx / 2, half_fy = grid.view.fy / 2;
  const std::vector<double>& depths = out.depths;
  for (size_t i = 0; i < depths.size(); ++i) {
    if (!grid.has_neighbours(i)) continue;
    const math::DepthStencil<double> s{depths[i], depths[i - 1], depths[i + 1], depths[i - grid.width],
                                       depths[i + grid.width]};
    if (!math::is_smooth(s)) continue;
    const Vec3<double> ray = out.rays[i], seen = math::plane_of_depths(s, ray, half_fx, half_fy);
    out.value += weight * math::normal_difference(picture.colour[i], seen);
    out.v_planes[i] = math::normal_difference_vjp(picture.colour[i], seen, weight);
    const Vec3<double> v_seen = math::normal_difference_vjp(seen, picture.colour[i], weight);
    const double by_x = half_fx * (v_seen.x - ray.x * v_seen.z), by_y = half_fy * (v_seen.y - ray.y * v_seen.z);
    v_depths[i] += v_seen.z;
    v_depths[i + 1] += by_x, v_depths[i - 1] -= by_x;
    v_depths[i + grid.width] += by_y, v_depths[i - grid.width] -= by_y;
  }
}

void add_distortion(const std::vector<ProjectedSplat>& splats, double weight, SurfaceLoss& out) {
  for (size_t i = 0; i < out.depths.size(); ++i) {
    if (!(out.depths[i] > 0)) continue;
    math::DepthSquares<double> squares{0, 0};
    double transmittance = 1;
    for (size_t k = 0; k < splats.size() && math::is_live(transmittance); ++k) {
      const double before = transmittance;
      const double alpha = weight_at(splats[k], offset_px(splats[k], i, out.planes.width)).alpha;
      const double w = math::blend_step(transmittance, alpha);
      math::add_depth_square(squares, before, w, math::dot(splats[k].colour, out.rays[i]));
    }
    const double drawn = 1 - out.planes.final_transmittance[i];
    out.distortions[i] = math::scaled(math::distortion(squares, drawn, out.depths[i]), weight);
    out.value += out.distortions[i].value;
  }
}

void add_prior(const DepthPrior& prior, double weight, SurfaceLoss& out, std::vector<double>& v_depths) {
  SPLAT_CHECK_EQ(prior.values.size(), out.depths.size());
  for (size_t i = 0; i < out.depths.size(); ++i) {
    const double known =
        math::prior_inverse_depth(double(prior.values[i]), prior.is_depth, double(prior.scale), double(prior.shift));
    const double v = math::prior_vjp(out.depths[i], known, weight);
    out.value += v * (out.depths[i] - known);
    v_depths[i] += v;
  }
}

// As math::SplatMoments of the colours, with their gradients those by the planes.
std::vector<math::SplatMoments<double>> plane_moments(const std::vector<ProjectedSplat>& splats,
                                                      const SurfaceLoss& loss) {
  std::vector<math::SplatMoments<double>> moments(splats.size(), math::zero_moments<double>());
  for (size_t pixel = 0; pixel < loss.v_planes.size(); ++pixel) {
    const Vec3<double>&v_pixel = loss.v_planes[pixel], &ray = loss.rays[pixel];
    double transmittance = 1;
    double behind = math::dot(v_pixel, loss.planes.colour[pixel]) + 2 * loss.distortions[pixel].value;
    for (size_t i = 0; i < splats.size() && math::is_live(transmittance); ++i) {
      const math::Vec2<double> d = offset_px(splats[i], pixel, loss.planes.width);
      const auto weight = weight_at(splats[i], d);
      const auto apart =
          math::distortion_vjp(loss.distortions[pixel], loss.depths[pixel], math::dot(splats[i].colour, ray));
      const auto step = math::blend_step_vjp(transmittance, behind, weight.alpha, math::alpha_odds(weight.alpha),
                                             weight.unclamped, math::dot(splats[i].colour, v_pixel) + apart.by_w);
      math::add_moments(moments[i], math::offset_products(d), step.w, step.weight, v_pixel + apart.by_m * ray);
    }
  }
  return moments;
}

}  // namespace

SurfaceLoss surface_loss(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                         const math::ViewParams<double>& view, const SurfaceSettings& settings) {
  const size_t pixels = picture.colour.size();
  const Grid grid{view, size_t(picture.width), size_t(picture.height)};
  SurfaceLoss out;
  for (size_t i = 0; i < pixels; ++i) {
    out.rays.push_back(grid.ray(i));
    out.depths.push_back(math::inverse_depth(picture.colour[i], out.rays[i], picture.final_transmittance[i]));
  }
  out.v_planes.assign(pixels, {0, 0, 0});
  out.distortions.assign(pixels, {0, 0, 0});
  out.planes = picture;
  out.facing = settings.facing;
  std::vector<double> v_depths(pixels);
  if (settings.normal_weight != 0)
    add_normals(grid, picture, double(settings.normal_weight) / double(pixels), out, v_depths);
  if (settings.distortion_weight != 0) add_distortion(splats, double(settings.distortion_weight) / double(pixels), out);
  if (!settings.depth.values.empty())
    add_prior(settings.depth, double(settings.depth_weight) / double(pixels), out, v_depths);
  for (size_t i = 0; i < pixels; ++i) {
    if (!(out.depths[i] > 0)) continue;
    const auto p = math::inverse_depth_vjp(picture.colour[i], out.rays[i], picture.final_transmittance[i],
                                           out.depths[i], v_depths[i], out.v_planes[i]);
    out.planes.colour[i] = p.plane;
    out.v_planes[i] = p.v_plane;
  }
  return out;
}

std::vector<Vec3<double>> add_plane_moments(const std::vector<ProjectedSplat>& planes, const SurfaceLoss& loss,
                                            std::vector<math::SplatGradient<double>>& v_splats) {
  const std::vector<math::SplatMoments<double>> moments = plane_moments(planes, loss);
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
