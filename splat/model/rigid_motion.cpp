#include "splat/model/rigid_motion.h"

#include <algorithm>
#include <cmath>

namespace splat {
namespace {

using Matrix = std::array<double, 9>;  // row-major

Matrix rotation_of(const std::array<double, 3>& w) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], angle = std::sqrt(square);
  // sin(a)/a and (1 - cos(a))/a^2, by their series where a division would lose digits.
  const double s = angle < 1e-4 ? 1 - square / 6 : std::sin(angle) / angle;
  const double c = angle < 1e-4 ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const Matrix k{0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
  Matrix r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      double kk = 0;
      for (size_t n = 0; n < 3; ++n) kk += k[3 * i + n] * k[3 * n + j];
      r[3 * i + j] += s * k[3 * i + j] + c * kk;
    }
  return r;
}

std::array<double, 3> rotated(const Matrix& r, const std::array<double, 3>& x) {
  std::array<double, 3> y{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) y[i] += r[3 * i + j] * x[j];
  return y;
}

}  // namespace

Rigid3 moved(const Rigid3& cam_from_world, const RigidMotion& motion) {
  const Matrix turn = rotation_of(motion.rotation);
  Rigid3 out;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      out.rotation[3 * i + j] = 0;
      for (size_t n = 0; n < 3; ++n) out.rotation[3 * i + j] += turn[3 * i + n] * cam_from_world.rotation[3 * n + j];
    }
  out.translation = rotated(turn, cam_from_world.translation);
  for (size_t i = 0; i < 3; ++i) out.translation[i] += motion.translation[i];
  return out;
}

RigidMotion motion_between(const Rigid3& from, const Rigid3& to) {
  Matrix turn{};  // R_to R_from^T
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t n = 0; n < 3; ++n) turn[3 * i + j] += to.rotation[3 * i + n] * from.rotation[3 * j + n];
  const std::array<double, 3> axis{turn[7] - turn[5], turn[2] - turn[6], turn[3] - turn[1]};  // 2 sin(a) times the axis
  const double sine = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) / 2;
  const double angle = std::atan2(sine, (turn[0] + turn[4] + turn[8] - 1) / 2);
  RigidMotion motion;
  const double scale = sine < 1e-9 ? 0.5 : angle / (2 * sine);
  for (size_t i = 0; i < 3; ++i) motion.rotation[i] = scale * axis[i];
  const std::array<double, 3> turned = rotated(turn, from.translation);
  for (size_t i = 0; i < 3; ++i) motion.translation[i] = to.translation[i] - turned[i];
  return motion;
}

}  // namespace splat
