// Cameras and poses. What the engine renders with is always a pinhole (`View`); lens models exist only until io/ has
// undistorted the photos.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace splat {

struct PinholeCamera {
  int width = 0, height = 0;  // px
  float fx = 0, fy = 0;       // focal lengths, px
  float cx = 0, cy = 0;       // principal point, px; the centre of the top-left pixel is (0.5, 0.5)
  friend bool operator==(const PinholeCamera&, const PinholeCamera&) = default;
};

// x_a = rotation * x_b + translation, for a variable named `a_from_b`.
struct Rigid3 {
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
  std::array<double, 3> translation{0, 0, 0};

  std::array<double, 3> operator*(const std::array<double, 3>& x) const {
    std::array<double, 3> y = translation;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) y[r] += rotation[3 * r + c] * x[c];
    return y;
  }
  // The origin of a in frame b, -R^T t; for cam_from_world: the camera centre in the world.
  std::array<double, 3> origin_in_source() const {
    std::array<double, 3> centre{};
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) centre[c] -= rotation[3 * r + c] * translation[r];
    return centre;
  }
  friend bool operator==(const Rigid3&, const Rigid3&) = default;
};

// What is rendered: a pinhole camera at a pose.
struct View {
  PinholeCamera camera;
  Rigid3 cam_from_world;
  friend bool operator==(const View&, const View&) = default;
};

// COLMAP's camera models, with COLMAP's ids. What they are called and hold: splat/model/camera_models.h.
enum class CameraModel : int {
  kSimplePinhole = 0,
  kPinhole = 1,
  kSimpleRadial = 2,
  kRadial = 3,
  kOpenCv = 4,
  kOpenCvFisheye = 5,
  kFullOpenCv = 6,
  kFov = 7,
  kSimpleRadialFisheye = 8,
  kRadialFisheye = 9,
  kThinPrismFisheye = 10,
  kRadTanThinPrismFisheye = 11,
  kSimpleDivision = 12,
  kDivision = 13,
  kSimpleFisheye = 14,
  kFisheye = 15,
  kEucm = 16,
  kEquirectangular = 17,
};

// A camera as the reconstruction describes it, before undistortion.
struct SourceCamera {
  CameraModel model = CameraModel::kPinhole;
  int width = 0, height = 0;   // px
  std::vector<double> params;  // in COLMAP's order
};

}  // namespace splat
