// Noise on a splat's mean: stochastic gradient Langevin dynamics. Kheradmand et al. 2024, "3D Gaussian Splatting as
// Markov Chain Monte Carlo", equations 9 and 10: mean += Sigma xi s((1 - opacity) - 0.995) strength with xi normal and
// s(x) = sigmoid(100 x), so that only what is almost transparent moves, along its own shape.
// Scalars only: float (CPU, GPU kernels) and double (reference).
#pragma once

#include <cstdint>

#include "splat/math/activation.h"
#include "splat/math/covariance.h"

namespace splat::math {

inline constexpr double kNoiseSteepness = 100, kNoiseOpacity = 0.005;
inline constexpr double kNoiseLeast = 1e-7;  // a smaller share would not change a mean held as float

SPLAT_INLINE double cos_of(double x) { return ::cos(x); }
SPLAT_INLINE float cos_of(float x) { return ::cosf(x); }

// How much of the noise a splat gets: 0.5 at an opacity of 0.005, 0 from about 0.17 on.
template <class F>
SPLAT_INLINE F noise_share(F opacity) {
  const F share = sigmoid(F(-kNoiseSteepness) * (opacity - F(kNoiseOpacity)));
  return zero_unless(share >= F(kNoiseLeast), share);
}

// Normal, mean 0 and variance 1, by Box and Muller, from two words of random bits.
template <class F>
SPLAT_INLINE F normal_from_bits(uint32_t a, uint32_t b) {
  const F u = F(a >> 8) * F(1.0 / 16777216) + F(0.5 / 16777216), v = F(b >> 8) * F(1.0 / 16777216);
  return sqrt(F(-2) * log(u)) * cos_of(F(6.283185307179586) * v);
}

// What is added to the mean of a splat, by six words of random bits. strength: 1 / world units.
template <class F>
SPLAT_INLINE Vec3<F> mean_noise(const uint32_t (&bits)[6], const Quat<F>& quat, const Vec3<F>& scale, F share,
                                F strength) {
  const F scaled = share * strength;
  const Vec3<F> xi{scaled * normal_from_bits<F>(bits[0], bits[1]), scaled * normal_from_bits<F>(bits[2], bits[3]),
                   scaled * normal_from_bits<F>(bits[4], bits[5])};
  const Mat3<F> factor = covariance_factor(rotation_from_quat(quat), scale);
  return factor * transposed_times(factor, xi);
}

}  // namespace splat::math
