// Moving a whole model: turn, scale and shift, as one similarity. Positions, sizes, orientations and the view-dependent
// colours all follow, so that a camera moved along sees the same picture. Cost: one pass over the model.
#pragma once

#include <array>

#include "splat/core/parallel.h"
#include "splat/math/quat.h"
#include "splat/model/gaussians.h"

namespace splat {

// x_to = scale * R * x_from + translation.
struct Similarity {
  double scale = 1;                            // > 0
  math::Quat<double> rotation{1, 0, 0, 0};     // of length 1
  std::array<double, 3> translation{0, 0, 0};  // world units, after scaling

  std::array<double, 3> operator*(const std::array<double, 3>& x) const;
  std::array<double, 3> turned(const std::array<double, 3>& direction) const;  // rotation alone
  bool is_identity() const;
  friend bool operator==(const Similarity& a, const Similarity& b);
};

Similarity operator*(const Similarity& second, const Similarity& first);  // first `first`, then `second`
Similarity inverse(const Similarity& of);

math::Quat<double> quat_about(const std::array<double, 3>& axis, double degrees);  // right-handed; axis of any length
// About x, then y, then z, each as above; and back, with y from -90 to 90.
math::Quat<double> quat_about_axes(const std::array<double, 3>& degrees);
std::array<double, 3> degrees_about_axes(const math::Quat<double>& rotation);
// The shortest turn from one direction to another, of any length > 0; for opposite ones a half turn about z, or about x
// where they lie along z.
math::Quat<double> quat_between(const std::array<double, 3>& from, const std::array<double, 3>& to);
// Turns `up`, of any length > 0, to +y, as glTF wants it: the shortest turn, but within 60 degrees of -y, the habit of
// COLMAP and PLY files, a half turn about z and the shortest from there. The shortest alone would turn neighbours of -y
// in any direction.
math::Quat<double> turn_to_y_up(const std::array<double, 3>& up);
math::Quat<double> quat_from_rotation(const std::array<double, 9>& rotation);  // row-major

// x_to = linear * x_from + translation: any linear map that is not singular, mirrors and stretches among them.
struct LinearMap {
  std::array<double, 9> linear{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
  std::array<double, 3> translation{0, 0, 0};
};
LinearMap linear_map_of(const Similarity& similarity);
LinearMap operator*(const LinearMap& second, const LinearMap& first);  // first `first`, then `second`
double determinant(const LinearMap& map);

// In place. A Gaussian under a linear map is a Gaussian: S becomes M S M^T. View-dependent colours follow mirrors and
// turns exactly; where the map stretches (false) they get its nearest rotation, since what they are of directions then
// has no exact equal.
bool transform_linearly(Gaussians& model, const LinearMap& to_from, ThreadPool& pool);

// In place. Turns by multiples of 90 degrees are exact but for the rounding of `scale` and `translation`.
void transform(Gaussians& model, const Similarity& to_from, ThreadPool& pool);

}  // namespace splat
