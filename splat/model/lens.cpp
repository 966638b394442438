#include "splat/model/lens.h"

#include <cmath>

#include "splat/core/check.h"

namespace splat {

ParameterCounts parameter_counts(CameraModel model) {
  switch (model) {
    case CameraModel::kSimplePinhole:
      return {1, 3};
    case CameraModel::kPinhole:
      return {2, 4};
    case CameraModel::kSimpleRadial:
      return {1, 4};
    case CameraModel::kRadial:
      return {1, 5};
    case CameraModel::kOpenCv:
      return {2, 8};
    case CameraModel::kOpenCvFisheye:
      return {2, 8};
    case CameraModel::kFullOpenCv:
      return {2, 12};
    case CameraModel::kFov:
      return {2, 5};
    case CameraModel::kSimpleRadialFisheye:
      return {1, 4};
    case CameraModel::kRadialFisheye:
      return {1, 5};
    case CameraModel::kThinPrismFisheye:
      return {2, 12};
  }
  check_failed(__FILE__, __LINE__, "known camera model", std::to_string(int(model)));
}

namespace {

using math::FisheyeDistortion, math::FovDistortion, math::NoDistortion, math::RationalDistortion;

Lens::Distortion rational(const RationalDistortion& distortion) {
  if (distortion == RationalDistortion{}) return NoDistortion{};
  return distortion;
}

// k: the parameters after focal lengths and principal point.
Lens::Distortion distortion_of(CameraModel model, const double* k) {
  switch (model) {
    case CameraModel::kSimplePinhole:
    case CameraModel::kPinhole:
      return NoDistortion{};
    case CameraModel::kSimpleRadial:
      return rational({.k1 = k[0]});
    case CameraModel::kRadial:
      return rational({.k1 = k[0], .k2 = k[1]});
    case CameraModel::kOpenCv:
      return rational({.k1 = k[0], .k2 = k[1], .p1 = k[2], .p2 = k[3]});
    case CameraModel::kFullOpenCv:
      return rational({.k1 = k[0], .k2 = k[1], .k3 = k[4], .k4 = k[5], .k5 = k[6], .k6 = k[7], .p1 = k[2], .p2 = k[3]});
    case CameraModel::kSimpleRadialFisheye:
      return FisheyeDistortion{.k1 = k[0]};
    case CameraModel::kRadialFisheye:
      return FisheyeDistortion{.k1 = k[0], .k2 = k[1]};
    case CameraModel::kOpenCvFisheye:
      return FisheyeDistortion{.k1 = k[0], .k2 = k[1], .k3 = k[2], .k4 = k[3]};
    case CameraModel::kThinPrismFisheye:
      return FisheyeDistortion{
          .k1 = k[0], .k2 = k[1], .k3 = k[4], .k4 = k[5], .p1 = k[2], .p2 = k[3], .sx1 = k[6], .sy1 = k[7]};
    case CameraModel::kFov:
      if (std::abs(k[0]) < 1e-6) return NoDistortion{};  // the limit; the formula would divide by omega
      return FovDistortion{k[0]};
  }
  check_failed(__FILE__, __LINE__, "known camera model", std::to_string(int(model)));
}

}  // namespace

Lens lens_of(const SourceCamera& camera) {
  const ParameterCounts counts = parameter_counts(camera.model);
  SPLAT_CHECK_EQ(camera.params.size(), counts.all);
  const double* p = camera.params.data();
  const double* centre = p + counts.focal_lengths;
  return {camera.width,
          camera.height,
          p[0],
          p[counts.focal_lengths - 1],
          centre[0],
          centre[1],
          distortion_of(camera.model, centre + 2)};
}

Lens scaled(const Lens& lens, double factor_x, double factor_y, int width, int height) {
  return {width,          height, lens.fx * factor_x, lens.fy * factor_y, lens.cx * factor_x, lens.cy * factor_y,
          lens.distortion};
}

PinholeCamera pinhole_of(const Lens& lens) {
  return {lens.width, lens.height, float(lens.fx), float(lens.fy), float(lens.cx), float(lens.cy)};
}

std::array<double, 2> image_from_cam(const Lens& lens, const std::array<double, 3>& point) {
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
