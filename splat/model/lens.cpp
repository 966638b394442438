#include "splat/model/lens.h"

#include <limits>

#include "splat/core/check.h"
#include "splat/model/camera_models.h"

namespace splat {

Lens lens_of(const SourceCamera& camera) {
  const CameraModelInfo& info = camera_model_info(camera.model);
  SPLAT_CHECK_EQ(camera.params.size(), info.parameter_count());
  SPLAT_CHECK(!info.is_panorama());
  const double* p = camera.params.data();
  const double* centre = p + info.focal_lengths();
  return {camera.width,
          camera.height,
          p[0],
          p[info.focal_lengths() - 1],
          centre[0],
          centre[1],
          info.distortion(centre + 2)};
}

Lens scaled(const Lens& lens, double factor_x, double factor_y, int width, int height) {
  return {width,          height, lens.fx * factor_x, lens.fy * factor_y, lens.cx * factor_x, lens.cy * factor_y,
          lens.distortion};
}

PinholeCamera pinhole_of(const Lens& lens) {
  return {lens.width, lens.height, float(lens.fx), float(lens.fy), float(lens.cx), float(lens.cy)};
}

std::array<double, 2> image_from_cam(const Lens& lens, const std::array<double, 3>& point) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!(point[2] > 0)) return {kNone, kNone};
  const double u = point[0] / point[2], v = point[1] / point[2];
  const math::Vec2<double> d =
      std::visit([&](const auto& distortion) { return math::distort(distortion, u, v); }, lens.distortion);
  return {lens.fx * d.x + lens.cx, lens.fy * d.y + lens.cy};
}

std::optional<std::array<double, 2>> cam_from_image(const Lens& lens, double x, double y) {
  std::array<double, 2> uv{};
  const double dx = (x - lens.cx) / lens.fx, dy = (y - lens.cy) / lens.fy;
  const bool found = std::visit(
      [&](const auto& distortion) { return math::undistort(distortion, dx, dy, &uv[0], &uv[1]); }, lens.distortion);
  if (!found) return std::nullopt;
  return uv;
}

}  // namespace splat
