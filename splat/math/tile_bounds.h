// Which pixels a splat can reach: exact bounds of the ellipse q(d) = d^T K d <= t, t = 2 ln(255 o), the set where
// alpha >= 1/255. Half extents and row spans after Hanson et al., "Speedy-Splat" (CVPR 2025); minimum of q over a
// rectangle of pixel centres after Radl et al., "StopThePop" (2024) and Feng et al., "FlashGS" (2024).
// All coordinates are relative to the splat's centre, px. Bounds are over pixel CENTRES: a tile starting at pixel x0
// spans [x0 + 0.5, x0 + 15.5] - mean_x. Conservative in float: t is enlarged by what rounding can do to
// gaussian_power(), whose terms cancel the more the thinner the ellipse (bounded_extent()), so a pixel that contributes
// is never lost.
#pragma once

#include "splat/math/gaussian_weight.h"

namespace splat::math {

// Slack of t: rounding of the threshold and of pixel offsets.
inline constexpr double kBoundsSlackAbsolute = 1e-4;
// Slack as a share of A Sxx: 16 float epsilons of the size of q's terms at the ellipse's rim.
inline constexpr double kBoundsSlackRelative = 2e-6;

// What cuts the ellipse with rows of tiles or of pixels.
template <class F>
struct EllipseRows {
  F t;               // slack included; negative: reaches nothing
  F half_y;          // half of its height
  F slope_x_by_y;    // Sxy/Syy: the x minimising q at given y, per y
  F inv_yy;          // 1/Syy
  F conditional_xx;  // det(S)/Syy: variance of x at given y
  F y_at_right;      // dy of the rightmost point
};
template <class F>
struct Ellipse {
  EllipseRows<F> rows;
  F half_x;  // half of its width
};

// What tests rectangles against it.
template <class F>
struct EllipseForm {
  F t;             // as in EllipseRows
  Sym2<F> conic;   // K
  F slope_y_by_x;  // -B/C: the y minimising q at given x, per x
  F slope_x_by_y;  // -B/A: the x minimising q at given y, per y
};
template <class F>
SPLAT_INLINE EllipseForm<F> ellipse_form(F t, const Sym2<F>& conic) {
  return {t, conic, -conic.xy * rcp(conic.yy), -conic.xy * rcp(conic.xx)};
}

// threshold: threshold_power(o). covariance and determinant: of the blurred 2D covariance S = K^-1 (project.h).
template <class F>
SPLAT_INLINE F bounded_extent(F threshold, const Sym2<F>& covariance, const Sym2<F>& conic) {
  const F exact = F(-2) * threshold;
  const F thinness = conic.xx * covariance.xx;  // 1/(1 - rho^2), also equal to C Syy
  return exact + F(kBoundsSlackAbsolute) + F(kBoundsSlackRelative) * thinness * abs(exact);
}

template <class F>
SPLAT_INLINE Ellipse<F> make_ellipse(F threshold, const Sym2<F>& covariance, F determinant, const Sym2<F>& conic) {
  Ellipse<F> e;
  e.rows.t = bounded_extent(threshold, covariance, conic);
  const F t = max(e.rows.t, F(0));
  e.half_x = sqrt(t * covariance.xx);
  e.rows.half_y = sqrt(t * covariance.yy);
  e.rows.inv_yy = rcp(covariance.yy);
  e.rows.slope_x_by_y = covariance.xy * e.rows.inv_yy;
  e.rows.conditional_xx = determinant * e.rows.inv_yy;
  e.rows.y_at_right = e.half_x * (covariance.xy * rcp(covariance.xx));
  return e;
}

// Does the bounding box reach the rectangle of the image's pixel centres? A part of what "visible" means
// (parameter_chain.h).
template <class F>
SPLAT_INLINE Mask<F> overlaps_image(const Vec2<F>& mean_px, F half_x, F half_y, F width, F height) {
  const Mask<F> left = mean_px.x + half_x >= F(0.5), right = mean_px.x - half_x <= width - F(0.5);
  const Mask<F> top = mean_px.y + half_y >= F(0.5), bottom = mean_px.y - half_y <= height - F(0.5);
  return left & right & top & bottom;
}

// The smallest q over the rectangle [x0,x1] x [y0,y1]; the rectangle is reached iff it is <= t. When the centre is
// outside, the minimum lies on an edge facing it.
template <class F>
SPLAT_INLINE F smallest_q(const EllipseForm<F>& e, F x0, F x1, F y0, F y1) {
  const F x = clamp(F(0), x0, x1), y = clamp(F(0), y0, y1);
  const F y_on_x = clamp(e.slope_y_by_x * x, y0, y1), x_on_y = clamp(e.slope_x_by_y * y, x0, x1);
  const F power = max(gaussian_power({x, y_on_x}, e.conic), gaussian_power({x_on_y, y}, e.conic));
  return F(-2) * power;
}

template <class F>
SPLAT_INLINE Mask<F> reaches_rectangle(const EllipseForm<F>& e, F x0, F x1, F y0, F y1) {
  return smallest_q(e, x0, x1, y0, y1) <= e.t;
}

// The x interval of the ellipse within the band y0 <= dy <= y1; false where the band is missed.
template <class F>
SPLAT_INLINE Mask<F> row_span(const EllipseRows<F>& e, F y0, F y1, F& x_left, F& x_right) {
  const F y_right = clamp(e.y_at_right, y0, y1), y_left = clamp(-e.y_at_right, y0, y1);
  const F right2 = e.conditional_xx * (e.t - y_right * y_right * e.inv_yy);
  const F left2 = e.conditional_xx * (e.t - y_left * y_left * e.inv_yy);
  x_right = fma(e.slope_x_by_y, y_right, sqrt(max(right2, F(0))));
  x_left = fma(e.slope_x_by_y, y_left, -sqrt(max(left2, F(0))));
  const Mask<F> below_top = y0 <= e.half_y, above_bottom = y1 >= -e.half_y, real = e.t >= F(0);
  return below_top & above_bottom & real;
}

// Tiles of one axis, counted from 0; none where last < first.
template <class F>
struct TileSpan {
  F first, last;
};
template <class F>
SPLAT_INLINE F count(const TileSpan<F>& span) {
  return max(span.last - span.first + F(1), F(0));
}
// From the first tile whose last pixel centre lies at or beyond `low` to the last whose first does not lie beyond
// `high`; px from the image's border.
template <class F>
SPLAT_INLINE TileSpan<F> tile_span(F low, F high, int tiles) {
  return {max(ceil((low - F(kTileSize - 0.5)) * F(1.0 / kTileSize)), F(0)),
          min(floor((high - F(0.5)) * F(1.0 / kTileSize)), F(tiles - 1))};
}
// Rows of tiles that the ellipse's bounding box meets, and the tiles of one row that the ellipse meets. Hanson et al.
template <class F>
SPLAT_INLINE TileSpan<F> tile_rows(const EllipseRows<F>& e, F mean_y, int tiles_y) {
  return tile_span(mean_y - e.half_y, mean_y + e.half_y, tiles_y);
}
template <class F>
SPLAT_INLINE TileSpan<F> tiles_of_row(const EllipseRows<F>& e, const Vec2<F>& mean_px, F row, int tiles_x) {
  const F y0 = row * F(kTileSize) + F(0.5) - mean_px.y;
  F left, right;
  const Mask<F> reached = row_span(e, y0, y0 + F(kTileSize - 1), left, right);
  const TileSpan<F> span = tile_span(mean_px.x + left, mean_px.x + right, tiles_x);
  return {span.first, select(reached, span.last, F(-1))};
}

}  // namespace splat::math
