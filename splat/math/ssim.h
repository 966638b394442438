// Structural similarity of one pixel from its five windowed moments, and what the backward convolutions need.
// Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, equation 13, with an
// 11x11 Gaussian window of sigma 1.5 px. With * the window (zero padding): mu1 = g*x, mu2 = g*y, e11 = g*(x x),
// e22 = g*(y y), e12 = g*(x y); x the rendered image, y the target. The window is symmetric, so with p the partials:
// dL/dx = g*(v p.by_mu1) + 2 x (g*(v p.by_e11)) + y (g*(v p.by_e12)), v = dL/dssim of each pixel.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

// The normalised 1D window; the 2D window is its outer product. Host only.
template <class F>
inline void ssim_window(F (&window)[kSsimWindow]) {
  double weight[kSsimWindow], sum = 0;
  for (int i = 0; i < kSsimWindow; ++i) {
    constexpr int kMiddle = kSsimWindow / 2;
    const double x = i - kMiddle;
    weight[i] = ::exp(-x * x / (2 * kSsimSigma * kSsimSigma));
    sum += weight[i];
  }
  for (int i = 0; i < kSsimWindow; ++i) window[i] = F(weight[i] / sum);
}

template <class F>
struct SsimMoments {
  F mu1, mu2, e11, e22, e12;
};

template <class F>
SPLAT_INLINE F ssim(const SsimMoments<F>& m) {
  const F mu11 = m.mu1 * m.mu1, mu22 = m.mu2 * m.mu2, mu12 = m.mu1 * m.mu2;
  const F a1 = F(2) * mu12 + F(kSsimC1), a2 = F(2) * (m.e12 - mu12) + F(kSsimC2);
  const F b1 = mu11 + mu22 + F(kSsimC1), b2 = (m.e11 - mu11) + (m.e22 - mu22) + F(kSsimC2);
  return a1 * a2 * rcp(b1 * b2);
}

template <class F>
struct SsimPartials {
  F value;                   // ssim(m)
  F by_mu1, by_e11, by_e12;  // its partial derivatives
};

template <class F>
SPLAT_INLINE SsimPartials<F> ssim_with_partials(const SsimMoments<F>& m) {
  const F mu11 = m.mu1 * m.mu1, mu22 = m.mu2 * m.mu2, mu12 = m.mu1 * m.mu2;
  const F a1 = F(2) * mu12 + F(kSsimC1), a2 = F(2) * (m.e12 - mu12) + F(kSsimC2);
  const F b1 = mu11 + mu22 + F(kSsimC1), b2 = (m.e11 - mu11) + (m.e22 - mu22) + F(kSsimC2);
  const F inv_b1 = rcp(b1), inv_b2 = rcp(b2), inv = inv_b1 * inv_b2;
  const F value = a1 * a2 * inv;
  const F by_e11 = -value * inv_b2;
  const F by_e12 = F(2) * a1 * inv;
  const F by_mu1 = F(2) * (m.mu2 * (a2 - a1) * inv + m.mu1 * value * (inv_b2 - inv_b1));
  return {value, by_mu1, by_e11, by_e12};
}

// The gradient by one pixel of the rendered image, from the windowed partials (see above; v is in them).
template <class F>
SPLAT_INLINE F ssim_pixel_vjp(F rendered, F target, F by_mu1, F by_e11, F by_e12) {
  return fma(target, by_e12, fma(F(2) * rendered, by_e11, by_mu1));
}

}  // namespace splat::math
