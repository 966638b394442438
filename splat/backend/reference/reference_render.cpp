#include "splat/backend/reference/reference_render.h"

#include <algorithm>
#include <cmath>

#include "splat/math/activation.h"
#include "splat/math/blend.h"
#include "splat/math/sh.h"
#include "splat/math/tile_bounds.h"

namespace splat::reference {
namespace {

using math::Quat;
using math::Vec2;
using math::Vec3;

Vec3<double> vec3_at(const std::vector<double>& values, size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}
void set_vec3(std::vector<double>& values, size_t i, const Vec3<double>& v) {
  values[3 * i] = v.x, values[3 * i + 1] = v.y, values[3 * i + 2] = v.z;
}
Quat<double> quat_at(const Model& model, size_t i) {
  const double* q = &model.quats[4 * i];
  return {q[0], q[1], q[2], q[3]};
}
Vec3<double> scale_at(const Model& model, size_t i) {
  const Vec3<double> log_scale = vec3_at(model.log_scales, i);
  return {std::exp(log_scale.x), std::exp(log_scale.y), std::exp(log_scale.z)};
}
Vec3<double> sh_at(const Model& model, size_t i, int k) {
  return vec3_at(model.sh, i * size_t(model.coefficients()) + size_t(k));
}

// Coefficients that take part in the colour.
int active_degree(const Model& model, const RenderSettings& settings) {
  return std::clamp(settings.sh_degree, 0, model.sh_degree);
}

Vec3<double> colour_of(const Model& model, size_t i, const Vec3<double>& camera_centre, int degree) {
  double basis[kMaxShCoefficients];
  math::sh_basis(degree, math::view_direction(vec3_at(model.means, i), camera_centre), basis);
  return math::sh_colour(sh_coefficients(degree), basis, [&](int k, int channel) {
    return model.sh[3 * (i * size_t(model.coefficients()) + size_t(k)) + size_t(channel)];
  });
}

bool is_visible(const ProjectedSplat& splat, const math::ViewParams<double>& view) {
  const math::Projection<double>& p = splat.projection;
  if (!p.valid || !(splat.effective_opacity >= math::kAlphaMin)) return false;
  for (double channel : {splat.colour.x, splat.colour.y, splat.colour.z})
    if (!math::is_finite(channel)) return false;
  const double threshold = math::threshold_power(splat.effective_opacity);
  const auto ellipse = math::make_ellipse(threshold, p.covariance, p.determinant, p.conic);
  return math::overlaps_image(p.mean_px, ellipse.half_x, ellipse.half_y, view.width, view.height);
}

Vec3<double> background_of(const RenderSettings& settings) {
  return {settings.background[0], settings.background[1], settings.background[2]};
}

}  // namespace

Vec2<double> offset_px(const ProjectedSplat& splat, size_t pixel, int width) {
  const size_t row = pixel / size_t(width), column = pixel % size_t(width);
  return {double(column) + 0.5 - splat.projection.mean_px.x, double(row) + 0.5 - splat.projection.mean_px.y};
}

math::GaussianWeight<double> weight_at(const ProjectedSplat& splat, const Vec2<double>& offset) {
  return math::gaussian_weight(offset, splat.weight);
}

std::vector<ProjectedSplat> project_visible(const Model& model, const math::ViewParams<double>& view,
                                            const RenderSettings& settings) {
  std::vector<ProjectedSplat> splats;
  for (size_t i = 0; i < model.size(); ++i) {
    ProjectedSplat splat;
    splat.index = i;
    splat.projection = math::project(view, vec3_at(model.means, i), quat_at(model, i), scale_at(model, i));
    splat.opacity = math::sigmoid(model.logit_opacities[i]);
    splat.effective_opacity = splat.opacity * (settings.antialias ? splat.projection.compensation : 1.0);
    splat.weight = math::weight_form(splat.projection.conic, splat.effective_opacity);
    splat.colour = colour_of(model, i, view.centre, active_degree(model, settings));
    if (is_visible(splat, view)) splats.push_back(splat);
  }
  std::stable_sort(splats.begin(), splats.end(), [](const ProjectedSplat& a, const ProjectedSplat& b) {
    return a.projection.depth < b.projection.depth;
  });
  return splats;
}

Picture blend(const std::vector<ProjectedSplat>& splats, const View& view, const RenderSettings& settings) {
  Picture picture;
  picture.width = view.camera.width, picture.height = view.camera.height;
  const size_t pixels = size_t(picture.width) * size_t(picture.height);
  picture.colour.resize(pixels);
  picture.final_transmittance.resize(pixels);
  for (size_t pixel = 0; pixel < pixels; ++pixel) {
    double transmittance = 1;
    Vec3<double> colour{0, 0, 0};
    for (const ProjectedSplat& splat : splats) {
      if (!math::is_live(transmittance)) break;
      const double alpha = weight_at(splat, offset_px(splat, pixel, picture.width)).alpha;
      colour = colour + math::blend_step(transmittance, alpha) * splat.colour;
    }
    const double final_t = math::final_transmittance(transmittance);
    picture.colour[pixel] = colour + final_t * background_of(settings);
    picture.final_transmittance[pixel] = final_t;
  }
  return picture;
}

BlendGradients blend_vjp(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                         const std::vector<Vec3<double>>& v_image) {
  std::vector<math::SplatMoments<double>> moments(splats.size(), math::zero_moments<double>());
  BlendGradients out;
  out.v_background = {0, 0, 0};
  for (size_t pixel = 0; pixel < v_image.size(); ++pixel) {
    const Vec3<double>& v_pixel = v_image[pixel];
    out.v_background = out.v_background + picture.final_transmittance[pixel] * v_pixel;
    double transmittance = 1, behind = math::dot(v_pixel, picture.colour[pixel]);
    for (size_t i = 0; i < splats.size() && math::is_live(transmittance); ++i) {
      const Vec2<double> d = offset_px(splats[i], pixel, picture.width);
      const auto weight = weight_at(splats[i], d);
      const auto step = math::blend_step_vjp(transmittance, behind, weight.alpha, math::alpha_odds(weight.alpha),
                                             weight.unclamped, math::dot(splats[i].colour, v_pixel));
      math::add_moments(moments[i], math::offset_products(d), step.w, step.weight, v_pixel);
    }
  }
  for (size_t i = 0; i < splats.size(); ++i)
    out.splats.push_back(
        math::moments_to_gradients(moments[i], splats[i].projection.conic, splats[i].effective_opacity));
  return out;
}

Model project_visible_vjp(const Model& model, const math::ViewParams<double>& view, const RenderSettings& settings,
                          const std::vector<ProjectedSplat>& splats,
                          const std::vector<math::SplatGradient<double>>& v_splats) {
  Model v_model = zeros_like(model);
  const int degree = active_degree(model, settings), stored = model.coefficients();
  for (size_t s = 0; s < splats.size(); ++s) {
    const ProjectedSplat& splat = splats[s];
    const math::SplatGradient<double>& v = v_splats[s];
    const size_t i = splat.index;
    const double compensation = settings.antialias ? splat.projection.compensation : 1.0;
    v_model.logit_opacities[i] = math::sigmoid_vjp(splat.opacity, v.v_opacity * compensation);

    const Vec3<double> mean = vec3_at(model.means, i), direction = math::view_direction(mean, view.centre);
    const Vec3<double> v_raw = math::colour_clamp_vjp(splat.colour, v.v_colour);
    double basis[kMaxShCoefficients], v_basis[kMaxShCoefficients];
    math::sh_basis(degree, direction, basis);
    for (int k = 0; k < sh_coefficients(degree); ++k) {
      v_basis[k] = math::dot(sh_at(model, i, k), v_raw);
      set_vec3(v_model.sh, i * size_t(stored) + size_t(k), basis[k] * v_raw);
    }
    const Vec3<double> v_direction = math::sh_basis_vjp(degree, direction, v_basis);

    const auto g = math::project_vjp(view, mean, quat_at(model, i), scale_at(model, i), v.v_mean_px, v.v_conic,
                                     settings.antialias ? v.v_opacity * splat.opacity : 0.0);
    set_vec3(v_model.means, i, g.v_mean + math::view_direction_vjp(mean, view.centre, v_direction));
    set_vec3(v_model.log_scales, i, g.v_log_scale);
    const double v_quat[4] = {g.v_quat.w, g.v_quat.x, g.v_quat.y, g.v_quat.z};
    std::copy_n(v_quat, 4, v_model.quats.begin() + std::ptrdiff_t(4 * i));
  }
  return v_model;
}

}  // namespace splat::reference
