// Instructions with more than one result: carries, the steps of a division, packed arithmetic.
#include "tests/isa/machine/lane_loop.h"

namespace isa {
namespace {

template <int W>
void sum(Wave<W>& w, Sum how, int d, int carry, Operand oa, Operand ob, u64 in, u64 in_valid) {
  const u64 exec = w.exec();
  u64 valid = in_valid;
  const Source<W, u32> a(w, how == Sum::kSubrev ? ob : oa, valid), b(w, how == Sum::kSubrev ? oa : ob, valid);
  u64 out = 0;
  alignas(64) u32 value[W], over[W];
  for (int l = 0; l < W; ++l) {
    const u32 x = a[l], y = b[l], c = in >> l & 1;
    if (how == Sum::kAdd) {
      const u32 half = x + y;
      value[l] = half + c;
      over[l] = u32(half < x) | u32(value[l] < half);
    } else {
      const u32 half = x - y;
      value[l] = half - c;
      over[l] = u32(x < y) | u32(half < c);
    }
  }
  for (int l = 0; l < W; ++l) out |= u64(over[l]) << l;
  for_lanes<W, u32>(w, d, valid, [&](int l) { return value[l]; });
  put_mask(w, carry, out & exec, valid | ~exec);
}

template <int W, class Narrow, class Wider>
void mad_wide(Wave<W>& w, int d, int carry, Operand oa, Operand ob, Operand oc) {
  const u64 exec = w.exec();
  u64 valid = ~u64(0), out = 0;
  const Source<W, Narrow> a(w, oa, valid), b(w, ob, valid);
  u64 high_only = valid;  // the low word of the sum does not depend on it
  const Source<W, Wider> c(w, oc, valid, high_only);
  const u64 valid_high = valid & high_only;
  u64 value[W];
  for (int l = 0; l < W; ++l) {
    const Wider product = Wider(a[l]) * Wider(b[l]);
    const bool over = __builtin_add_overflow(product, c[l], reinterpret_cast<Wider*>(&value[l]));
    out |= u64(over) << l;
  }
  for_lanes<W, u64>(w, d, valid, valid_high, [&](int l) { return value[l]; });
  put_mask(w, carry, out & exec, valid_high | ~exec);
}

}  // namespace

template <int W>
void v_sum_co_u32(Wave<W>& w, Sum how, int d, int carry, Operand a, Operand b) {
  sum(w, how, d, carry, a, b, 0, ~u64(0));
}
template <int W>
void v_sum_co_ci_u32(Wave<W>& w, Sum how, int d, int carry, Operand a, Operand b, int carry_in) {
  sum(w, how, d, carry, a, b, w.mask(carry_in), w.mask_valid(carry_in));
}
template <int W>
void v_mad_u64_u32(Wave<W>& w, int d, int carry, Operand a, Operand b, Operand c) {
  mad_wide<W, u32, u64>(w, d, carry, a, b, c);
}
template <int W>
void v_mad_i64_i32(Wave<W>& w, int d, int carry, Operand a, Operand b, Operand c) {
  mad_wide<W, i32, i64>(w, d, carry, a, b, c);
}

namespace {

template <class T, int W>
void scale(Wave<W>& w, int d, int undo, Operand oa, Operand ob, Operand oc) {
  const u64 exec = w.exec();
  u64 valid = ~u64(0), out = 0;
  const Source<W, T> a(w, oa, valid), b(w, ob, valid), c(w, oc, valid);
  T value[W];
  for (u64 left = exec; left; left &= left - 1) {
    const int l = std::countr_zero(left);
    const Scaled<T> scaled = div_scale(a[l], b[l], c[l]);
    value[l] = scaled.value;
    out |= u64(scaled.undo) << l;
  }
  for_lanes_one_by_one<W, T>(w, d, valid, [&](int l) { return value[l]; });
  put_mask(w, undo, out, valid | ~exec);
}
template <class T, int W>
void scale_back(Wave<W>& w, int d, Operand oa, Operand ob, Operand oc) {
  const u64 undo = w.mask(kVcc);
  u64 valid = w.mask_valid(kVcc);
  const Source<W, T> a(w, oa, valid), b(w, ob, valid), c(w, oc, valid);
  for_lanes_one_by_one<W, T>(w, d, valid, [&](int l) { return div_fmas(a[l], b[l], c[l], undo >> l & 1); });
}

}  // namespace

template <int W>
void v_div_scale_f32(Wave<W>& w, int d, int undo, Operand a, Operand b, Operand c) {
  scale<f32>(w, d, undo, a, b, c);
}
template <int W>
void v_div_scale_f64(Wave<W>& w, int d, int undo, Operand a, Operand b, Operand c) {
  scale<f64>(w, d, undo, a, b, c);
}
template <int W>
void v_div_fmas_f32(Wave<W>& w, int d, Operand a, Operand b, Operand c) {
  scale_back<f32>(w, d, a, b, c);
}
template <int W>
void v_div_fmas_f64(Wave<W>& w, int d, Operand a, Operand b, Operand c) {
  scale_back<f64>(w, d, a, b, c);
}

namespace {

// The sources of the low and of the high result. Both results are computed before either is written: their registers
// may be sources.
template <int W, class T, int kCount>
class Packed {
 public:
  template <class F>
  static void run(Wave<W>& w, int d, const Operand (&low)[kCount], const Operand (&high)[kCount], F f) {
    alignas(64) T result[2][W];
    u64 valid[2] = {~u64(0), ~u64(0)};
    half(w, low, f, result[0], valid[0]);
    half(w, high, f, result[1], valid[1]);
    for (int i = 0; i < 2; ++i) for_lanes<W, T>(w, d + i, valid[i], [&](int l) { return result[i][l]; });
  }

 private:
  template <class F>
  static void half(Wave<W>& w, const Operand (&from)[kCount], F f, T* result, u64& valid) {
    const Source<W, T> a(w, from[0], valid), b(w, from[kCount > 1 ? 1 : 0], valid), c(w, from[kCount - 1], valid);
    for (int l = 0; l < W; ++l) result[l] = f(a[l], b[l], c[l]);
  }
};

}  // namespace

template <int W>
void v_pk_mov_b32(Wave<W>& w, int d, Operand low, Operand high) {
  Packed<W, u32, 1>::run(w, d, {low}, {high}, [](u32 a, u32, u32) { return a; });
}
template <int W>
void v_pk_add_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand a1, Operand b1) {
  Packed<W, f32, 2>::run(w, d, {a0, b0}, {a1, b1}, [](f32 a, f32 b, f32) { return a + b; });
}
template <int W>
void v_pk_mul_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand a1, Operand b1) {
  Packed<W, f32, 2>::run(w, d, {a0, b0}, {a1, b1}, [](f32 a, f32 b, f32) { return a * b; });
}
template <int W>
void v_pk_fma_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand c0, Operand a1, Operand b1, Operand c1) {
  Packed<W, f32, 3>::run(w, d, {a0, b0, c0}, {a1, b1, c1}, [](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); });
}

#define FOR_WAVE(W)                                                              \
  template void v_sum_co_u32(Wave<W>&, Sum, int, int, Operand, Operand);         \
  template void v_sum_co_ci_u32(Wave<W>&, Sum, int, int, Operand, Operand, int); \
  template void v_mad_u64_u32(Wave<W>&, int, int, Operand, Operand, Operand);    \
  template void v_mad_i64_i32(Wave<W>&, int, int, Operand, Operand, Operand);    \
  template void v_div_scale_f32(Wave<W>&, int, int, Operand, Operand, Operand);  \
  template void v_div_scale_f64(Wave<W>&, int, int, Operand, Operand, Operand);  \
  template void v_div_fmas_f32(Wave<W>&, int, Operand, Operand, Operand);        \
  template void v_div_fmas_f64(Wave<W>&, int, Operand, Operand, Operand);        \
  template void v_pk_mov_b32(Wave<W>&, int, Operand, Operand);                   \
  template void v_pk_add_f32(Wave<W>&, int, Operand, Operand, Operand, Operand); \
  template void v_pk_mul_f32(Wave<W>&, int, Operand, Operand, Operand, Operand); \
  template void v_pk_fma_f32(Wave<W>&, int, Operand, Operand, Operand, Operand, Operand, Operand);
FOR_WAVE(32)
FOR_WAVE(64)

}  // namespace isa
