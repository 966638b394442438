#include "splat/model/transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "splat/math/sh_rotation.h"

namespace splat {

using math::Mat3;
using math::Quat;
using math::ShRotation;
using Vector = std::array<double, 3>;

namespace {

constexpr size_t kChunkRows = 4096;

Quat<double> product(const Quat<double>& a, const Quat<double>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quat<double> normalised(const Quat<double>& q) {
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

Vector normalised(const Vector& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

// A multiple of a quarter turn has entries that are whole numbers; rounding must not make it anything else.
double without_rounding(double entry) {
  const double whole = std::round(entry);
  return std::abs(entry - whole) < 1e-14 ? whole : entry;
}

Mat3<double> matrix_of(const Quat<double>& q) {
  Mat3<double> rotation = math::rotation_from_quat(q);
  for (auto& row : rotation.m)
    for (double& entry : row) entry = without_rounding(entry);
  return rotation;
}

template <int kOrders>
void to_float(const double (&from)[kOrders][kOrders], float (&to)[kOrders][kOrders]) {
  for (int m = 0; m < kOrders; ++m)
    for (int n = 0; n < kOrders; ++n) to[m][n] = float(without_rounding(from[m][n]));
}

ShRotation<float> sh_rotation_of(const Mat3<double>& rotation) {
  const ShRotation<double> exact = math::sh_rotation(rotation);
  ShRotation<float> result;
  to_float(exact.band1, result.band1);
  to_float(exact.band2, result.band2);
  to_float(exact.band3, result.band3);
  return result;
}

struct Prepared {
  Similarity similarity;
  Mat3<double> rotation;
  ShRotation<float> sh;
  bool turns;
};

void transform_row(Gaussians& model, size_t row, const Prepared& by) {
  const Similarity& s = by.similarity;
  float* mean = model.means.data() + 3 * row;
  const math::Vec3<double> turned = by.rotation * math::Vec3<double>{mean[0], mean[1], mean[2]};
  mean[0] = float(s.scale * turned.x + s.translation[0]);
  mean[1] = float(s.scale * turned.y + s.translation[1]);
  mean[2] = float(s.scale * turned.z + s.translation[2]);
  if (s.scale != 1)
    for (size_t i = 0; i < 3; ++i) {
      float& log_scale = model.log_scales[3 * row + i];
      log_scale = float(log_scale + std::log(s.scale));
    }
  if (!by.turns) return;
  float* quat = model.quats.data() + 4 * row;
  const Quat<double> q = product(s.rotation, Quat<double>{quat[0], quat[1], quat[2], quat[3]});
  quat[0] = float(q.w), quat[1] = float(q.x), quat[2] = float(q.y), quat[3] = float(q.z);
  math::rotate_sh(by.sh, model.sh_degree, model.sh.data() + row * size_t(model.coefficients()) * 3);
}

}  // namespace

Vector Similarity::turned(const Vector& d) const {
  const math::Vec3<double> r = matrix_of(rotation) * math::Vec3<double>{d[0], d[1], d[2]};
  return {r.x, r.y, r.z};
}

Vector Similarity::operator*(const Vector& x) const {
  Vector y = turned(x);
  for (size_t i = 0; i < 3; ++i) y[i] = scale * y[i] + translation[i];
  return y;
}

bool Similarity::is_identity() const {
  return scale == 1 && translation == Vector{0, 0, 0} && rotation.x == 0 && rotation.y == 0 && rotation.z == 0;
}

bool operator==(const Similarity& a, const Similarity& b) {
  return a.scale == b.scale && a.translation == b.translation && a.rotation.w == b.rotation.w &&
         a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z;
}

Similarity inverse(const Similarity& of) {
  const Quat<double> q = normalised(of.rotation);
  Similarity back{1 / of.scale, {q.w, -q.x, -q.y, -q.z}, {}};
  back.translation = back * Vector{-of.translation[0], -of.translation[1], -of.translation[2]};
  return back;
}

Similarity operator*(const Similarity& second, const Similarity& first) {
  return {second.scale * first.scale, normalised(product(second.rotation, first.rotation)), second * first.translation};
}

Quat<double> quat_about(const Vector& axis, double degrees) {
  const Vector a = normalised(axis);
  const double half = degrees * std::numbers::pi / 360, s = without_rounding(std::sin(half)),
               c = without_rounding(std::cos(half));
  return {c, s * a[0], s * a[1], s * a[2]};
}

Quat<double> quat_about_axes(const Vector& degrees) {
  Quat<double> turn{1, 0, 0, 0};
  for (size_t axis = 0; axis < 3; ++axis) {
    Vector direction{};
    direction[axis] = 1;
    if (degrees[axis] != 0) turn = normalised(product(quat_about(direction, degrees[axis]), turn));
  }
  return turn;
}

Vector degrees_about_axes(const Quat<double>& rotation) {
  constexpr double kDegrees = 180 / std::numbers::pi, kUpright = 1 - 1e-12;  // there x and z are about one axis
  const Mat3<double> r = matrix_of(rotation);
  const double sine = -r.m[2][0];
  if (std::abs(sine) > kUpright) return {kDegrees * std::atan2(-r.m[1][2], r.m[1][1]), std::copysign(90.0, sine), 0};
  const auto degrees = [](double radians) { return kDegrees * radians + 0.0; };  // no -0
  return {degrees(std::atan2(r.m[2][1], r.m[2][2])), degrees(std::asin(sine)),
          degrees(std::atan2(r.m[1][0], r.m[0][0]))};
}

Quat<double> quat_between(const Vector& from, const Vector& to) {
  const Vector a = normalised(from), b = normalised(to);
  const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (cosine < -1 + 1e-12) return std::abs(a[2]) > 0.9 ? Quat<double>{0, 1, 0, 0} : Quat<double>{0, 0, 0, 1};
  return normalised(
      Quat<double>{1 + cosine, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
}

Quat<double> turn_to_y_up(const Vector& up) {
  const Vector y{0, 1, 0};
  if (normalised(up)[1] > -0.5) return quat_between(up, y);
  const Quat<double> half_turn{0, 0, 0, 1};  // x, y, z -> -x, -y, z
  return normalised(product(quat_between({-up[0], -up[1], up[2]}, y), half_turn));
}

Quat<double> quat_from_rotation(const std::array<double, 9>& r) {
  // The largest of 4w^2, 4x^2, 4y^2, 4z^2 is at least 1 (Shepperd 1978).
  const std::array<double, 4> squares{1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                                      1 - r[0] - r[4] + r[8]};
  const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
  const double s = squares[size_t(largest)];
  const double wx = r[7] - r[5], wy = r[2] - r[6], wz = r[3] - r[1];
  const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
  const Quat<double> q = largest == 0   ? Quat<double>{s, wx, wy, wz}
                         : largest == 1 ? Quat<double>{wx, s, xy, xz}
                         : largest == 2 ? Quat<double>{wy, xy, s, yz}
                                        : Quat<double>{wz, xz, yz, s};
  return normalised(q);
}

void transform(Gaussians& model, const Similarity& to_from, ThreadPool& pool) {
  if (to_from.is_identity()) return;
  const Quat<double>& q = to_from.rotation;
  Prepared by{to_from, matrix_of(q), {}, q.x != 0 || q.y != 0 || q.z != 0};
  by.sh = sh_rotation_of(by.rotation);
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) transform_row(model, row, by);
  });
}

}  // namespace splat
