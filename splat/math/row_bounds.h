// Whether any of some rows can be visible (parameter_chain.h), from the box around their means and their largest scale:
// so that what lies outside a view need not be read. Never false where one is, in float either; true for some that are
// not. With p the mean in the camera's frame, A = s |fx (W0 - u W2)| for the largest scale s, and l the low-pass, the
// half width of a footprint (tile_bounds.h) is at most k (sigma + h sigma^2), sigma <= A/z + sqrt(l), where k is the
// extent of the largest opacity in standard deviations and h what bounded_extent() adds for thin ellipses, whose
// thinness is at most sigma^2/l. Times z, the image's left side is missed where
//   fx x + (cx - 1/2 + k sqrt(l)) z + k A (1 + h A/z) < 0,
// linear in p once z in the last term is the least of the box; the other sides likewise.
#pragma once

#include "splat/math/project.h"
#include "splat/math/tile_bounds.h"

namespace splat::math {

// How far rounding moves a term of these sums, as a share of its size; and a length that is a product of a few.
inline constexpr double kSidesSlack = 4e-6, kReachSlack = 1e-5;

template <class F>
struct RowBounds {
  Vec3<F> low, high;  // of the means, world units
  F log_scale;        // the largest; NaN: nothing is known, and all may be visible
};
template <class F>
SPLAT_INLINE RowBounds<F> bounds_of_no_rows() {
  const F none(__builtin_inf());
  return {{none, none, none}, {-none, -none, -none}, -none};
}
template <class F>
SPLAT_INLINE Mask<F> are_known(const RowBounds<F>& b) {
  return b.log_scale <= b.log_scale;
}
// NaN, which is never visible, adds nothing.
template <class F>
SPLAT_INLINE void widen(F value, F& least, F& most) {
  least = select(value < least, value, least);
  most = select(value > most, value, most);
}
template <class F>
SPLAT_INLINE void include(const Vec3<F>& mean, const Vec3<F>& log_scale, RowBounds<F>& b) {
  widen(mean.x, b.low.x, b.high.x);
  widen(mean.y, b.low.y, b.high.y);
  widen(mean.z, b.low.z, b.high.z);
  const F scales[3] = {log_scale.x, log_scale.y, log_scale.z};
  for (const F scale : scales) b.log_scale = select(scale > b.log_scale, scale, b.log_scale);
}

// In the place of `a` times a mean's coordinate r in the camera's frame plus `b` times its depth.
template <class F>
struct Side {
  Vec3<F> normal, slack;  // slack: of rounding, by the sizes of the mean's coordinates
  F offset;               // its own slack included
  F reach;                // k A of a scale of 1
};
template <class F>
inline Side<F> side_of(const ViewParams<F>& view, int r, double a, double b, double size_of_b, double reach) {
  const auto entry = [&](int i, int axis) { return double(view.rotation.m[i][axis]); };
  const auto normal = [&](int axis) { return F(a * entry(r, axis) + b * entry(2, axis)); };
  const auto size = [&](double x, double z) { return kSidesSlack * (::fabs(a * x) + size_of_b * ::fabs(z)); };
  const auto slack = [&](int axis) { return F(size(entry(r, axis), entry(2, axis))); };
  const Vec3<F>& t = view.translation;
  const double x = double(r == 0 ? t.x : r == 1 ? t.y : t.z), z = double(t.z);
  return {{normal(0), normal(1), normal(2)}, {slack(0), slack(1), slack(2)}, F(a * x + b * z + size(x, z)), F(reach)};
}

// What a view asks of bounds. Host only.
template <class F>
struct Sides {
  Side<F> of_image[4];
  Side<F> front, back;     // depth, and its negative
  F near_plane, thinness;  // thinness: h / k
};
// For splats of opacities up to `most_opacity`: 1, or what dropout makes of it.
template <class F>
inline Sides<F> sides_of(const ViewParams<F>& view, double most_opacity) {
  const double extent = (1 + kReachSlack) * ::sqrt(2 * ::log(most_opacity / kAlphaMin) + kBoundsSlackAbsolute);
  const double blur = ::sqrt(double(view.low_pass)), thinness = (1 + 1e-3) * ::sqrt(kBoundsSlackRelative) / blur;
  const double blurred = extent * (1 + thinness * blur) * blur;  // px
  Sides<F> sides;
  const auto set = [&](int r, double f, double c, double size, double u_min, double u_max) {
    const auto squared = [&](double u) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) {
        const double x = double(view.rotation.m[r][i]) - u * double(view.rotation.m[2][i]);
        sum += x * x;
      }
      return sum;
    };
    const double most = ::sqrt(squared(u_min) > squared(u_max) ? squared(u_min) : squared(u_max));
    const double reach = (1 + kReachSlack) * extent * ::fabs(f) * most, size_of_b = ::fabs(c) + size + blurred;
    sides.of_image[2 * r] = side_of(view, r, f, c - 0.5 + blurred, size_of_b, reach);
    sides.of_image[2 * r + 1] = side_of(view, r, -f, size - 0.5 - c + blurred, size_of_b, reach);
  };
  set(0, double(view.fx), double(view.cx), double(view.width), double(view.u_min), double(view.u_max));
  set(1, double(view.fy), double(view.cy), double(view.height), double(view.v_min), double(view.v_max));
  sides.front = side_of(view, 2, 0, 1, 1, 0);
  sides.back = side_of(view, 2, 0, -1, 1, 0);
  sides.near_plane = view.near_plane;
  sides.thinness = F(thinness / extent);
  return sides;
}

// The most of a side over the box.
template <class F>
SPLAT_INLINE F most_of(F normal, F slack, F low, F high) {
  return fma(slack, max(abs(low), abs(high)), max(normal * low, normal * high));
}
template <class F>
SPLAT_INLINE F most_of(const Side<F>& side, const RowBounds<F>& b) {
  return side.offset + most_of(side.normal.x, side.slack.x, b.low.x, b.high.x) +
         most_of(side.normal.y, side.slack.y, b.low.y, b.high.y) +
         most_of(side.normal.z, side.slack.z, b.low.z, b.high.z);
}

template <class F>
SPLAT_INLINE Mask<F> may_be_visible(const Sides<F>& sides, const RowBounds<F>& b) {
  Mask<F> outside = most_of(sides.front, b) < sides.near_plane;
  const F scale = exp(b.log_scale), least_depth = max(sides.near_plane, -most_of(sides.back, b));
  SPLAT_UNROLL
  for (int i = 0; i < 4; ++i) {
    const Side<F>& side = sides.of_image[i];
    const F reach = side.reach * scale;
    outside = outside | (fma(reach * reach, sides.thinness * rcp(least_depth), reach) + most_of(side, b) < F(0));
  }
  return !outside;
}

}  // namespace splat::math
