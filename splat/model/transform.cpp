#include "splat/model/transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "splat/math/quat_curve.h"
#include "splat/math/sh_rotation.h"
#include "splat/math/symmetric_eigen.h"

namespace splat {

using math::Mat3;
using math::Quat;
using math::ShRotation;
using Vector = std::array<double, 3>;

namespace {

constexpr size_t kChunkRows = 4096;

using math::normalised;

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
  const Quat<double> q = s.rotation * Quat<double>{quat[0], quat[1], quat[2], quat[3]};
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
  return {second.scale * first.scale, normalised(second.rotation * first.rotation), second * first.translation};
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
    if (degrees[axis] != 0) turn = normalised(quat_about(direction, degrees[axis]) * turn);
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
  return normalised(quat_between({-up[0], -up[1], up[2]}, y) * half_turn);
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

LinearMap linear_map_of(const Similarity& similarity) {
  const Mat3<double> r = matrix_of(similarity.rotation);
  LinearMap map{{}, similarity.translation};
  for (size_t i = 0; i < 9; ++i) map.linear[i] = similarity.scale * r.m[i / 3][i % 3];
  return map;
}

LinearMap operator*(const LinearMap& second, const LinearMap& first) {
  LinearMap both{{}, second.translation};
  for (size_t r = 0; r < 3; ++r)
    for (size_t k = 0; k < 3; ++k) {
      const double of_r = second.linear[3 * r + k];
      for (size_t c = 0; c < 3; ++c) both.linear[3 * r + c] += of_r * first.linear[3 * k + c];
      both.translation[r] += of_r * first.translation[k];
    }
  return both;
}

double determinant(const LinearMap& map) {
  const std::array<double, 9>& m = map.linear;
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

namespace {

// x becomes -x. Of the basis functions of the colours those odd in x change their sign (splat/math/sh.h).
void mirror_x(Gaussians& model, ThreadPool& pool) {
  constexpr std::array<int, 6> kOddInX{3, 4, 7, 10, 13, 15};
  const int coefficients = model.coefficients();
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) {
      model.means[3 * row] = -model.means[3 * row];
      for (const size_t part : {size_t(2), size_t(3)}) model.quats[4 * row + part] = -model.quats[4 * row + part];
      for (const int k : kOddInX)
        for (size_t c = 0; k < coefficients && c < 3; ++c) {
          float& value = model.sh[(row * size_t(coefficients) + size_t(k)) * 3 + c];
          value = -value;
        }
    }
  });
}

using Square = math::SymmetricMatrix<3>;  // here also of what is not symmetric

Square product(const Square& a, const Square& b) {
  Square c{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Square transposed(const Square& a) {
  Square b{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) b[i][j] = a[j][i];
  return b;
}

// V diag(values) V^T, the vectors being rows.
Square with_values(const math::SymmetricEigen<3>& eigen, const Vector& values) {
  Square of{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 3; ++k) of[i][j] += values[k] * eigen.vectors[k][i] * eigen.vectors[k][j];
  return of;
}

// One splat's place and shape under `by`. A row that is not finite stays as it is.
void stretch_row(Gaussians& model, size_t row, const Square& by) {
  float *mean = model.means.data() + 3 * row, *quat = model.quats.data() + 4 * row,
        *log_scale = model.log_scales.data() + 3 * row;
  const Mat3<double> r = math::rotation_from_quat(Quat<double>{quat[0], quat[1], quat[2], quat[3]});
  Square half{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) half[i][k] = r.m[i][k] * std::exp(double(log_scale[k]));
  half = product(by, half);
  const auto eigen = math::symmetric_eigen<3>(product(half, transposed(half)));
  if (!(eigen.values[0] < std::numeric_limits<double>::infinity())) return;
  const Vector before{mean[0], mean[1], mean[2]};
  std::array<double, 9> axes{};
  for (size_t i = 0; i < 3; ++i) {
    mean[i] = float(by[i][0] * before[0] + by[i][1] * before[1] + by[i][2] * before[2]);
    log_scale[i] = float(0.5 * std::log(std::max(eigen.values[i], std::numeric_limits<double>::min())));
    for (size_t j = 0; j < 3; ++j) axes[3 * j + i] = eigen.vectors[i][j];
  }
  if (determinant({axes, {}}) < 0)
    for (size_t j = 0; j < 3; ++j) axes[3 * j + 2] = -axes[3 * j + 2];
  const Quat<double> q = quat_from_rotation(axes);
  quat[0] = float(q.w), quat[1] = float(q.x), quat[2] = float(q.y), quat[3] = float(q.z);
}

}  // namespace

bool transform_linearly(Gaussians& model, const LinearMap& to_from, ThreadPool& pool) {
  constexpr double kEven = 1e-3;  // how much the scales of a similarity may differ, relative
  Square m{};
  for (size_t i = 0; i < 9; ++i) m[i / 3][i % 3] = to_from.linear[i];
  if (determinant(to_from) < 0) {  // a mirror first, then what is left
    mirror_x(model, pool);
    for (auto& row : m) row[0] = -row[0];
  }
  const auto squared = math::symmetric_eigen<3>(product(transposed(m), m));
  Vector inverse{}, scales{};
  for (size_t i = 0; i < 3; ++i) inverse[i] = 1 / (scales[i] = std::sqrt(squared.values[i]));
  const Square turn = product(m, with_values(squared, inverse));  // the nearest rotation (polar decomposition)
  std::array<double, 9> rotation{};
  for (size_t i = 0; i < 9; ++i) rotation[i] = turn[i / 3][i % 3];
  const Quat<double> q = quat_from_rotation(rotation);
  if (scales[0] - scales[2] <= kEven * scales[0]) {
    transform(model, Similarity{scales[1], q, to_from.translation}, pool);
    return true;
  }
  transform(model, Similarity{1, q, {}}, pool);
  const Square stretch = product(product(turn, with_values(squared, scales)), transposed(turn));
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) {
      stretch_row(model, row, stretch);
      for (size_t i = 0; i < 3; ++i) model.means[3 * row + i] += float(to_from.translation[i]);
    }
  });
  return false;
}

}  // namespace splat
