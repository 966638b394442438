// Rendering of a view and its adjoint in double: every visible splat at every pixel, in depth order. No tiles, no
// bounds.
#pragma once

#include <array>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/backend/reference/reference_model.h"
#include "splat/backend/row_looks.h"
#include "splat/math/gaussian_weight.h"
#include "splat/math/parameter_chain.h"

namespace splat::reference {

// A visible splat as blending needs it.
struct ProjectedSplat {
  size_t index;  // row of the model
  math::Projection<double> projection;
  double opacity;  // with the compensation when antialiasing
  math::WeightForm<double> weight;
  math::Vec3<double> colour;
};

// The splat's weight at a pixel, numbered row by row in an image of this width, and the offset of the pixel's centre.
math::Vec2<double> offset_px(const ProjectedSplat& splat, size_t pixel, int width);
math::GaussianWeight<double> weight_at(const ProjectedSplat& splat, const math::Vec2<double>& offset);

struct Picture {
  int width = 0, height = 0;
  std::vector<math::Vec3<double>> colour;   // [H,W] background included
  std::vector<double> final_transmittance;  // [H,W]
};

// The visible splats by ascending depth, ties by index.
std::vector<ProjectedSplat> project_visible(const Model& model, const math::ViewParams<double>& view,
                                            const RenderSettings& settings, const KeptLooks& looks);

// The same splats with their planes in the camera's frame (math/plane.h) in place of their colours; facing: the camera.
std::vector<ProjectedSplat> as_planes(const Model& model, const math::ViewParams<double>& view, bool facing,
                                      std::vector<ProjectedSplat> splats);
// Adds to the gradients by the parameters and by the view's pose what those by the planes come to.
void add_plane_gradients(const Model& model, const math::ViewParams<double>& view, bool facing,
                         const std::vector<ProjectedSplat>& splats, const std::vector<math::Vec3<double>>& v_planes,
                         Model& v_model, math::Twist<double>& v_pose);

Picture blend(const std::vector<ProjectedSplat>& splats, const View& view, const RenderSettings& settings);

// [N] of the model's rows.
Contributions contributions(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                            const ContributionSettings& settings, size_t rows);

struct PixelDepth {
  double median = 0;  // 0: the pixel stays more transparent than half
  double weight = 0, weight_depth = 0, weight_depth2 = 0;
};
std::vector<PixelDepth> depths(const std::vector<ProjectedSplat>& splats, const Picture& picture);

struct BlendGradients {
  std::vector<math::SplatGradient<double>> splats;  // like the projected splats
  math::Vec3<double> v_background;
};
BlendGradients blend_vjp(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                         const std::vector<math::Vec3<double>>& v_image);

// From the gradients by the projected splats (the colour's before its clamp) to those by the parameters; zero for
// splats that are not visible.
Model project_visible_vjp(const Model& model, const math::ViewParams<double>& view, const RenderSettings& settings,
                          const std::vector<ProjectedSplat>& splats,
                          const std::vector<math::SplatGradient<double>>& v_splats);

// By a twist of the view's pose, summed over the visible splats.
math::Twist<double> pose_vjp(const Model& model, const math::ViewParams<double>& view, const RenderSettings& settings,
                             const std::vector<ProjectedSplat>& splats,
                             const std::vector<math::SplatGradient<double>>& v_splats);

// Adds the gradients of the sums over all splats of what the weights say.
void add_regularizers(const Model& model, const math::RegularizerWeights<double>& weights, Model& v_model);

}  // namespace splat::reference
