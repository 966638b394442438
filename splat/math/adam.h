// One step of Adam on one parameter: Kingma and Ba, "Adam", ICLR 2015, algorithm 1, epsilon as in PyTorch:
// p -= rate / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + epsilon).
#pragma once

#include "splat/math/number.h"

namespace splat::math {

template <class F>
struct AdamCoefficients {
  F beta1, one_minus_beta1;
  F beta2, one_minus_beta2;
  F inv_sqrt_bias2;  // 1 / sqrt(1 - beta2^t)
  F epsilon;
};

// iteration: t, from 1. Host only.
template <class F>
inline AdamCoefficients<F> adam_coefficients(double beta1, double beta2, double epsilon, int iteration) {
  return {F(beta1), F(1 - beta1), F(beta2), F(1 - beta2), F(1 / ::sqrt(1 - ::pow(beta2, iteration))), F(epsilon)};
}
// The step of a parameter group: rate / (1 - beta1^t). Host only.
inline double adam_step_size(double rate, double beta1, int iteration) { return rate / (1 - ::pow(beta1, iteration)); }

template <class F>
SPLAT_INLINE void adam_step(F& parameter, F& first, F& second, F gradient, const AdamCoefficients<F>& k, F step_size) {
  first = fma(k.beta1, first, k.one_minus_beta1 * gradient);
  second = fma(k.beta2, second, k.one_minus_beta2 * (gradient * gradient));
  parameter = parameter - step_size * first * rcp(fma(sqrt(second), k.inv_sqrt_bias2, k.epsilon));
}

}  // namespace splat::math
