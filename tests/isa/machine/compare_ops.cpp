// Comparisons, and the choice by a mask.
#include "tests/isa/machine/lane_loop.h"

namespace isa {
namespace {

template <int W, class F>
u64 lanes_where(u64 exec, F f) {
  u64 result = 0;
  for (int half = 0; half < W; half += 32) {
    u32 bits = 0;
    for (int i = 0; i < 32; ++i) bits |= u32(f(half + i)) << i;
    result |= u64(bits) << half;
  }
  return result & exec;
}

template <int W, class T>
u64 compared(Wave<W>& w, Compare how, Operand oa, Operand ob, u64& valid) {
  const u64 exec = w.exec();
  valid = ~u64(0);
  const Source<W, T> a(w, oa, valid);
  u64 result = 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (how == Compare::kClass) {
      const Source<W, u32> classes(w, ob, valid);
      result = lanes_where<W>(exec, [&](int l) { return is_of_class(a[l], classes[l]); });
      valid |= ~exec;
      return result;
    }
  }
  const Source<W, T> b(w, ob, valid);
  const auto run = [&]<Compare kHow>() {
    return lanes_where<W>(exec, [&](int l) { return is_true(kHow, a[l], b[l]); });
  };
  switch (how) {
    case Compare::kEq:
      result = run.template operator()<Compare::kEq>();
      break;
    case Compare::kNe:
      result = run.template operator()<Compare::kNe>();
      break;
    case Compare::kLt:
      result = run.template operator()<Compare::kLt>();
      break;
    case Compare::kLe:
      result = run.template operator()<Compare::kLe>();
      break;
    case Compare::kGt:
      result = run.template operator()<Compare::kGt>();
      break;
    case Compare::kGe:
      result = run.template operator()<Compare::kGe>();
      break;
    default:
      result = lanes_where<W>(exec, [&](int l) { return is_true(how, a[l], b[l]); });
  }
  valid |= ~exec;
  return result;
}

}  // namespace

template <int W, class T>
void v_cmp(Wave<W>& w, Compare how, int d, Operand a, Operand b) {
  u64 valid;
  const u64 lanes = compared<W, T>(w, how, a, b, valid);
  put_mask(w, d, lanes, valid);
}
template <int W, class T>
void v_cmpx(Wave<W>& w, Compare how, Operand a, Operand b) {
  u64 valid;
  const u64 lanes = compared<W, T>(w, how, a, b, valid);
  put_mask(w, kExec, lanes, valid);
}
#define COMPARE_OF(T)                                                    \
  template void v_cmp<32, T>(Wave<32>&, Compare, int, Operand, Operand); \
  template void v_cmp<64, T>(Wave<64>&, Compare, int, Operand, Operand); \
  template void v_cmpx<32, T>(Wave<32>&, Compare, Operand, Operand);     \
  template void v_cmpx<64, T>(Wave<64>&, Compare, Operand, Operand);
COMPARE_OF(f32)
COMPARE_OF(f64)
COMPARE_OF(u32)
COMPARE_OF(i32)
COMPARE_OF(u64)
COMPARE_OF(i64)
COMPARE_OF(u16)
COMPARE_OF(i16)

template <int W>
void v_cndmask_b32(Wave<W>& w, int d, Operand oa, Operand ob, int at) {
  u64 valid_a = ~u64(0), valid_b = ~u64(0);
  const Source<W, u32> a(w, oa, valid_a), b(w, ob, valid_b);
  const u64 mask = w.mask(at), known = w.mask_valid(at);
  for_lanes<W, u32>(w, d, known & ((mask & valid_b) | (~mask & valid_a)),
                    [&](int l) { return mask >> l & 1 ? b[l] : a[l]; });
}
template void v_cndmask_b32(Wave<32>&, int, Operand, Operand, int);
template void v_cndmask_b32(Wave<64>&, int, Operand, Operand, int);

}  // namespace isa
