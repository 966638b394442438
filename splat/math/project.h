// EWA projection of a splat into a pinhole view: Zwicker et al., "EWA splatting", 2002, with the clamped Jacobian and
// the low-pass of Kerbl et al. 2023 and the opacity compensation of Yu et al., "Mip-Splatting", CVPR 2024, equation 9.
// In: world mean, quaternion, scale (activated). Out: centre in px, depth, 2D covariance in px^2, its inverse (the
// conic). With W the view's rotation, (u,v) = (x/z, y/z) clamped: the rows of J W are r0 = fx/z (W0 - u W2), r1 = fy/z
// (W1 - v W2). The 2D covariance is the Gram matrix of a = (R S)^T r0 and b = (R S)^T r1, so its determinant is |a x
// b|^2: no cancellation for thin splats, in float either.
#pragma once

#include "splat/math/covariance.h"

namespace splat::math {

template <class F>
struct ViewParams {
  Mat3<F> rotation;     // cam_from_world
  Vec3<F> translation;  // cam_from_world
  Vec3<F> centre;       // of the camera, in the world
  F fx, fy, cx, cy;     // px
  F width, height;      // px
  F u_min, u_max;       // limits of x/z in the Jacobian
  F v_min, v_max;       // limits of y/z
};

// From a splat::View (a template, so that this header stands on number.h alone).
template <class F, class View>
inline ViewParams<F> make_view_params(const View& view) {
  const auto& camera = view.camera;
  const auto& pose = view.cam_from_world;
  const auto centre = pose.origin_in_source();
  ViewParams<F> p;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) p.rotation.m[r][c] = F(pose.rotation[3 * r + c]);
  p.translation = {F(pose.translation[0]), F(pose.translation[1]), F(pose.translation[2])};
  p.centre = {F(centre[0]), F(centre[1]), F(centre[2])};
  const double width = camera.width, height = camera.height, fx = camera.fx, fy = camera.fy;
  const double cx = camera.cx, cy = camera.cy;
  p.fx = F(fx), p.fy = F(fy), p.cx = F(cx), p.cy = F(cy);
  p.width = F(width), p.height = F(height);
  p.u_min = F((-kJacobianMargin * width - cx) / fx), p.u_max = F(((1 + kJacobianMargin) * width - cx) / fx);
  p.v_min = F((-kJacobianMargin * height - cy) / fy), p.v_max = F(((1 + kJacobianMargin) * height - cy) / fy);
  return p;
}

template <class F>
SPLAT_INLINE Vec3<F> camera_from_world(const ViewParams<F>& view, const Vec3<F>& mean) {
  return view.rotation * mean + view.translation;
}

template <class F>
struct Projection {
  Vec2<F> mean_px;
  F depth;             // z in the camera frame: the sort key
  Sym2<F> covariance;  // px^2, low-pass included
  F determinant;       // of covariance
  Sym2<F> conic;       // its inverse: A = xx, B = xy, C = yy
  F compensation;      // sqrt(det before / det after the low-pass), multiplies the opacity when antialiasing
  Mask<F> valid;       // in front, finite, of sane size; says nothing about being on screen (tile_bounds.h does)
};

// What projection and its adjoint share.
template <class F>
struct ProjectionTerms {
  F u, v, inv_z;               // x/z, y/z unclamped
  Mask<F> u_inside, v_inside;  // not clamped
  Vec3<F> r0, r1;              // rows of J W
  Vec3<F> a, b;                // (R S)^T r0, (R S)^T r1
  Sym2<F> sharp;               // covariance without the low-pass
  F sharp_determinant;
};

template <class F>
SPLAT_INLINE ProjectionTerms<F> projection_terms(const ViewParams<F>& view, const Vec3<F>& p_cam,
                                                 const Mat3<F>& factor) {
  ProjectionTerms<F> t;
  t.inv_z = rcp(p_cam.z);
  t.u = p_cam.x * t.inv_z;
  t.v = p_cam.y * t.inv_z;
  const F u = clamp(t.u, view.u_min, view.u_max), v = clamp(t.v, view.v_min, view.v_max);
  const Mask<F> u_above = t.u >= view.u_min, u_below = t.u <= view.u_max;
  const Mask<F> v_above = t.v >= view.v_min, v_below = t.v <= view.v_max;
  t.u_inside = u_above & u_below;
  t.v_inside = v_above & v_below;
  const Vec3<F> w2 = row(view.rotation, 2);
  t.r0 = (view.fx * t.inv_z) * (row(view.rotation, 0) - u * w2);
  t.r1 = (view.fy * t.inv_z) * (row(view.rotation, 1) - v * w2);
  t.a = transposed_times(factor, t.r0);
  t.b = transposed_times(factor, t.r1);
  t.sharp = {dot(t.a, t.a), dot(t.a, t.b), dot(t.b, t.b)};
  const Vec3<F> normal = cross(t.a, t.b);
  t.sharp_determinant = dot(normal, normal);
  return t;
}

template <class F>
SPLAT_INLINE F blurred_determinant(const ProjectionTerms<F>& t) {
  return t.sharp_determinant + F(kLowPass) * (t.sharp.xx + t.sharp.yy + F(kLowPass));
}

// The inverse of the blurred covariance.
template <class F>
SPLAT_INLINE Sym2<F> blurred_conic(const ProjectionTerms<F>& t, F inv_determinant) {
  return {(t.sharp.yy + F(kLowPass)) * inv_determinant, -t.sharp.xy * inv_determinant,
          (t.sharp.xx + F(kLowPass)) * inv_determinant};
}

template <class F>
SPLAT_INLINE Projection<F> project(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                   const Vec3<F>& scale) {
  const Vec3<F> p_cam = camera_from_world(view, mean);
  const ProjectionTerms<F> t = projection_terms(view, p_cam, covariance_factor(rotation_from_quat(quat), scale));
  Projection<F> out;
  out.mean_px = {fma(view.fx, t.u, view.cx), fma(view.fy, t.v, view.cy)};
  out.depth = p_cam.z;
  out.covariance = {t.sharp.xx + F(kLowPass), t.sharp.xy, t.sharp.yy + F(kLowPass)};
  out.determinant = blurred_determinant(t);
  const F inv_determinant = rcp(out.determinant);
  out.conic = blurred_conic(t, inv_determinant);
  out.compensation = sqrt(t.sharp_determinant * inv_determinant);
  const Mask<F> in_front = out.depth >= F(kNearPlane), not_endless = is_finite(out.depth);
  const Mask<F> x_sane = abs(out.mean_px.x) < F(kMaxMeanPx), y_sane = abs(out.mean_px.y) < F(kMaxMeanPx);
  const Mask<F> not_flat = out.determinant > F(kDeterminantMin), not_huge = out.determinant < F(kDeterminantMax);
  out.valid = in_front & not_endless & x_sane & y_sane & not_flat & not_huge;
  return out;
}

template <class F>
struct ProjectionGradient {
  Vec3<F> v_mean;  // world; the colour's dependence on the view direction is added by sh.h
  Quat<F> v_quat;
  Vec3<F> v_log_scale;
};

// The gradient by the sharp covariance's entries, from those by the conic and the compensation c = sqrt(D0/D1):
// v_Sigma = -K v_K K, and dc = c/2 (dD0/D0 - dD1/D1). A compensation of ~0 (a splat seen edge-on) passes nothing.
template <class F>
SPLAT_INLINE Sym2<F> sharp_covariance_vjp(const ProjectionTerms<F>& t, const Sym2<F>& v_conic, F v_compensation) {
  const F inv_determinant = rcp(blurred_determinant(t));
  const Sym2<F> k = blurred_conic(t, inv_determinant);
  const F half_b = F(0.5) * v_conic.xy;
  const F kv_xx = fma(k.xx, v_conic.xx, k.xy * half_b), kv_xy = fma(k.xx, half_b, k.xy * v_conic.yy);
  const F kv_yx = fma(k.xy, v_conic.xx, k.yy * half_b), kv_yy = fma(k.xy, half_b, k.yy * v_conic.yy);
  const Mask<F> thick = t.sharp_determinant > F(kDeterminantMin);
  const F half_c = F(0.5) * v_compensation * sqrt(t.sharp_determinant * inv_determinant);
  const F v_d0 = select(thick, half_c * rcp(t.sharp_determinant), F(0));
  const F v_d1 = select(thick, -half_c * inv_determinant, F(0));
  const F v_both = v_d0 + v_d1;
  return {v_both * t.sharp.yy + v_d1 * F(kLowPass) - fma(kv_xx, k.xx, kv_xy * k.xy),
          F(-2) * (v_both * t.sharp.xy + fma(kv_xx, k.xy, kv_xy * k.yy)),
          v_both * t.sharp.xx + v_d1 * F(kLowPass) - fma(kv_yx, k.xy, kv_yy * k.yy)};
}

// The gradients by (R S)^T r0 and (R S)^T r1.
template <class F>
struct AxesGradient {
  Vec3<F> v_a, v_b;
};
template <class F>
SPLAT_INLINE AxesGradient<F> axes_vjp(const ProjectionTerms<F>& t, const Sym2<F>& v_sharp) {
  return {(F(2) * v_sharp.xx) * t.a + v_sharp.xy * t.b, (F(2) * v_sharp.yy) * t.b + v_sharp.xy * t.a};
}

// By the place in the camera's frame, and by the rows of J W where the place stays.
template <class F>
struct PlaceGradient {
  Vec3<F> v_p_cam;
  Vec3<F> v_r0, v_r1;  // world
};
template <class F>
SPLAT_INLINE PlaceGradient<F> place_vjp(const ViewParams<F>& view, const ProjectionTerms<F>& t, const Mat3<F>& factor,
                                        const AxesGradient<F>& v, const Vec2<F>& v_mean_px) {
  const Vec3<F> v_r0 = factor * v.v_a, v_r1 = factor * v.v_b, w2 = row(view.rotation, 2);
  const F v_u = view.fx * (v_mean_px.x - select(t.u_inside, t.inv_z * dot(w2, v_r0), F(0)));
  const F v_v = view.fy * (v_mean_px.y - select(t.v_inside, t.inv_z * dot(w2, v_r1), F(0)));
  const F v_z = -t.inv_z * (v_u * t.u + v_v * t.v + dot(t.r0, v_r0) + dot(t.r1, v_r1));
  return {{v_u * t.inv_z, v_v * t.inv_z, v_z}, v_r0, v_r1};
}

// Without antialiasing pass v_compensation = 0. Lanes that are not valid come out as garbage: mask them.
template <class F>
SPLAT_INLINE ProjectionGradient<F> project_vjp(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                               const Vec3<F>& scale, const Vec2<F>& v_mean_px, const Sym2<F>& v_conic,
                                               F v_compensation) {
  const Mat3<F> factor = covariance_factor(rotation_from_quat(quat), scale);
  const ProjectionTerms<F> t = projection_terms(view, camera_from_world(view, mean), factor);
  const AxesGradient<F> v = axes_vjp(t, sharp_covariance_vjp(t, v_conic, v_compensation));

  ProjectionGradient<F> out;
  out.v_log_scale = {fma(t.a.x, v.v_a.x, t.b.x * v.v_b.x), fma(t.a.y, v.v_a.y, t.b.y * v.v_b.y),
                     fma(t.a.z, v.v_a.z, t.b.z * v.v_b.z)};
  const Vec3<F> sa{scale.x * v.v_a.x, scale.y * v.v_a.y, scale.z * v.v_a.z};
  const Vec3<F> sb{scale.x * v.v_b.x, scale.y * v.v_b.y, scale.z * v.v_b.z};
  const Vec3<F> rows[3] = {t.r0.x * sa + t.r1.x * sb, t.r0.y * sa + t.r1.y * sb, t.r0.z * sa + t.r1.z * sb};
  out.v_quat = rotation_from_quat_vjp(quat, Mat3<F>{{{rows[0].x, rows[0].y, rows[0].z},
                                                     {rows[1].x, rows[1].y, rows[1].z},
                                                     {rows[2].x, rows[2].y, rows[2].z}}});
  out.v_mean = transposed_times(view.rotation, place_vjp(view, t, factor, v, v_mean_px).v_p_cam);
  return out;
}

// A small motion of the camera's frame, x <- x + rotation x x + translation: a twist to the left of cam_from_world.
template <class F>
struct Twist {
  Vec3<F> translation;  // world units
  Vec3<F> rotation;     // radians
};

// The gradient by a twist of the view's pose, at none. The rotation turns the place, and the rows of W with it. The
// colour's dependence on the view direction is added by parameter_chain.h. Garbage as above.
template <class F>
SPLAT_INLINE Twist<F> project_vjp_by_pose(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                          const Vec3<F>& scale, const Vec2<F>& v_mean_px, const Sym2<F>& v_conic,
                                          F v_compensation) {
  const Mat3<F> factor = covariance_factor(rotation_from_quat(quat), scale);
  const Vec3<F> p_cam = camera_from_world(view, mean);
  const ProjectionTerms<F> t = projection_terms(view, p_cam, factor);
  const AxesGradient<F> v_axes = axes_vjp(t, sharp_covariance_vjp(t, v_conic, v_compensation));
  const PlaceGradient<F> v = place_vjp(view, t, factor, v_axes, v_mean_px);
  // By the rows W0, W1, W2 of the view's rotation, each in the camera's frame.
  const F u = clamp(t.u, view.u_min, view.u_max), v_clamped = clamp(t.v, view.v_min, view.v_max);
  const Vec3<F> w0 = (view.fx * t.inv_z) * (view.rotation * v.v_r0),
                w1 = (view.fy * t.inv_z) * (view.rotation * v.v_r1);
  const Vec3<F> w2 = F(-1) * (u * w0 + v_clamped * w1);
  return {v.v_p_cam, cross(p_cam, v.v_p_cam) + Vec3<F>{w2.y - w1.z, w0.z - w2.x, w1.x - w0.y}};
}

}  // namespace splat::math
