// Arithmetic of points and directions that are arrays of three numbers, as models, poses and meshes hold them.
#pragma once

#include <array>

namespace splat {

template <class F>
std::array<F, 3> operator+(const std::array<F, 3>& a, const std::array<F, 3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class F>
std::array<F, 3> operator-(const std::array<F, 3>& a, const std::array<F, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class F>
std::array<F, 3> operator*(F by, const std::array<F, 3>& a) {
  return {by * a[0], by * a[1], by * a[2]};
}
template <class F>
F dot(const std::array<F, 3>& a, const std::array<F, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class F>
std::array<F, 3> cross(const std::array<F, 3>& a, const std::array<F, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class F>
F squared_distance(const std::array<F, 3>& a, const std::array<F, 3>& b) {
  return dot(a - b, a - b);
}

}  // namespace splat
