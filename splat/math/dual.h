// Forward-mode differentiation by two variables: a number that carries its partial derivatives through any formula of
// splat/math. Used where a 2x2 Jacobian is needed rarely (inverting a lens); hot paths have hand-written adjoints.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

template <class F>
struct Dual2 {
  F value, d0, d1;  // the value, its derivatives by the first and the second variable

  Dual2() = default;
  SPLAT_INLINE explicit Dual2(double constant) : value(F(constant)), d0(F(0)), d1(F(0)) {}
  SPLAT_INLINE Dual2(F v, F by_first, F by_second) : value(v), d0(by_first), d1(by_second) {}

  using Mask = splat::math::Mask<F>;
};

// f(a) for a function with the value f and the derivative df there.
template <class F>
SPLAT_INLINE Dual2<F> chain(const Dual2<F>& a, F f, F df) {
  return {f, df * a.d0, df * a.d1};
}

template <class F>
SPLAT_INLINE Dual2<F> operator+(const Dual2<F>& a, const Dual2<F>& b) {
  return {a.value + b.value, a.d0 + b.d0, a.d1 + b.d1};
}
template <class F>
SPLAT_INLINE Dual2<F> operator-(const Dual2<F>& a, const Dual2<F>& b) {
  return {a.value - b.value, a.d0 - b.d0, a.d1 - b.d1};
}
template <class F>
SPLAT_INLINE Dual2<F> operator*(const Dual2<F>& a, const Dual2<F>& b) {
  return {a.value * b.value, a.d0 * b.value + a.value * b.d0, a.d1 * b.value + a.value * b.d1};
}
template <class F>
SPLAT_INLINE Dual2<F> operator/(const Dual2<F>& a, const Dual2<F>& b) {
  const F inverse = rcp(b.value), quotient = a.value * inverse;
  return {quotient, (a.d0 - quotient * b.d0) * inverse, (a.d1 - quotient * b.d1) * inverse};
}
template <class F>
SPLAT_INLINE Mask<F> operator<(const Dual2<F>& a, const Dual2<F>& b) {
  return a.value < b.value;
}
template <class F>
SPLAT_INLINE Dual2<F> select(Mask<F> mask, const Dual2<F>& a, const Dual2<F>& b) {
  return {select(mask, a.value, b.value), select(mask, a.d0, b.d0), select(mask, a.d1, b.d1)};
}
template <class F>
SPLAT_INLINE Dual2<F> sqrt(const Dual2<F>& a) {
  const F root = sqrt(a.value);
  return chain(a, root, F(0.5) * rcp(root));
}

}  // namespace splat::math
