// One splat of an array of others (splat/raster/raster.h) to the screen and back: what parameter_chain.h is for the
// parameters of training. Values are used as they are: scales and opacities linear, quaternions normalised or raw, or
// covariances; gradients are by these values. Kerbl et al. 2023; radii: Ye et al., "gsplat", 2024.
#pragma once

#include "splat/math/parameter_chain.h"

namespace splat::math {

// What says how a splat is shaped.
enum class ShapeKind : int { kQuats, kRawQuats, kCovariances };

// Quaternion and scale, or covariance; likewise a gradient by them.
template <class F>
struct Shape {
  Quat<F> quat;
  Vec3<F> scale;
  Sym3<F> covariance;
};

template <class F>
SPLAT_INLINE Mat3<F> shape_rotation(ShapeKind kind, const Quat<F>& quat) {
  return kind == ShapeKind::kRawQuats ? rotation_from_raw_quat(quat) : rotation_from_quat(quat);
}
template <class F>
SPLAT_INLINE Mat3<F> covariance_factor(ShapeKind kind, const Shape<F>& shape) {
  if (kind == ShapeKind::kCovariances) return covariance_factor(shape.covariance);
  return covariance_factor(shape_rotation(kind, shape.quat), shape.scale);
}

// How splats of a scene become opaque ellipses.
struct RasterRules {
  ShapeKind shape = ShapeKind::kQuats;
  bool compensated = false;
  Compensation compensation = Compensation::kRatio;
};

template <class F>
struct RasterSplat {
  Vec3<F> mean;
  Shape<F> shape;
  F opacity;
};
template <class F>
SPLAT_INLINE Footprint<F> raster_footprint(const ViewParams<F>& view, const RasterRules& rules,
                                           const RasterSplat<F>& splat) {
  const Projection<F> p = project(view, splat.mean, covariance_factor(rules.shape, splat.shape), rules.compensation);
  return footprint_of(view, p, rules.compensated ? splat.opacity * p.compensation : splat.opacity);
}

// ---- radii, px

// Half of the width and of the height of where a splat of this opacity is seen, rounded up.
template <class F>
SPLAT_INLINE Vec2<F> seen_radii(const Sym2<F>& covariance, F opacity) {
  const F extent = min(F(kMostExtent), sqrt(max(F(-2) * threshold_power(opacity), F(0))));
  return {ceil(extent * sqrt(covariance.xx)), ceil(extent * sqrt(covariance.yy))};
}
// In INRIA's code, where the larger eigenvalue lies at least sqrt(0.1) above the mean of both.
template <class F>
SPLAT_INLINE F square_radius(const Sym2<F>& covariance) {
  const F half_difference = F(0.5) * (covariance.xx - covariance.yy);
  const F square = fma(half_difference, half_difference, covariance.xy * covariance.xy);
  return ceil(F(3) * sqrt(F(0.5) * (covariance.xx + covariance.yy) + sqrt(max(square, F(0.1)))));
}
// The tiles of one axis that a square of this radius about the centre meets, as INRIA's getRect() counts them, where
// the centres of pixels are whole numbers: half a pixel before ours.
template <class F>
SPLAT_INLINE TileSpan<F> square_tiles(F centre, F radius, int tiles) {
  const F at = centre - F(0.5);
  const F first = floor((at - radius) * F(1.0 / kTileSize));
  const F end = floor((at + radius + F(kTileSize - 1)) * F(1.0 / kTileSize));
  return {max(first, F(0)), min(end, F(tiles)) - F(1)};
}
template <class F>
SPLAT_INLINE TileSpan<F> intersection(const TileSpan<F>& a, const TileSpan<F>& b) {
  return {max(a.first, b.first), min(a.last, b.last)};
}

// ---- backward

// v_Sigma = xx r0 r0^T + xy/2 (r0 r1^T + r1 r0^T) + yy r1 r1^T, by its stored entries.
template <class F>
SPLAT_INLINE Sym3<F> covariance_vjp(const ProjectionTerms<F>& t, const Sym2<F>& v_sharp) {
  const F half_xy = F(0.5) * v_sharp.xy;
  const Vec3<F> p = v_sharp.xx * t.r0 + half_xy * t.r1, q = half_xy * t.r0 + v_sharp.yy * t.r1;
  return {fma(t.r0.x, p.x, t.r1.x * q.x), F(2) * fma(t.r0.x, p.y, t.r1.x * q.y), F(2) * fma(t.r0.x, p.z, t.r1.x * q.z),
          fma(t.r0.y, p.y, t.r1.y * q.y), F(2) * fma(t.r0.y, p.z, t.r1.y * q.z), fma(t.r0.z, p.z, t.r1.z * q.z)};
}

template <class F>
SPLAT_INLINE Shape<F> shape_vjp(ShapeKind kind, const Shape<F>& shape, const ProjectionAdjoint<F>& v) {
  const F zero(0);
  Shape<F> out{{zero, zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero, zero, zero, zero}};
  if (kind == ShapeKind::kCovariances) {
    out.covariance = covariance_vjp(v.terms, v.v_sharp);
    return out;
  }
  const Mat3<F> rotation = shape_rotation(kind, shape.quat),
                v_rotation = splat_rotation_vjp(v.terms, shape.scale, v.axes);
  out.quat = kind == ShapeKind::kRawQuats ? rotation_from_raw_quat_vjp(shape.quat, v_rotation)
                                          : rotation_from_quat_vjp(shape.quat, v_rotation);
  out.scale =
      column_factors_vjp(transposed_times(rotation, v.terms.r0), transposed_times(rotation, v.terms.r1), v.axes);
  return out;
}

// By the entries of [R|t], free of each other.
template <class F>
struct CameraGradient {
  Mat3<F> v_rotation;
  Vec3<F> v_translation;
};
// v_place: by the place in the camera's frame; v_direction: what of the gradient by the mean came through the colour's
// direction, from the centre -R^-1 t.
template <class F>
SPLAT_INLINE CameraGradient<F> camera_vjp(const ViewParams<F>& view, const Vec3<F>& mean, const ProjectionAdjoint<F>& v,
                                          const Vec3<F>& v_place, const Vec3<F>& v_direction) {
  const ViewRowsGradient<F> w = view_rows_vjp(view, v.terms, v.place.v_r0, v.place.v_r1);
  const Vec3<F> by_centre = view.rotation * v_direction;
  const Vec3<F> rows[3] = {w.v_w0 + v_place.x * mean + by_centre.x * view.centre,
                           w.v_w1 + v_place.y * mean + by_centre.y * view.centre,
                           w.v_w2 + v_place.z * mean + by_centre.z * view.centre};
  return {{{{rows[0].x, rows[0].y, rows[0].z}, {rows[1].x, rows[1].y, rows[1].z}, {rows[2].x, rows[2].y, rows[2].z}}},
          v_place + by_centre};
}

template <class F>
struct RasterGradient {
  Vec3<F> v_mean;
  Shape<F> v_shape;
  F v_opacity;
  CameraGradient<F> camera;
};
// v_z: by the depth as a channel; v_direction as in camera_vjp().
template <class F>
SPLAT_INLINE RasterGradient<F> raster_gradient(const ViewParams<F>& view, const RasterRules& rules,
                                               const RasterSplat<F>& splat, const SplatGradient<F>& g, F v_z,
                                               const Vec3<F>& v_direction) {
  const Mat3<F> factor = covariance_factor(rules.shape, splat.shape);
  F v_opacity = g.v_opacity, v_compensation = F(0);
  if (rules.compensated) {
    v_compensation = v_opacity * splat.opacity;
    v_opacity = v_opacity * project(view, splat.mean, factor, rules.compensation).compensation;
  }
  const ProjectionAdjoint<F> v =
      projection_adjoint(view, splat.mean, factor, g.v_mean_px, g.v_conic, v_compensation, rules.compensation);
  const Vec3<F> v_place = v.place.v_p_cam + Vec3<F>{F(0), F(0), v_z};
  return {transposed_times(view.rotation, v_place) + v_direction, shape_vjp(rules.shape, splat.shape, v), v_opacity,
          camera_vjp(view, splat.mean, v, v_place, v_direction)};
}

template <class F>
SPLAT_INLINE Mask<F> all_finite(const Quat<F>& q) {
  return all_of(is_finite(q.w), is_finite(q.x), is_finite(q.y), is_finite(q.z));
}
template <class F>
SPLAT_INLINE Mask<F> all_finite(const RasterGradient<F>& g) {
  const Sym3<F>& s = g.v_shape.covariance;
  return all_of(all_finite(g.v_mean), all_finite(g.v_shape.quat), all_finite(g.v_shape.scale), is_finite(g.v_opacity),
                is_finite(s.xx), is_finite(s.xy), is_finite(s.xz), is_finite(s.yy), is_finite(s.yz), is_finite(s.zz));
}

// ---- depth as a channel

// sum: of w z; alpha: what was drawn. And back.
template <class F>
SPLAT_INLINE F expected_depth(F sum, F alpha) {
  return sum * rcp(max(alpha, F(kLeastAlpha)));
}
template <class F>
struct ExpectedDepthGradient {
  F v_sum, v_alpha;
};
template <class F>
SPLAT_INLINE ExpectedDepthGradient<F> expected_depth_vjp(F sum, F alpha, F v) {
  const F v_sum = v * rcp(max(alpha, F(kLeastAlpha)));
  return {v_sum, zero_unless(alpha > F(kLeastAlpha), -v_sum * expected_depth(sum, alpha))};
}

}  // namespace splat::math
