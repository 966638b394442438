// A splat as the plane through its mean across its thinnest axis, and terms that make such planes a surface.
// In the camera's frame it is {p : q.p = 1}: q . ray is the inverse depth along ray = (x/z, y/z, 1), and q points along
// the plane's normal, away from the camera. So the blended q of a pixel has both, the depth of what it shows and its
// normal. Chen et al., "PGSR", TVCG 2024 (planes, flattening); Huang et al., "2D Gaussian Splatting", SIGGRAPH 2024
// (normals that agree with those of the depth map).
#pragma once

#include "splat/math/project.h"

namespace splat::math {

// A plane that is seen from its edge has no depth beside its splat's mean: towards there, from about this cosine on,
// it turns to face the camera.
inline constexpr double kPlaneTurn = 0.05;
inline constexpr double kSurfaceCoverage = 0.5;  // share of its light that a pixel must have for its depth to count
inline constexpr double kLeastSquare = 1e-30;    // of a gradient by a pixel that is none
inline constexpr double kDepthEdge = 0.05;       // relative step between neighbours, beyond which they are two surfaces

// Which of the three axes is the shortest; of equal ones the first.
template <class F>
struct ThinAxis {
  Mask<F> x, y;  // neither: z
};
template <class F>
SPLAT_INLINE ThinAxis<F> thin_axis(const Vec3<F>& scale) {
  const Mask<F> before_y = scale.x <= scale.y, before_z = scale.x <= scale.z, y_before_z = scale.y <= scale.z;
  const Mask<F> x = all_of(before_y, before_z);
  return {x, all_of(y_before_z, !x)};
}

template <class F>
struct PlaneTerms {
  ThinAxis<F> axis;
  Vec3<F> normal, to_mean;  // in the camera's frame, of length 1
  F inv_distance, cosine, gain;
  Vec3<F> turned;  // q = gain turned
};
template <class F>
SPLAT_INLINE PlaneTerms<F> plane_terms(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                       const Vec3<F>& scale) {
  constexpr double kTurn2 = kPlaneTurn * kPlaneTurn;
  PlaneTerms<F> t;
  t.axis = thin_axis(scale);
  const Mat3<F> r = rotation_from_quat(quat);
  t.normal = view.rotation * select(t.axis.x, column(r, 0), select(t.axis.y, column(r, 1), column(r, 2)));
  const Vec3<F> p = camera_from_world(view, mean);
  t.inv_distance = rsqrt(dot(p, p));
  t.to_mean = t.inv_distance * p;
  t.cosine = dot(t.normal, t.to_mean);
  t.turned = t.cosine * t.normal + F(kTurn2) * t.to_mean;
  t.gain = t.inv_distance * rcp(fma(t.cosine, t.cosine, F(kTurn2)));
  return t;
}

template <class F>
SPLAT_INLINE Vec3<F> plane_of(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                              const Vec3<F>& scale) {
  const PlaneTerms<F> t = plane_terms(view, mean, quat, scale);
  return t.gain * t.turned;
}

template <class F>
struct PlaneGradient {
  Vec3<F> v_mean;
  Quat<F> v_quat;
};
template <class F>
SPLAT_INLINE PlaneGradient<F> plane_of_vjp(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                           const Vec3<F>& scale, const Vec3<F>& v_plane) {
  const PlaneTerms<F> t = plane_terms(view, mean, quat, scale);
  const F v_gain = dot(t.turned, v_plane);
  const Vec3<F> v_turned = t.gain * v_plane;
  // gain = inv_distance / (cosine^2 + turn^2), and its quotient by inv_distance is `per_distance`.
  const F per_distance = rcp(fma(t.cosine, t.cosine, F(kPlaneTurn * kPlaneTurn)));
  const F v_cosine = dot(t.normal, v_turned) - F(2) * t.cosine * t.gain * per_distance * v_gain;
  const Vec3<F> v_normal = t.cosine * v_turned + v_cosine * t.to_mean;
  const Vec3<F> v_to_mean = F(kPlaneTurn * kPlaneTurn) * v_turned + v_cosine * t.normal;
  // to_mean = p / |p|, inv_distance = 1 / |p|.
  const F along = dot(t.to_mean, v_to_mean) + t.inv_distance * per_distance * v_gain;
  const Vec3<F> v_p = t.inv_distance * (v_to_mean - along * t.to_mean);
  const Vec3<F> v_axis = transposed_times(view.rotation, v_normal), none{F(0), F(0), F(0)};
  const Mask<F> z = all_of(!t.axis.x, !t.axis.y);
  const Vec3<F> vx = select(t.axis.x, v_axis, none), vy = select(t.axis.y, v_axis, none), vz = select(z, v_axis, none);
  return {transposed_times(view.rotation, v_p),
          rotation_from_quat_vjp(quat, Mat3<F>{{{vx.x, vy.x, vz.x}, {vx.y, vy.y, vz.y}, {vx.z, vy.z, vz.z}}})};
}

// The plane through the mean that faces the camera: for splats that are no planes.
template <class F>
SPLAT_INLINE Vec3<F> facing_plane(const ViewParams<F>& view, const Vec3<F>& mean) {
  return {F(0), F(0), rcp(camera_from_world(view, mean).z)};
}
// By the mean.
template <class F>
SPLAT_INLINE Vec3<F> facing_plane_vjp(const ViewParams<F>& view, const Vec3<F>& mean, const Vec3<F>& v_plane) {
  const F inverse = rcp(camera_from_world(view, mean).z);
  return transposed_times(view.rotation, Vec3<F>{F(0), F(0), -(inverse * inverse) * v_plane.z});
}

// ---- by pixel; plane: the blended q, transmittance: what is left of 1 by the weights they were blended with

// 0 where too little is drawn, or behind the camera.
template <class F>
SPLAT_INLINE F inverse_depth(const Vec3<F>& plane, const Vec3<F>& ray, F transmittance) {
  const F weight = F(1) - transmittance;
  const Mask<F> enough = weight >= F(kSurfaceCoverage);
  const F value = dot(plane, ray) * rcp(max(weight, F(kSurfaceCoverage)));
  return zero_unless(all_of(enough, value > F(0)), value);
}

// The adjoint of blending takes the gradient by a picture, and as the last layer what the picture has of the
// background. The gradient by the transmittance goes in as that of a background, as bright as it takes.
template <class F>
struct PlanePixel {
  Vec3<F> v_plane, plane;  // the picture, with that background
};
// value: inverse_depth(), not 0; v_plane: what else the blended q gets.
template <class F>
SPLAT_INLINE PlanePixel<F> inverse_depth_vjp(const Vec3<F>& plane, const Vec3<F>& ray, F transmittance, F value,
                                             F v_value, const Vec3<F>& v_plane) {
  const F per_weight = v_value * rcp(F(1) - transmittance);
  const Vec3<F> v = v_plane + per_weight * ray;
  const F square = dot(v, v), v_transmittance = per_weight * value;
  const F brightness = zero_unless(square > F(kLeastSquare), transmittance * v_transmittance * rcp(square));
  return {v, plane + brightness * v};
}

// The inverse depths of a pixel and of the four beside it.
template <class F>
struct DepthStencil {
  F here, left, right, above, below;
};
template <class F>
SPLAT_INLINE Mask<F> is_smooth(const DepthStencil<F>& s) {
  const F limit = F(kDepthEdge) * s.here;
  const auto beside = [&](F other) { return all_of(other > F(0), abs(other - s.here) <= limit); };
  return all_of(s.here > F(0), beside(s.left), beside(s.right), beside(s.above), beside(s.below));
}
// The q of the plane through them: the inverse depth of a plane is linear on the screen.
template <class F>
SPLAT_INLINE Vec3<F> plane_of_depths(const DepthStencil<F>& s, const Vec3<F>& ray, F half_fx, F half_fy) {
  const F x = half_fx * (s.right - s.left), y = half_fy * (s.below - s.above);
  return {x, y, s.here - x * ray.x - y * ray.y};
}

// The inverse depth that a depth map has at a pixel, from its number and what was fitted for its photo; 0: not known.
template <class F>
SPLAT_INLINE F prior_inverse_depth(F number, bool is_depth, F scale, F shift) {
  const Mask<F> known = number > F(0);
  const F x = is_depth ? rcp(select(known, number, F(1))) : number;
  return zero_unless(known, max(fma(scale, x, shift), F(0)));
}
// Gradient of v |inverse depth - prior| by the inverse depth; 0 where either is unknown.
template <class F>
SPLAT_INLINE F prior_vjp(F inverse_depth, F prior, F v) {
  const Mask<F> known = all_of(inverse_depth > F(0), prior > F(0));
  const F sign = select(inverse_depth > prior, F(1), select(inverse_depth < prior, F(-1), F(0)));
  return zero_unless(known, v * sign);
}

// 1 - the cosine between two planes' normals.
template <class F>
SPLAT_INLINE F normal_difference(const Vec3<F>& a, const Vec3<F>& b) {
  return F(1) - dot(a, b) * rsqrt(dot(a, a)) * rsqrt(dot(b, b));
}
// By the first of them.
template <class F>
SPLAT_INLINE Vec3<F> normal_difference_vjp(const Vec3<F>& a, const Vec3<F>& b, F v) {
  const F inv_a = rsqrt(dot(a, a)), inv_b = rsqrt(dot(b, b)), cosine = dot(a, b) * inv_a * inv_b;
  return (v * inv_a) * ((cosine * inv_a) * a - inv_b * b);
}

}  // namespace splat::math
