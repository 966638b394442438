// EWA projection of a splat into a pinhole view: Zwicker et al., "EWA splatting", 2002, with the clamped Jacobian and
// the low-pass of Kerbl et al. 2023 and the opacity compensation of Yu et al., "Mip-Splatting", CVPR 2024, equation 9.
// In: world mean, and quaternion and scale (activated) or a factor of the covariance (covariance.h). Out: centre in px,
// depth, 2D covariance in px^2, its inverse (the conic). With W the view's rotation, (u,v) = (x/z, y/z) clamped: the
// rows of J W are r0 = fx/z (W0 - u W2), r1 = fy/z (W1 - v W2). The 2D covariance is the Gram matrix of a = (R S)^T r0
// and b = (R S)^T r1, so its determinant is |a x b|^2: no cancellation for thin splats, in float either.
#pragma once

#include "splat/math/covariance.h"
#include "splat/math/sight.h"

namespace splat::math {

// How the low pass is made up for, by the determinants D0 and D1 of the 2D covariance before and after it.
enum class Compensation : int {
  kRatio,    // sqrt(D0 / D1)
  kMip,      // sqrt(D0 / (D1 + 1e-6) + 1e-6), 0 where either is at most 1e-6: Mip-Splatting's own rasteriser
  kFloored,  // sqrt(max(2.5e-5, D0 / D1)): INRIA's
};

template <class F>
struct ViewParams {
  Mat3<F> rotation;         // cam_from_world
  Vec3<F> translation;      // cam_from_world
  Vec3<F> centre;           // of the camera, in the world
  F fx, fy, cx, cy;         // px
  F width, height;          // px
  F u_min, u_max;           // limits of x/z in the Jacobian
  F v_min, v_max;           // limits of y/z
  F near_plane, far_plane;  // z of what is drawn
  F low_pass;               // px^2 added to the 2D covariance's diagonal
};

template <class F, class View>
inline ViewParams<F> make_view_params(const View& view, double low_pass = kLowPass) {
  ViewParams<F> p;
  set_pinhole<F>(p, view);
  const auto& camera = view.camera;
  const double width = camera.width, height = camera.height, fx = camera.fx, fy = camera.fy;
  const double cx = camera.cx, cy = camera.cy;
  p.u_min = F((-kJacobianMargin * width - cx) / fx), p.u_max = F(((1 + kJacobianMargin) * width - cx) / fx);
  p.v_min = F((-kJacobianMargin * height - cy) / fy), p.v_max = F(((1 + kJacobianMargin) * height - cy) / fy);
  p.near_plane = F(kNearPlane), p.far_plane = F(kMaxFinite);
  p.low_pass = F(low_pass);
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
  F compensation;      // for the low pass: multiplies the opacity when antialiasing
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
SPLAT_INLINE F blurred_determinant(const ProjectionTerms<F>& t, F low_pass) {
  return t.sharp_determinant + low_pass * (t.sharp.xx + t.sharp.yy + low_pass);
}

// The inverse of the blurred covariance.
template <class F>
SPLAT_INLINE Sym2<F> blurred_conic(const ProjectionTerms<F>& t, F low_pass, F inv_determinant) {
  return {(t.sharp.yy + low_pass) * inv_determinant, -t.sharp.xy * inv_determinant,
          (t.sharp.xx + low_pass) * inv_determinant};
}

template <class F>
SPLAT_INLINE F compensation_of(Compensation kind, F sharp_determinant, F determinant, F inv_determinant) {
  const F ratio = sharp_determinant * inv_determinant;
  if (kind == Compensation::kFloored) return sqrt(max(ratio, F(kLeastRatio)));
  if (kind == Compensation::kRatio) return sqrt(ratio);
  const F small(kMipSmall);
  const Mask<F> thick = sharp_determinant > small, wide = determinant > small;
  return zero_unless(thick & wide, sqrt(fma(sharp_determinant, rcp(determinant + small), small)));
}
// The gradients by D0 and D1, with dc = c/2 (dD0/D0 - dD1/D1) of a ratio. A compensation of ~0 (a splat seen edge-on)
// passes nothing, nor does one at its floor.
template <class F>
struct DeterminantsGradient {
  F v_sharp, v_blurred;
};
template <class F>
SPLAT_INLINE DeterminantsGradient<F> compensation_vjp(Compensation kind, F sharp_determinant, F determinant,
                                                      F inv_determinant, F v) {
  if (kind == Compensation::kMip) {
    const F small(kMipSmall), per = rcp(determinant + small);
    const Mask<F> thick = sharp_determinant > small, wide = determinant > small;
    const F half = F(0.5) * v * per * rsqrt(fma(sharp_determinant, per, small));
    return {zero_unless(thick & wide, half), zero_unless(thick & wide, -half * (sharp_determinant * per))};
  }
  const F ratio = sharp_determinant * inv_determinant;
  const Mask<F> thick = sharp_determinant > F(kDeterminantMin),
                passes = kind == Compensation::kRatio ? thick : ratio > F(kLeastRatio);
  const F half_c = F(0.5) * v * sqrt(ratio);
  return {select(passes, half_c * rcp(sharp_determinant), F(0)), select(passes, -half_c * inv_determinant, F(0))};
}

template <class F>
SPLAT_INLINE Projection<F> project(const ViewParams<F>& view, const Vec3<F>& mean, const Mat3<F>& factor,
                                   Compensation kind = Compensation::kRatio) {
  const Vec3<F> p_cam = camera_from_world(view, mean);
  const ProjectionTerms<F> t = projection_terms(view, p_cam, factor);
  Projection<F> out;
  out.mean_px = {fma(view.fx, t.u, view.cx), fma(view.fy, t.v, view.cy)};
  out.depth = p_cam.z;
  out.covariance = {t.sharp.xx + view.low_pass, t.sharp.xy, t.sharp.yy + view.low_pass};
  out.determinant = blurred_determinant(t, view.low_pass);
  const F inv_determinant = rcp(out.determinant);
  out.conic = blurred_conic(t, view.low_pass, inv_determinant);
  out.compensation = compensation_of(kind, t.sharp_determinant, out.determinant, inv_determinant);
  const Mask<F> in_front = out.depth >= view.near_plane, not_endless = out.depth <= view.far_plane;
  const Mask<F> x_sane = abs(out.mean_px.x) < F(kMaxMeanPx), y_sane = abs(out.mean_px.y) < F(kMaxMeanPx);
  const Mask<F> not_flat = out.determinant > F(kDeterminantMin), not_huge = out.determinant < F(kDeterminantMax);
  out.valid = in_front & not_endless & x_sane & y_sane & not_flat & not_huge;
  return out;
}
template <class F>
SPLAT_INLINE Projection<F> project(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                   const Vec3<F>& scale) {
  return project(view, mean, covariance_factor(rotation_from_quat(quat), scale));
}

template <class F>
struct ProjectionGradient {
  Vec3<F> v_mean;  // world; the colour's dependence on the view direction is added by sh.h
  Quat<F> v_quat;
  Vec3<F> v_log_scale;
};

// The gradient by the sharp covariance's entries, from those by the conic and the compensation: v_Sigma = -K v_K K.
template <class F>
SPLAT_INLINE Sym2<F> sharp_covariance_vjp(const ViewParams<F>& view, const ProjectionTerms<F>& t,
                                          const Sym2<F>& v_conic, F v_compensation, Compensation kind) {
  const F low_pass = view.low_pass, determinant = blurred_determinant(t, low_pass), inv_determinant = rcp(determinant);
  const Sym2<F> k = blurred_conic(t, low_pass, inv_determinant);
  const F half_b = F(0.5) * v_conic.xy;
  const F kv_xx = fma(k.xx, v_conic.xx, k.xy * half_b), kv_xy = fma(k.xx, half_b, k.xy * v_conic.yy);
  const F kv_yx = fma(k.xy, v_conic.xx, k.yy * half_b), kv_yy = fma(k.xy, half_b, k.yy * v_conic.yy);
  const DeterminantsGradient<F> v =
      compensation_vjp(kind, t.sharp_determinant, determinant, inv_determinant, v_compensation);
  const F v_d1 = v.v_blurred, v_both = v.v_sharp + v_d1;
  return {v_both * t.sharp.yy + v_d1 * low_pass - fma(kv_xx, k.xx, kv_xy * k.xy),
          F(-2) * (v_both * t.sharp.xy + fma(kv_xx, k.xy, kv_xy * k.yy)),
          v_both * t.sharp.xx + v_d1 * low_pass - fma(kv_yx, k.xy, kv_yy * k.yy)};
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

// What the gradients by every parameter begin with.
template <class F>
struct ProjectionAdjoint {
  Vec3<F> p_cam;
  ProjectionTerms<F> terms;
  Sym2<F> v_sharp;
  AxesGradient<F> axes;
  PlaceGradient<F> place;
};
template <class F>
SPLAT_INLINE ProjectionAdjoint<F> projection_adjoint(const ViewParams<F>& view, const Vec3<F>& mean,
                                                     const Mat3<F>& factor, const Vec2<F>& v_mean_px,
                                                     const Sym2<F>& v_conic, F v_compensation,
                                                     Compensation kind = Compensation::kRatio) {
  ProjectionAdjoint<F> out;
  out.p_cam = camera_from_world(view, mean);
  out.terms = projection_terms(view, out.p_cam, factor);
  out.v_sharp = sharp_covariance_vjp(view, out.terms, v_conic, v_compensation, kind);
  out.axes = axes_vjp(out.terms, out.v_sharp);
  out.place = place_vjp(view, out.terms, factor, out.axes, v_mean_px);
  return out;
}

// By the factors of the columns of R S: with a and b by their logarithms, with R^T r0 and R^T r1 by themselves.
template <class F>
SPLAT_INLINE Vec3<F> column_factors_vjp(const Vec3<F>& a, const Vec3<F>& b, const AxesGradient<F>& v) {
  return {fma(a.x, v.v_a.x, b.x * v.v_b.x), fma(a.y, v.v_a.y, b.y * v.v_b.y), fma(a.z, v.v_a.z, b.z * v.v_b.z)};
}
// By R.
template <class F>
SPLAT_INLINE Mat3<F> splat_rotation_vjp(const ProjectionTerms<F>& t, const Vec3<F>& scale, const AxesGradient<F>& v) {
  const Vec3<F> sa{scale.x * v.v_a.x, scale.y * v.v_a.y, scale.z * v.v_a.z};
  const Vec3<F> sb{scale.x * v.v_b.x, scale.y * v.v_b.y, scale.z * v.v_b.z};
  const Vec3<F> rows[3] = {t.r0.x * sa + t.r1.x * sb, t.r0.y * sa + t.r1.y * sb, t.r0.z * sa + t.r1.z * sb};
  return {{{rows[0].x, rows[0].y, rows[0].z}, {rows[1].x, rows[1].y, rows[1].z}, {rows[2].x, rows[2].y, rows[2].z}}};
}

// Without antialiasing pass v_compensation = 0. Lanes that are not valid come out as garbage: mask them.
template <class F>
SPLAT_INLINE ProjectionGradient<F> project_vjp(const ViewParams<F>& view, const Vec3<F>& mean, const Quat<F>& quat,
                                               const Vec3<F>& scale, const Vec2<F>& v_mean_px, const Sym2<F>& v_conic,
                                               F v_compensation) {
  const ProjectionAdjoint<F> v = projection_adjoint(view, mean, covariance_factor(rotation_from_quat(quat), scale),
                                                    v_mean_px, v_conic, v_compensation);
  return {transposed_times(view.rotation, v.place.v_p_cam),
          rotation_from_quat_vjp(quat, splat_rotation_vjp(v.terms, scale, v.axes)),
          column_factors_vjp(v.terms.a, v.terms.b, v.axes)};
}

// By the rows W0, W1, W2 of the view's rotation, from those by r0 and r1 in any one frame.
template <class F>
struct ViewRowsGradient {
  Vec3<F> v_w0, v_w1, v_w2;
};
template <class F>
SPLAT_INLINE ViewRowsGradient<F> view_rows_vjp(const ViewParams<F>& view, const ProjectionTerms<F>& t,
                                               const Vec3<F>& v_r0, const Vec3<F>& v_r1) {
  const F u = clamp(t.u, view.u_min, view.u_max), v = clamp(t.v, view.v_min, view.v_max);
  const Vec3<F> w0 = (view.fx * t.inv_z) * v_r0, w1 = (view.fy * t.inv_z) * v_r1;
  return {w0, w1, F(-1) * (u * w0 + v * w1)};
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
  const ProjectionAdjoint<F> v = projection_adjoint(view, mean, covariance_factor(rotation_from_quat(quat), scale),
                                                    v_mean_px, v_conic, v_compensation);
  // Each in the camera's frame.
  const ViewRowsGradient<F> w =
      view_rows_vjp(view, v.terms, view.rotation * v.place.v_r0, view.rotation * v.place.v_r1);
  return {v.place.v_p_cam,
          cross(v.p_cam, v.place.v_p_cam) + Vec3<F>{w.v_w2.y - w.v_w1.z, w.v_w0.z - w.v_w2.x, w.v_w1.x - w.v_w0.y}};
}

}  // namespace splat::math
