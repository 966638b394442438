// One step of Adam on one parameter: Kingma and Ba, "Adam", ICLR 2015, algorithm 1, epsilon as in PyTorch:
// p -= rate / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + epsilon).
// And many such steps at once where the gradient was zero: with m and v of the last step s, the step j after it is
// r^j w(s + j) m / sqrt(v), r = beta1 / sqrt(beta2), w(t) = rate(t) sqrt(1 - beta2^t) / (1 - beta1^t). The sum of r^j w
// is the same for all rows with this s; AdamPauses (backend/adam_step.h) keeps it. epsilon, 1e-15, is that of s: its
// own share of such a step counts only where gradients are below 1e-12.
#pragma once

#include <cstdint>

#include "splat/math/number.h"

namespace splat::math {

// Parameters with a rate of their own, and a number of each.
enum AdamGroup : int { kMeanGroup, kLogScaleGroup, kQuatGroup, kOpacityGroup, kSh0Group, kShRestGroup };
inline constexpr int kAdamGroups = 6;
struct AdamValues {
  float of[kAdamGroups];
};
// Iterations whose rates are known. A row that was away for longer is taken to have had its last step that long ago.
inline constexpr uint32_t kAdamPast = 1 << 15;

template <class F>
struct AdamCoefficients {
  F beta1, one_minus_beta1;
  F beta2, one_minus_beta2;
  F inv_sqrt_bias2;  // 1 / sqrt(1 - beta2^t)
  F epsilon;
  F log2_beta1, log2_beta2;
};

// iteration: t, from 1. Host only.
template <class F>
inline AdamCoefficients<F> adam_coefficients(double beta1, double beta2, double epsilon, int iteration) {
  constexpr double kLeast = 1e-30;
  const double least1 = beta1 > kLeast ? beta1 : kLeast, least2 = beta2 > kLeast ? beta2 : kLeast;
  return {F(beta1),   F(1 - beta1),      F(beta2),         F(1 - beta2), F(1 / ::sqrt(1 - ::pow(beta2, iteration))),
          F(epsilon), F(::log2(least1)), F(::log2(least2))};
}
// The step of a parameter group: rate / (1 - beta1^t). Host only.
inline double adam_step_size(double rate, double beta1, int iteration) { return rate / (1 - ::pow(beta1, iteration)); }
// For steps without a gradient: w of iteration t for a rate of 1, and r, by which they shrink. Host only.
inline double adam_pause_weight(double beta1, double beta2, int iteration) {
  return adam_step_size(::sqrt(1 - ::pow(beta2, iteration)), beta1, iteration);
}
inline double adam_pause_ratio(double beta1, double beta2) { return beta2 > 0 ? beta1 / ::sqrt(beta2) : 0; }

template <class F>
SPLAT_INLINE void adam_step(F& parameter, F& first, F& second, F gradient, const AdamCoefficients<F>& k, F step_size) {
  first = fma(k.beta1, first, k.one_minus_beta1 * gradient);
  second = fma(k.beta2, second, k.one_minus_beta2 * (gradient * gradient));
  parameter = parameter - step_size * first * rcp(fma(sqrt(second), k.inv_sqrt_bias2, k.epsilon));
}

// Steps that a row has missed before `iteration` since its last one; last_step 0: it has had none, and misses nothing.
SPLAT_INLINE uint32_t missed_steps(uint32_t iteration, uint32_t last_step) {
  return last_step > 0 && last_step < iteration ? iteration - 1 - last_step : 0;
}

// What n steps without a gradient do to the moments; nothing for n = 0.
template <class F>
struct AdamPause {
  F first, second;  // factors
};
template <class F>
SPLAT_INLINE F adam_power(F n, F log2_of_base) {
  return exp2_normal(max(n * log2_of_base, F(-126)));
}
template <class F>
SPLAT_INLINE AdamPause<F> adam_pause(F n, const AdamCoefficients<F>& k) {
  return {adam_power(n, k.log2_beta1), adam_power(n, k.log2_beta2)};
}
// moved: the sum over these steps of r^j w(s + j).
template <class F>
SPLAT_INLINE void adam_pause(F& parameter, F& first, F& second, const AdamPause<F>& pause, F moved,
                             const AdamCoefficients<F>& k) {
  parameter = parameter - moved * first * rcp(sqrt(second) + k.epsilon);
  first = pause.first * first;
  second = pause.second * second;
}

// ---- both moments in one word, as bfloat16, the high half of a float: the first moment in the word's high half. They
// are rounded up as often as what is cut off says, so that small changes count on average: neighbours lie a 128th
// apart, and the second moment moves by a thousandth at a time. Up or down depends on (seed, iteration, row, parameter)
// alone. U: uint32_t where F is float, a vector of those where F is one. Infinities stay, and so do the usual NaN.
SPLAT_INLINE uint32_t word_bits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
SPLAT_INLINE float float_of_bits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// Mixes well, by multiplications and shifts: Wellons 2018, "Prospecting for hash functions".
template <class U>
SPLAT_INLINE U mixed_bits(U x) {
  x = (x ^ (x >> 16)) * U(0x7feb352du);
  x = (x ^ (x >> 15)) * U(0x846ca68bu);
  return x ^ (x >> 16);
}
// An iteration's random bits. Host only.
inline uint32_t rounding_of(uint64_t seed, int iteration) {
  return mixed_bits(uint32_t(iteration) ^ mixed_bits(uint32_t(seed) ^ mixed_bits(uint32_t(seed >> 32))));
}
// A splat's in it, and from these a parameter's.
template <class U>
SPLAT_INLINE U splat_rounding(U splat, uint32_t rounding) {
  return mixed_bits(splat ^ U(rounding));
}
template <class U>
SPLAT_INLINE U rounding_bits(U of_splat, uint32_t parameter) {
  const U x = (of_splat ^ U(parameter * 0x9e3779b9u)) * U(0x85ebca6bu);
  return x ^ (x >> 16);
}

template <class U>
SPLAT_INLINE U packed_moments(U first, U second, U random) {  // bits of floats
  return ((first + (random >> 16)) & U(0xffff0000u)) | ((second + (random & U(0xffffu))) >> 16);
}
template <class F, class U>
SPLAT_INLINE F first_moment(U packed) {
  return float_of_bits(packed & U(0xffff0000u));
}
template <class F, class U>
SPLAT_INLINE F second_moment(U packed) {
  return float_of_bits(packed << 16);
}
// pause: before the step, or null; moved: by it.
template <class F, class U>
SPLAT_INLINE void packed_adam_step(F& parameter, U& packed, F gradient, const AdamCoefficients<F>& k, F step_size,
                                   U random, const AdamPause<F>* pause = nullptr, F moved = F(0)) {
  F first = first_moment<F>(packed), second = second_moment<F>(packed);
  if (pause) adam_pause(parameter, first, second, *pause, moved, k);
  adam_step(parameter, first, second, gradient, k, step_size);
  packed = packed_moments(word_bits(first), word_bits(second), random);
}

}  // namespace splat::math
