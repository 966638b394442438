// The formulas' parameters (splat/math) out of a call's.
#pragma once

#include <array>

#include "splat/math/raster_chain.h"
#include "splat/raster/raster.h"

namespace splat::raster {

// A camera as math::make_view_params() reads one.
struct RasterView {
  struct Pose {
    std::array<double, 9> rotation;
    std::array<double, 3> translation;
    std::array<double, 3> origin_in_source() const;  // -R^-1 t
  } cam_from_world;
  struct {
    double width, height, fx, fy, cx, cy;
  } camera;
};
inline std::array<double, 3> RasterView::Pose::origin_in_source() const {
  const auto& r = rotation;
  const auto cofactor = [&](size_t i, size_t j) {  // of r[i][j]
    const size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return r[3 * a + c] * r[3 * b + d] - r[3 * a + d] * r[3 * b + c];
  };
  const double determinant = r[0] * cofactor(0, 0) + r[1] * cofactor(0, 1) + r[2] * cofactor(0, 2);
  std::array<double, 3> centre{};
  for (size_t j = 0; j < 3; ++j)
    for (size_t i = 0; i < 3; ++i) centre[j] -= cofactor(i, j) * translation[i] / determinant;
  return centre;
}

template <class F>
math::ViewParams<F> view_params(const Camera& camera, const Settings& settings) {
  RasterView view;
  for (size_t r = 0; r < 3; ++r) {
    for (size_t c = 0; c < 3; ++c) view.cam_from_world.rotation[3 * r + c] = camera.cam_from_world[4 * r + c];
    view.cam_from_world.translation[r] = camera.cam_from_world[4 * r + 3];
  }
  const double width = settings.width, height = settings.height;
  view.camera = {width, height, camera.fx, camera.fy, camera.cx, camera.cy};
  math::ViewParams<F> p = math::make_view_params<F>(view);
  p.near_plane = F(settings.near_plane), p.far_plane = F(settings.far_plane), p.low_pass = F(settings.low_pass);
  if (settings.jacobian_clamp == JacobianClamp::kInria) {
    const double u = math::kInriaMargin * width / (2 * camera.fx), v = math::kInriaMargin * height / (2 * camera.fy);
    p.u_min = F(-u), p.u_max = F(u), p.v_min = F(-v), p.v_max = F(v);
  }
  return p;
}

template <class T>
math::RasterRules raster_rules(const Scene<T>& scene, const Settings& settings) {
  math::RasterRules rules;
  if (settings.raw_quats) rules.shape = math::ShapeKind::kRawQuats;
  if (scene.covariances) rules.shape = math::ShapeKind::kCovariances;
  rules.compensated = settings.compensation != Compensation::kNone;
  if (settings.compensation == Compensation::kMip) rules.compensation = math::Compensation::kMip;
  if (settings.compensation == Compensation::kInria) rules.compensation = math::Compensation::kFloored;
  return rules;
}

}  // namespace splat::raster
