#include "splat/backend/reference/reference_render.h"

#include <algorithm>
#include <cmath>

#include "splat/math/blend.h"
#include "splat/math/parameter_chain.h"

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

// One splat as math/parameter_chain.h reads it.
struct SplatOf {
  const Model& model;
  size_t i;

  Vec3<double> mean() const { return vec3_at(model.means, i); }
  Vec3<double> scale() const {
    const Vec3<double> log_scale = vec3_at(model.log_scales, i);
    return {std::exp(log_scale.x), std::exp(log_scale.y), std::exp(log_scale.z)};
  }
  Quat<double> quat() const { return quat_at(model, i); }
  double opacity() const { return math::sigmoid(model.logit_opacities[i]); }
  Vec3<double> sh(int k) const { return vec3_at(model.sh, i * size_t(model.coefficients()) + size_t(k)); }
};

// Coefficients that take part in the colour.
int active_degree(const Model& model, const RenderSettings& settings) {
  return std::clamp(settings.sh_degree, 0, model.sh_degree);
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

std::vector<ProjectedSplat> as_planes(const Model& model, const math::ViewParams<double>& view, bool facing,
                                      std::vector<ProjectedSplat> splats) {
  for (ProjectedSplat& splat : splats) {
    const SplatOf s{model, splat.index};
    splat.colour = facing ? math::facing_plane(view, s.mean()) : math::plane_of(view, s.mean(), s.quat(), s.scale());
  }
  return splats;
}

void add_plane_gradients(const Model& model, const math::ViewParams<double>& view, bool facing,
                         const std::vector<ProjectedSplat>& splats, const std::vector<Vec3<double>>& v_planes,
                         Model& v_model, math::Twist<double>& v_pose) {
  for (size_t s = 0; s < splats.size(); ++s) {
    const size_t i = splats[s].index;
    math::GeometryGradient<double> g = math::no_geometry_gradient<double>();
    math::add_plane_gradient(view, facing, SplatOf{model, i}, v_planes[s], true, g);
    v_pose = v_pose + math::pose_gradient_of_plane(view, SplatOf{model, i}, g, true);
    set_vec3(v_model.means, i, vec3_at(v_model.means, i) + g.v_mean);
    const double v_quat[4] = {g.v_quat.w, g.v_quat.x, g.v_quat.y, g.v_quat.z};
    for (size_t k = 0; k < 4; ++k) v_model.quats[4 * i + k] += v_quat[k];
  }
}

std::vector<ProjectedSplat> project_visible(const Model& model, const math::ViewParams<double>& view,
                                            const RenderSettings& settings, const KeptLooks& looks) {
  std::vector<ProjectedSplat> splats;
  for (size_t i = 0; i < model.size(); ++i) {
    if (!math::is_drawn(settings.dropout, uint32_t(i)) || looks.of(i) & math::kNotDrawn) continue;
    const math::Footprint<double> f =
        math::footprint(view, settings.antialias, double(math::dropout_factor(settings.dropout)), SplatOf{model, i});
    ProjectedSplat splat;
    splat.index = i;
    splat.projection = f.projection;
    splat.opacity = f.opacity;
    splat.weight = math::weight_form(f.projection.conic, f.opacity);
    const math::Tint tint =
        looks.of(i) & math::kTinted ? looks.tints().of[math::tint_number(looks.of(i))] : math::Tint();
    const Vec3<double> colour = math::unclamped_colour_of(view, active_degree(model, settings), SplatOf{model, i});
    splat.colour = math::clamp_colour(math::tinted({tint.red, tint.green, tint.blue}, double(tint.share), colour));
    if (f.in_view && math::all_finite(splat.colour)) splats.push_back(splat);
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

Contributions contributions(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                            const ContributionSettings& settings, size_t rows) {
  std::vector<double> sums(rows);
  Contributions out{std::vector<float>(rows), {}, std::vector<uint32_t>(rows)};
  for (size_t pixel = 0; pixel < picture.colour.size(); ++pixel) {
    if (!settings.mask.empty() && settings.mask[pixel] == 0) continue;
    double transmittance = 1;
    for (const ProjectedSplat& splat : splats) {
      if (!math::is_live(transmittance)) break;
      const double weight =
          math::blend_step(transmittance, weight_at(splat, offset_px(splat, pixel, picture.width)).alpha);
      sums[splat.index] += weight;
      out.max_weight[splat.index] = std::max(out.max_weight[splat.index], float(weight));
      out.pixel_count[splat.index] += weight > 0 && weight >= double(settings.min_weight);
    }
  }
  out.weight_sum.assign(sums.begin(), sums.end());
  return out;
}

std::vector<PixelDepth> depths(const std::vector<ProjectedSplat>& splats, const Picture& picture) {
  std::vector<PixelDepth> out(picture.colour.size());
  for (size_t pixel = 0; pixel < out.size(); ++pixel) {
    double transmittance = 1;
    for (const ProjectedSplat& splat : splats) {
      if (!math::is_live(transmittance)) break;
      const double weight =
          math::blend_step(transmittance, weight_at(splat, offset_px(splat, pixel, picture.width)).alpha);
      const double depth = splat.projection.depth;
      PixelDepth& p = out[pixel];
      p.weight += weight, p.weight_depth += weight * depth, p.weight_depth2 += weight * depth * depth;
      if (p.median == 0 && math::passes_median(transmittance)) p.median = depth;
    }
  }
  return out;
}

namespace {

std::vector<math::SplatMoments<double>> blend_moments(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                                                      const std::vector<Vec3<double>>& v_image) {
  std::vector<math::SplatMoments<double>> moments(splats.size(), math::zero_moments<double>());
  for (size_t pixel = 0; pixel < v_image.size(); ++pixel) {
    const Vec3<double>& v_pixel = v_image[pixel];
    double transmittance = 1, behind = math::dot(v_pixel, picture.colour[pixel]);
    for (size_t i = 0; i < splats.size() && math::is_live(transmittance); ++i) {
      const Vec2<double> d = offset_px(splats[i], pixel, picture.width);
      const auto weight = weight_at(splats[i], d);
      const auto step = math::blend_step_vjp(transmittance, behind, weight.alpha, math::alpha_odds(weight.alpha),
                                             weight.unclamped, math::dot(splats[i].colour, v_pixel));
      math::add_moments(moments[i], math::offset_products(d), step.w, step.weight, v_pixel);
    }
  }
  return moments;
}

}  // namespace

BlendGradients blend_vjp(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                         const std::vector<Vec3<double>>& v_image) {
  BlendGradients out;
  out.v_background = {0, 0, 0};
  for (size_t pixel = 0; pixel < v_image.size(); ++pixel)
    out.v_background = out.v_background + picture.final_transmittance[pixel] * v_image[pixel];
  const std::vector<math::SplatMoments<double>> moments = blend_moments(splats, picture, v_image);
  for (size_t i = 0; i < splats.size(); ++i)
    out.splats.push_back(math::projected_gradient(moments[i], splats[i].weight, splats[i].opacity, splats[i].colour));
  return out;
}

Model project_visible_vjp(const Model& model, const math::ViewParams<double>& view, const RenderSettings& settings,
                          const std::vector<ProjectedSplat>& splats,
                          const std::vector<math::SplatGradient<double>>& v_splats) {
  Model v_model = zeros_like(model);
  const int degree = active_degree(model, settings);
  for (size_t s = 0; s < splats.size(); ++s) {
    const size_t i = splats[s].index;
    math::ParameterGradient<double> v;
    math::parameter_gradient(view, settings.antialias, double(math::dropout_factor(settings.dropout)), degree,
                             SplatOf{model, i}, v_splats[s], true, v);
    set_vec3(v_model.means, i, v.geometry.v_mean);
    set_vec3(v_model.log_scales, i, v.geometry.v_log_scale);
    const double v_quat[4] = {v.geometry.v_quat.w, v.geometry.v_quat.x, v.geometry.v_quat.y, v.geometry.v_quat.z};
    std::copy_n(v_quat, 4, v_model.quats.begin() + std::ptrdiff_t(4 * i));
    v_model.logit_opacities[i] = v.geometry.v_logit_opacity;
    for (int k = 0; k < sh_coefficients(degree); ++k)
      set_vec3(v_model.sh, i * size_t(model.coefficients()) + size_t(k), v.basis[k] * v.v_colour);
  }
  return v_model;
}

math::Twist<double> pose_vjp(const Model& model, const math::ViewParams<double>& view, const RenderSettings& settings,
                             const std::vector<ProjectedSplat>& splats,
                             const std::vector<math::SplatGradient<double>>& v_splats) {
  math::Twist<double> sum{{0, 0, 0}, {0, 0, 0}};
  for (size_t s = 0; s < splats.size(); ++s) {
    const auto v =
        math::pose_gradient(view, settings.antialias, double(math::dropout_factor(settings.dropout)),
                            active_degree(model, settings), SplatOf{model, splats[s].index}, v_splats[s], true);
    sum = sum + v;
  }
  return sum;
}

void add_regularizers(const Model& model, const math::RegularizerWeights<double>& weights, Model& v_model) {
  for (size_t i = 0; i < model.size(); ++i) {
    math::GeometryGradient<double> g = math::no_geometry_gradient<double>();
    math::add_regularizers(weights, SplatOf{model, i}, g);
    v_model.logit_opacities[i] += g.v_logit_opacity;
    set_vec3(v_model.log_scales, i, vec3_at(v_model.log_scales, i) + g.v_log_scale);
  }
}

}  // namespace splat::reference
