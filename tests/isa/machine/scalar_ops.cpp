#include "tests/isa/machine/scalar_ops.h"

#include "tests/isa/machine/numbers.h"

namespace isa {
namespace {

template <class R, int W>
void finish(Wave<W>& w, int d, R r, bool valid) {
  Bits bits;
  if constexpr (is_wide<R>)
    bits.value = std::bit_cast<u64>(r);
  else
    bits.value = std::bit_cast<u32>(r);
  bits.valid = valid ? ~u64(0) : 0;
  put_scalar(w, d, bits, is_wide<R>);
}
template <int W>
void set_scc(Wave<W>& w, bool value, bool valid) {
  w.scc = value, w.scc_valid = valid;
}

}  // namespace

#define FOR_WAVES1(name)                       \
  template void name(Wave<32>&, int, Operand); \
  template void name(Wave<64>&, int, Operand);
#define FOR_WAVES2(name)                                \
  template void name(Wave<32>&, int, Operand, Operand); \
  template void name(Wave<64>&, int, Operand, Operand);
#define FOR_WAVES3(name)                                         \
  template void name(Wave<32>&, int, Operand, Operand, Operand); \
  template void name(Wave<64>&, int, Operand, Operand, Operand);

#define SCALAR_OP1(name, R, A, value)               \
  template <int W>                                  \
  void name(Wave<W>& w, int d, Operand oa) {        \
    const A a = scalar<A>(w, oa);                   \
    finish<R>(w, d, value, scalar_valid<A>(w, oa)); \
  }                                                 \
  FOR_WAVES1(name)
#define SCALAR_OP2(name, R, A, B, value)                                      \
  template <int W>                                                            \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) {                      \
    const A a = scalar<A>(w, oa);                                             \
    const B b = scalar<B>(w, ob);                                             \
    finish<R>(w, d, value, scalar_valid<A>(w, oa) && scalar_valid<B>(w, ob)); \
  }                                                                           \
  FOR_WAVES2(name)
#define SCALAR_OP3(name, R, A, B, C, value)                                                             \
  template <int W>                                                                                      \
  void name(Wave<W>& w, int d, Operand oa, Operand ob, Operand oc) {                                    \
    const A a = scalar<A>(w, oa);                                                                       \
    const B b = scalar<B>(w, ob);                                                                       \
    const C c = scalar<C>(w, oc);                                                                       \
    finish<R>(w, d, value, scalar_valid<A>(w, oa) && scalar_valid<B>(w, ob) && scalar_valid<C>(w, oc)); \
  }                                                                                                     \
  FOR_WAVES3(name)
#define SCALAR_COPY(name, R)                                     \
  template <int W>                                               \
  void name(Wave<W>& w, int d, Operand a) {                      \
    put_scalar(w, d, scalar_bits(w, a, is_wide<R>), is_wide<R>); \
  }                                                              \
  FOR_WAVES1(name)
#define SCALAR_SELECT(name, R)                                 \
  template <int W>                                             \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) {       \
    Bits chosen = scalar_bits(w, w.scc ? oa : ob, is_wide<R>); \
    if (!w.scc_valid) chosen.valid = 0;                        \
    put_scalar(w, d, chosen, is_wide<R>);                      \
  }                                                            \
  FOR_WAVES2(name)
#define SCALAR_SCC1(name, R, A, value, flag)   \
  template <int W>                             \
  void name(Wave<W>& w, int d, Operand oa) {   \
    const A a = scalar<A>(w, oa);              \
    const bool valid = scalar_valid<A>(w, oa); \
    const R r = value;                         \
    finish<R>(w, d, r, valid);                 \
    set_scc(w, flag, valid);                   \
  }                                            \
  FOR_WAVES1(name)
#define SCALAR_SCC2(name, R, A, B, value, flag)                          \
  template <int W>                                                       \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) {                 \
    const A a = scalar<A>(w, oa);                                        \
    const B b = scalar<B>(w, ob);                                        \
    const bool valid = scalar_valid<A>(w, oa) && scalar_valid<B>(w, ob); \
    const R r = value;                                                   \
    finish<R>(w, d, r, valid);                                           \
    set_scc(w, flag, valid);                                             \
  }                                                                      \
  FOR_WAVES2(name)
#define SCALAR_CARRY2(name, R, A, B, value, flag)                                       \
  template <int W>                                                                      \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) {                                \
    const A a = scalar<A>(w, oa);                                                       \
    const B b = scalar<B>(w, ob);                                                       \
    const R scc = w.scc;                                                                \
    const bool valid = scalar_valid<A>(w, oa) && scalar_valid<B>(w, ob) && w.scc_valid; \
    const bool out = flag;                                                              \
    finish<R>(w, d, value, valid);                                                      \
    set_scc(w, out, valid);                                                             \
  }                                                                                     \
  FOR_WAVES2(name)
#define SCALAR_BITS1(name, R, value)                           \
  template <int W>                                             \
  void name(Wave<W>& w, int d, Operand oa) {                   \
    const R a = scalar<R>(w, oa);                              \
    const u64 va = scalar_bits(w, oa, is_wide<R>).valid;       \
    const R r = value;                                         \
    put_scalar(w, d, {r, va}, is_wide<R>);                     \
    set_scc(w, r != 0, R(va) == R(~R(0)) || (r & R(va)) != 0); \
  }                                                            \
  FOR_WAVES1(name)
#define SCALAR_BITS2(name, R, value, known)                                                             \
  template <int W>                                                                                      \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) {                                                \
    const R a = scalar<R>(w, oa), b = scalar<R>(w, ob);                                                 \
    const R va = R(scalar_bits(w, oa, is_wide<R>).valid), vb = R(scalar_bits(w, ob, is_wide<R>).valid); \
    const R r = value, valid = known;                                                                   \
    put_scalar(w, d, {r, valid}, is_wide<R>);                                                           \
    set_scc(w, r != 0, valid == R(~R(0)) || (r & valid) != 0);                                          \
  }                                                                                                     \
  FOR_WAVES2(name)
#include "tests/isa/machine/scalar_ops.inc"

template <class T, int W>
void s_cmp(Wave<W>& w, Compare how, Operand oa, Operand ob) {
  const T a = scalar<T>(w, oa), b = scalar<T>(w, ob);
  set_scc(w, is_true(how, a, b), scalar_valid<T>(w, oa) && scalar_valid<T>(w, ob));
}
template <int W>
void s_bitcmp0_b32(Wave<W>& w, Operand a, Operand b) {
  set_scc(w, !(scalar<u32>(w, a) >> (scalar<u32>(w, b) & 31) & 1), scalar_valid<u32>(w, a) && scalar_valid<u32>(w, b));
}
template <int W>
void s_bitcmp1_b32(Wave<W>& w, Operand a, Operand b) {
  set_scc(w, scalar<u32>(w, a) >> (scalar<u32>(w, b) & 31) & 1, scalar_valid<u32>(w, a) && scalar_valid<u32>(w, b));
}

template <int W>
void s_saveexec(Wave<W>& w, Mask how, int d, Operand oa) {
  const Bits bits = scalar_bits(w, oa, W == 64);
  const u64 old = w.exec(), a = bits.value & Wave<W>::kAll;
  u64 now = 0, known = bits.valid;
  switch (how) {
    case Mask::kAnd:
      now = a & old, known |= ~old;
      break;
    case Mask::kOr:
      now = a | old, known |= old;
      break;
    case Mask::kXor:
      now = a ^ old;
      break;
    case Mask::kAndNot2:
      now = a & ~old, known |= old;
      break;
    case Mask::kAndNot1:
      now = ~a & old, known |= ~old;
      break;
    case Mask::kOrNot2:
      now = a | ~old, known |= ~old;
      break;
    case Mask::kOrNot1:
      now = ~a | old, known |= old;
      break;
  }
  put_mask(w, d, old, ~u64(0));
  put_mask(w, kExec, now & Wave<W>::kAll, known);
  set_scc(w, w.exec() != 0, true);
}

template <int W>
bool scc_is_set(Wave<W>& w) {
  if (!w.scc_valid) unknown_used(w.at, "decides a branch");
  return w.scc;
}
template <int W>
bool vcc_is_zero(Wave<W>& w) {
  const u64 vcc = w.mask(kVcc), known = w.mask_valid(kVcc) | ~Wave<W>::kAll;
  if (~known && !(vcc & known)) unknown_used(w.at, "decides a branch");
  return vcc == 0;
}

#define FOR_WAVE(W)                                              \
  template void s_cmp<u32>(Wave<W>&, Compare, Operand, Operand); \
  template void s_cmp<i32>(Wave<W>&, Compare, Operand, Operand); \
  template void s_cmp<u64>(Wave<W>&, Compare, Operand, Operand); \
  template void s_cmp<f32>(Wave<W>&, Compare, Operand, Operand); \
  template void s_bitcmp0_b32(Wave<W>&, Operand, Operand);       \
  template void s_bitcmp1_b32(Wave<W>&, Operand, Operand);       \
  template void s_saveexec(Wave<W>&, Mask, int, Operand);        \
  template bool scc_is_set(Wave<W>&);                            \
  template bool vcc_is_zero(Wave<W>&);
FOR_WAVE(32)
FOR_WAVE(64)

}  // namespace isa
