// The number concept of splat/math: every formula is a template over F, which is float (GPU kernels), double
// (reference, tests) or a SIMD vector of floats (CPU backend, splat/core/simd.h). What F must offer:
//   F()                    default construction, value unspecified
//   F(constant)            explicit, from float and double: broadcast
//   + - * / unary-, +=     element-wise
//   < <= > >=              -> Mask<F> (bool for scalars); masks have & | and !
//   select(mask, a, b)     a where mask, else b
//   zero_unless(mask, a)   a where mask, else 0     negative_abs(a)  -|a|: one instruction each for SIMD types
//   min(a,b) max(a,b) abs(a) floor(a) ceil(a) sqrt(a) exp(a) log(a) fma(a,b,c)=a*b+c  negated_fma(a,b,c)=c-a*b
//   rcp(a)=1/a rsqrt(a)=1/sqrt(a)     exp2_normal(a)  2^a for a in [-126, 127], anything at all for others
//   quotient(a,b)=a/b, at_most(a,b)=min(a,b) with anything for NaN: where an AMD GPU has quicker ones
// Formulas are branch-free over F: early-outs live in the caller. Call these functions unqualified from namespace
// splat::math (scalars are found here, SIMD types by argument-dependent look-up). Constants are written F(0.5).
#pragma once

#include <cmath>

#include "splat/core/hd.h"
#include "splat/math/constants.h"

namespace splat::math {

template <class F>
struct MaskOf {
  using type = typename F::Mask;
};
template <>
struct MaskOf<float> {
  using type = bool;
};
template <>
struct MaskOf<double> {
  using type = bool;
};
template <class F>
using Mask = typename MaskOf<F>::type;

SPLAT_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
SPLAT_INLINE double zero_unless(bool mask, double a) { return mask ? a : 0.0; }
SPLAT_INLINE double negative_abs(double a) { return -::fabs(a); }
SPLAT_INLINE double min(double a, double b) { return b < a ? b : a; }
SPLAT_INLINE double max(double a, double b) { return a < b ? b : a; }
SPLAT_INLINE double abs(double a) { return a < 0.0 ? -a : a; }
SPLAT_INLINE double floor(double a) { return ::floor(a); }
SPLAT_INLINE double ceil(double a) { return ::ceil(a); }
SPLAT_INLINE double sqrt(double a) { return ::sqrt(a); }
SPLAT_INLINE double exp(double a) { return ::exp(a); }
SPLAT_INLINE double exp2_normal(double a) { return ::exp2(a); }
SPLAT_INLINE double log(double a) { return ::log(a); }
SPLAT_INLINE double fma(double a, double b, double c) { return ::fma(a, b, c); }
SPLAT_INLINE double negated_fma(double a, double b, double c) { return ::fma(-a, b, c); }
SPLAT_INLINE double rcp(double a) { return 1.0 / a; }
SPLAT_INLINE double rsqrt(double a) { return 1.0 / ::sqrt(a); }

SPLAT_INLINE float select(bool mask, float a, float b) { return mask ? a : b; }
SPLAT_INLINE float zero_unless(bool mask, float a) { return mask ? a : 0.0f; }
SPLAT_INLINE float negative_abs(float a) { return -::fabsf(a); }
SPLAT_INLINE float min(float a, float b) { return b < a ? b : a; }
SPLAT_INLINE float max(float a, float b) { return a < b ? b : a; }
SPLAT_INLINE float abs(float a) { return a < 0.0f ? -a : a; }
SPLAT_INLINE float floor(float a) { return ::floorf(a); }
SPLAT_INLINE float ceil(float a) { return ::ceilf(a); }
SPLAT_INLINE float sqrt(float a) { return ::sqrtf(a); }
SPLAT_INLINE float exp(float a) { return ::expf(a); }
SPLAT_INLINE float log(float a) { return ::logf(a); }
SPLAT_INLINE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
SPLAT_INLINE float negated_fma(float a, float b, float c) { return ::fmaf(-a, b, c); }
SPLAT_INLINE float rsqrt(float a) { return 1.0f / ::sqrtf(a); }

template <class F>
SPLAT_INLINE F quotient(F a, F b) {
  return a / b;
}
template <class F>
SPLAT_INLINE F at_most(F a, F b) {
  return min(a, b);
}
#if defined(__AMDGCN__)
// One instruction each, right to a unit in the last place; what C promises takes ten for a quotient, and five for 2^a
// with results below 2^-126.
#if __has_builtin(__builtin_amdgcn_exp2f)
SPLAT_INLINE float exp2_normal(float a) { return __builtin_amdgcn_exp2f(a); }
#else
SPLAT_INLINE float exp2_normal(float a) { return __builtin_exp2f(a); }
#endif
SPLAT_INLINE float rcp(float a) { return __builtin_amdgcn_rcpf(a); }
SPLAT_INLINE float quotient(float a, float b) { return a * rcp(b); }
SPLAT_INLINE float at_most(float a, float b) { return __builtin_fminf(a, b); }
#else
SPLAT_INLINE float exp2_normal(float a) { return ::exp2f(a); }
SPLAT_INLINE float rcp(float a) { return 1.0f / a; }
#endif

template <class F>
SPLAT_INLINE F clamp(F x, F low, F high) {
  return min(max(x, low), high);
}

// All of these masks: compilers warn of & between bools that functions return.
template <class M, class... More>
SPLAT_INLINE M all_of(M first, More... more) {
  return (first & ... & more);
}

// Neither NaN nor infinite nor beyond any sensible magnitude.
template <class F>
SPLAT_INLINE Mask<F> is_finite(F x) {
  return abs(x) <= F(kMaxFinite);
}

}  // namespace splat::math
