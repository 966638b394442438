// FloatGroup<n>: n independent FloatV worked on in step, itself a number type of splat/math. A formula such as a
// splat's weight is one long chain of dependent instructions; a core's window holds only two or three such chains one
// behind the other, and finds more to do at once when they are interleaved instruction by instruction.
#pragma once

#include "splat/core/simd.h"

namespace splat::simd::SPLAT_SIMD_LEVEL {

template <int n>
struct MaskGroup {
  MaskV part[n];
};

template <int n>
struct FloatGroup {
  using Mask = MaskGroup<n>;
  FloatV part[n];

  FloatGroup() = default;
  SPLAT_INLINE explicit FloatGroup(FloatV x) {
    for (int i = 0; i < n; ++i) part[i] = x;
  }
  SPLAT_INLINE explicit FloatGroup(float x) : FloatGroup(FloatV(x)) {}
  SPLAT_INLINE explicit FloatGroup(double x) : FloatGroup(FloatV(x)) {}
  SPLAT_INLINE explicit FloatGroup(int x) : FloatGroup(FloatV(x)) {}
};

// Each part of the result from the same part of the arguments.
#define SPLAT_GROUP(Result, signature, expression)           \
  template <int n>                                           \
  SPLAT_INLINE Result<n> signature {                         \
    Result<n> result;                                        \
    for (int i = 0; i < n; ++i) result.part[i] = expression; \
    return result;                                           \
  }
#define SPLAT_GROUP_OPERATOR(Result, op) \
  SPLAT_GROUP(Result, operator op(const FloatGroup<n>& a, const FloatGroup<n>& b), a.part[i] op b.part[i])

SPLAT_GROUP_OPERATOR(FloatGroup, +)
SPLAT_GROUP_OPERATOR(FloatGroup, -)
SPLAT_GROUP_OPERATOR(FloatGroup, *)
SPLAT_GROUP_OPERATOR(FloatGroup, /)
SPLAT_GROUP_OPERATOR(MaskGroup, <)
SPLAT_GROUP_OPERATOR(MaskGroup, <=)
SPLAT_GROUP_OPERATOR(MaskGroup, >)
SPLAT_GROUP_OPERATOR(MaskGroup, >=)
SPLAT_GROUP(MaskGroup, operator&(const MaskGroup<n>& a, const MaskGroup<n>& b), a.part[i] & b.part[i])
SPLAT_GROUP(MaskGroup, operator|(const MaskGroup<n>& a, const MaskGroup<n>& b), a.part[i] | b.part[i])
SPLAT_GROUP(MaskGroup, operator!(const MaskGroup<n>& a), !a.part[i])
SPLAT_GROUP(FloatGroup, operator-(const FloatGroup<n>& a), -a.part[i])
SPLAT_GROUP(FloatGroup, abs(const FloatGroup<n>& a), abs(a.part[i]))
SPLAT_GROUP(FloatGroup, sqrt(const FloatGroup<n>& a), sqrt(a.part[i]))
SPLAT_GROUP(FloatGroup, rcp(const FloatGroup<n>& a), rcp(a.part[i]))
SPLAT_GROUP(FloatGroup, rsqrt(const FloatGroup<n>& a), rsqrt(a.part[i]))
SPLAT_GROUP(FloatGroup, min(const FloatGroup<n>& a, const FloatGroup<n>& b), min(a.part[i], b.part[i]))
SPLAT_GROUP(FloatGroup, max(const FloatGroup<n>& a, const FloatGroup<n>& b), max(a.part[i], b.part[i]))
SPLAT_GROUP(FloatGroup, fma(const FloatGroup<n>& a, const FloatGroup<n>& b, const FloatGroup<n>& c),
            fma(a.part[i], b.part[i], c.part[i]))
SPLAT_GROUP(FloatGroup, negated_fma(const FloatGroup<n>& a, const FloatGroup<n>& b, const FloatGroup<n>& c),
            negated_fma(a.part[i], b.part[i], c.part[i]))
SPLAT_GROUP(FloatGroup, select(const MaskGroup<n>& mask, const FloatGroup<n>& a, const FloatGroup<n>& b),
            select(mask.part[i], a.part[i], b.part[i]))
SPLAT_GROUP(FloatGroup, zero_unless(const MaskGroup<n>& mask, const FloatGroup<n>& a),
            zero_unless(mask.part[i], a.part[i]))
SPLAT_GROUP(FloatGroup, negative_abs(const FloatGroup<n>& a), negative_abs(a.part[i]))
SPLAT_GROUP(FloatGroup, clamp_exponent(const FloatGroup<n>& a), clamp_exponent(a.part[i]))
SPLAT_GROUP(FloatGroup, add_to_exponent(const FloatGroup<n>& a, const FloatGroup<n>& shifted),
            add_to_exponent(a.part[i], shifted.part[i]))
#undef SPLAT_GROUP_OPERATOR
#undef SPLAT_GROUP

template <int n>
SPLAT_INLINE FloatGroup<n> exp(const FloatGroup<n>& x) {
  return exp_in_step(x);
}

}  // namespace splat::simd::SPLAT_SIMD_LEVEL
