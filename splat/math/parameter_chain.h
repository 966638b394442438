// One splat from its parameters to the screen and back, over a number type F (number.h): what is visible and how large,
// its colour, and from the sums over its pixels to the gradients by all 59 parameters. Backends add how splats are
// shared out and stored: `Splat` reads one splat, or a vector of them, by mean(), quat(), scale(), opacity()
// (activated: exp, sigmoid) and sh(k), in world units. Kerbl et al. 2023, sections 4 to 6 and appendix A.
#pragma once

#include "splat/math/activation.h"
#include "splat/math/plane.h"
#include "splat/math/sh.h"
#include "splat/math/tile_bounds.h"

namespace splat::math {

template <class F>
SPLAT_INLINE Mask<F> all_finite(const Vec3<F>& a) {
  return all_of(is_finite(a.x), is_finite(a.y), is_finite(a.z));
}

// ---- forward

// Where a splat is on the screen.
template <class F>
struct Footprint {
  Projection<F> projection;
  F opacity;  // with the compensation when antialiasing
  Ellipse<F> ellipse;
  Mask<F> in_view;  // with a finite colour: visible, in every backend
};
// opacity: as it is blended.
template <class F>
SPLAT_INLINE Footprint<F> footprint_of(const ViewParams<F>& view, const Projection<F>& p, F opacity) {
  Footprint<F> out;
  out.projection = p;
  out.opacity = opacity;
  out.ellipse = make_ellipse(threshold_power(out.opacity), p.covariance, p.determinant, p.conic);
  const Mask<F> on_screen =
      overlaps_image(p.mean_px, out.ellipse.half_x, out.ellipse.rows.half_y, view.width, view.height);
  out.in_view = all_of(p.valid, out.opacity >= F(kAlphaMin), on_screen);
  return out;
}
// opacity_factor: of dropout, else 1.
template <class F, class Splat>
SPLAT_INLINE Footprint<F> footprint(const ViewParams<F>& view, bool antialias, F opacity_factor, const Splat& splat) {
  const Projection<F> p = project(view, splat.mean(), splat.quat(), splat.scale());
  F opacity = opacity_factor * splat.opacity();
  if (antialias) opacity = opacity * p.compensation;
  return footprint_of(view, p, opacity);
}

// The colour seen from the view's centre, before clamp_colour(); not finite where the parameters are not.
template <class F, class Splat>
SPLAT_INLINE Vec3<F> unclamped_colour_of(const ViewParams<F>& view, int degree, const Splat& splat) {
  F basis[kMaxCoefficients];
  sh_basis(degree, view_direction(splat.mean(), view.centre), basis);
  return sh_colour_sum((degree + 1) * (degree + 1), basis, splat);
}

// px, rounded up; what densification calls the splat's radius.
template <class F>
SPLAT_INLINE F three_sigma_radius(const Sym2<F>& covariance) {
  return ceil(F(3) * sqrt(largest_eigenvalue(covariance)));
}

// ---- backward

// From the sums over a splat's pixels to the gradients by its projection. v_colour is that before the clamp.
template <class F>
SPLAT_INLINE SplatGradient<F> projected_gradient(const SplatMoments<F>& moments, const WeightForm<F>& form, F opacity,
                                                 const Vec3<F>& colour) {
  SplatGradient<F> g = moments_to_gradients(moments, conic_of(form), opacity);
  g.v_colour = colour_clamp_vjp(colour, g.v_colour);
  return g;
}
template <class F>
SPLAT_INLINE Mask<F> all_finite(const SplatGradient<F>& g) {
  return all_of(is_finite(g.v_mean_px.x), is_finite(g.v_mean_px.y), is_finite(g.v_conic.xx), is_finite(g.v_conic.xy),
                is_finite(g.v_conic.yy), is_finite(g.v_opacity), all_finite(g.v_colour));
}

// |dL/d mean2d| in units of half the image, which densification adds up (DensifyStatistics).
template <class F>
SPLAT_INLINE F screen_gradient_norm(const Vec2<F>& v_mean_px, F half_width, F half_height) {
  const F x = half_width * v_mean_px.x, y = half_height * v_mean_px.y;
  return sqrt(fma(x, x, y * y));
}

// By the parameters but SH.
template <class F>
struct GeometryGradient {
  Vec3<F> v_mean, v_log_scale;
  Quat<F> v_quat;
  F v_logit_opacity;
};
template <class F>
SPLAT_INLINE GeometryGradient<F> no_geometry_gradient() {
  const Vec3<F> zero{F(0), F(0), F(0)};
  return {zero, zero, {F(0), F(0), F(0), F(0)}, F(0)};
}
template <class F>
SPLAT_INLINE Mask<F> all_finite(const GeometryGradient<F>& g) {
  return all_of(all_finite(g.v_mean), all_finite(g.v_log_scale), is_finite(g.v_quat.w), is_finite(g.v_quat.x),
                is_finite(g.v_quat.y), is_finite(g.v_quat.z), is_finite(g.v_logit_opacity));
}
template <class F>
SPLAT_INLINE GeometryGradient<F> zero_unless(Mask<F> keep, const GeometryGradient<F>& g) {
  const Vec3<F> zero{F(0), F(0), F(0)};
  return {select(keep, g.v_mean, zero),
          select(keep, g.v_log_scale, zero),
          {zero_unless(keep, g.v_quat.w), zero_unless(keep, g.v_quat.x), zero_unless(keep, g.v_quat.y),
           zero_unless(keep, g.v_quat.z)},
          zero_unless(keep, g.v_logit_opacity)};
}

// What the colour's dependence on the view direction adds to v_mean: dL/d(basis) summed over the channels, then by the
// direction and the mean.
template <class F, class Splat>
SPLAT_INLINE Vec3<F> colour_of_vjp_by_mean(const ViewParams<F>& view, int degree, const Splat& splat,
                                           const Vec3<F>& direction, const Vec3<F>& v_colour) {
  F v_basis[kMaxCoefficients];
  SPLAT_UNROLL
  for (int k = 0; k < kMaxCoefficients; ++k)
    if (k < (degree + 1) * (degree + 1)) v_basis[k] = dot(splat.sh(k), v_colour);
  return view_direction_vjp(splat.mean(), view.centre, sh_basis_vjp(degree, direction, v_basis));
}

// Through projection and opacity, without the colour's part of v_mean.
template <class F, class Splat>
SPLAT_INLINE GeometryGradient<F> footprint_vjp(const ViewParams<F>& view, bool antialias, F opacity_factor,
                                               const Splat& splat, const SplatGradient<F>& g) {
  const Vec3<F> mean = splat.mean(), scale = splat.scale();
  const Quat<F> quat = splat.quat();
  const F opacity = splat.opacity();
  F v_opacity = opacity_factor * g.v_opacity, v_compensation = F(0);
  if (antialias) {
    v_compensation = v_opacity * opacity;
    v_opacity = v_opacity * project(view, mean, quat, scale).compensation;
  }
  const ProjectionGradient<F> p = project_vjp(view, mean, quat, scale, g.v_mean_px, g.v_conic, v_compensation);
  return {p.v_mean, p.v_log_scale, p.v_quat, sigmoid_vjp(opacity, v_opacity)};
}

template <class F>
SPLAT_INLINE Twist<F> finite_or_none(Mask<F> keep, const Twist<F>& v) {
  keep = all_of(keep, all_finite(v.translation), all_finite(v.rotation));
  const Vec3<F> zero{F(0), F(0), F(0)};
  return {select(keep, v.translation, zero), select(keep, v.rotation, zero)};
}
template <class F>
SPLAT_INLINE Twist<F> operator+(const Twist<F>& a, const Twist<F>& b) {
  return {a.translation + b.translation, a.rotation + b.rotation};
}

// By a twist of the view's pose (project.h); zero where `keep` is false or the result is not finite. Turning the camera
// leaves the directions from it as they are, moving it by t moves its centre by -W^T t.
template <class F, class Splat>
SPLAT_INLINE Twist<F> pose_gradient(const ViewParams<F>& view, bool antialias, F opacity_factor, int degree,
                                    const Splat& splat, const SplatGradient<F>& g, Mask<F> keep) {
  const Vec3<F> mean = splat.mean();
  const F v_compensation = antialias ? opacity_factor * g.v_opacity * splat.opacity() : F(0);
  Twist<F> v = project_vjp_by_pose(view, mean, splat.quat(), splat.scale(), g.v_mean_px, g.v_conic, v_compensation);
  const Vec3<F> direction = view_direction(mean, view.centre);
  v.translation = v.translation + view.rotation * colour_of_vjp_by_mean(view, degree, splat, direction, g.v_colour);
  return finite_or_none(keep, v);
}

template <class F>
struct ParameterGradient {
  GeometryGradient<F> geometry;
  Vec3<F> v_colour;
  F basis[kMaxCoefficients];  // the gradient by sh(k) is basis[k] v_colour; 0 above the degree
};
// By all parameters; zero where `keep` is false or the result is not finite. Into `out`, because returning it copies
// the basis.
template <class F, class Splat>
SPLAT_INLINE void parameter_gradient(const ViewParams<F>& view, bool antialias, F opacity_factor, int degree,
                                     const Splat& splat, const SplatGradient<F>& g, Mask<F> keep,
                                     ParameterGradient<F>& out) {
  const Vec3<F> direction = view_direction(splat.mean(), view.centre);
  sh_basis(degree, direction, out.basis);
  SPLAT_UNROLL
  for (int k = (degree + 1) * (degree + 1); k < kMaxCoefficients; ++k) out.basis[k] = F(0);
  const Vec3<F> by_colour = colour_of_vjp_by_mean(view, degree, splat, direction, g.v_colour);
  out.geometry = footprint_vjp(view, antialias, opacity_factor, splat, g);
  out.geometry.v_mean = out.geometry.v_mean + by_colour;
  keep = all_of(keep, all_finite(out.geometry));
  out.geometry = zero_unless(keep, out.geometry);
  out.v_colour = select(keep, g.v_colour, Vec3<F>{F(0), F(0), F(0)});
  SPLAT_UNROLL
  for (int k = 0; k < kMaxCoefficients; ++k) out.basis[k] = zero_unless(keep, out.basis[k]);
}
template <class F>
SPLAT_INLINE void no_parameter_gradient(ParameterGradient<F>& out) {
  out.geometry = no_geometry_gradient<F>();
  out.v_colour = {F(0), F(0), F(0)};
  SPLAT_UNROLL
  for (int k = 0; k < kMaxCoefficients; ++k) out.basis[k] = F(0);
}

// What a splat's plane in the camera's frame (plane.h) adds.
template <class F, class Splat>
SPLAT_INLINE void add_plane_gradient(const ViewParams<F>& view, bool facing, const Splat& splat, const Vec3<F>& v_plane,
                                     Mask<F> keep, GeometryGradient<F>& g) {
  if (facing) {
    const Vec3<F> v_mean = facing_plane_vjp(view, splat.mean(), v_plane);
    g.v_mean = g.v_mean + select(all_of(keep, all_finite(v_mean)), v_mean, Vec3<F>{F(0), F(0), F(0)});
    return;
  }
  const PlaneGradient<F> v = plane_of_vjp(view, splat.mean(), splat.quat(), splat.scale(), v_plane);
  keep = all_of(keep, all_finite(v.v_mean), is_finite(v.v_quat.w), is_finite(v.v_quat.x), is_finite(v.v_quat.y),
                is_finite(v.v_quat.z));
  g.v_mean = g.v_mean + select(keep, v.v_mean, Vec3<F>{F(0), F(0), F(0)});
  g.v_quat = {g.v_quat.w + zero_unless(keep, v.v_quat.w), g.v_quat.x + zero_unless(keep, v.v_quat.x),
              g.v_quat.y + zero_unless(keep, v.v_quat.y), g.v_quat.z + zero_unless(keep, v.v_quat.z)};
}

// By a twist of the view's pose, from the gradients by mean and quaternion that are due to the plane alone: in the
// camera's frame the splat moves with its axes as a rigid body.
template <class F, class Splat>
SPLAT_INLINE Twist<F> pose_gradient_of_plane(const ViewParams<F>& view, const Splat& splat,
                                             const GeometryGradient<F>& g, Mask<F> keep) {
  const Vec3<F> v_p_cam = view.rotation * g.v_mean;
  const Quat<F> q = splat.quat();
  const Vec3<F> axis{q.x, q.y, q.z}, v_axis{g.v_quat.x, g.v_quat.y, g.v_quat.z};
  // q turned by a small w is q + (0, w / 2) q.
  const Vec3<F> v_turn = F(0.5) * (q.w * v_axis - g.v_quat.w * axis + cross(axis, v_axis));
  const Twist<F> v{v_p_cam, cross(camera_from_world(view, splat.mean()), v_p_cam) + view.rotation * v_turn};
  return finite_or_none(keep, v);
}

// By splat.
template <class Weight>
struct RegularizerWeights {
  Weight opacity, scale, thickness;  // of the opacity, of the sum of the three scales, of the smallest one
};

// Adds the gradients of what the weights say; a splat where they are not finite gets none. Weights of 0 cost nothing.
template <class F, class Splat, class Weight>
SPLAT_INLINE void add_regularizers(const RegularizerWeights<Weight>& weights, const Splat& splat,
                                   GeometryGradient<F>& g) {
  if (weights.opacity != 0) {
    const F v = sigmoid_vjp(splat.opacity(), F(weights.opacity));
    g.v_logit_opacity = g.v_logit_opacity + zero_unless(is_finite(v), v);
  }
  if (weights.scale != 0 || weights.thickness != 0) {
    const Vec3<F> scale = splat.scale();
    const ThinAxis<F> thin = thin_axis(scale);
    const F all(weights.scale), thinnest(weights.scale + weights.thickness);
    const Vec3<F> v{select(thin.x, thinnest, all) * scale.x, select(thin.y, thinnest, all) * scale.y,
                    select(all_of(!thin.x, !thin.y), thinnest, all) * scale.z};
    g.v_log_scale.x = g.v_log_scale.x + zero_unless(is_finite(v.x), v.x);
    g.v_log_scale.y = g.v_log_scale.y + zero_unless(is_finite(v.y), v.y);
    g.v_log_scale.z = g.v_log_scale.z + zero_unless(is_finite(v.z), v.z);
  }
}

}  // namespace splat::math
