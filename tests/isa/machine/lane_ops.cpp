// The table of lane_ops.inc, and the operands that are not plain registers.
#include "tests/isa/machine/lane_ops.h"

#include "tests/isa/machine/lane_loop.h"

namespace isa {

u32 near_seed = 0;
bool upper_half_kept = false;

namespace {

f32 frexp_mantissa(f32 x) {
  int exponent;
  return std::isfinite(x) ? frexpf(x, &exponent) : x;
}
i32 frexp_exponent(f32 x) {
  int exponent = 0;
  if (std::isfinite(x)) (void)frexpf(x, &exponent);
  return exponent;
}

struct Part {
  u32 low, bits;
};
constexpr Part kParts[] = {{0, 32}, {0, 8}, {8, 8}, {16, 8}, {24, 8}, {0, 16}, {16, 16}};  // by Operand::Select

u32 part_of(u32 x, Operand from) {
  const Part part = kParts[from.select()];
  if (part.bits == 32) return x;
  return from.sign_extended() ? field_signed(x, part.low, part.bits) : field(x, part.low, part.bits);
}

template <int W>
const u32* change_lanes(Wave<W>& w, Operand from, int word, bool sign_word, u32* room, u64& valid) {
  if (from.kind() == Operand::kVector) {
    const u32* raw = w.v[from.low() + u32(word)];
    valid &= w.v_valid[from.low() + u32(word)];
    for (int l = 0; l < W; ++l) room[l] = part_of(raw[l], from);
  } else {
    const Bits bits = scalar_bits(w, from, word == 1);
    const int shift = 32 * word;
    if (u32(bits.valid >> shift) != ~0u) valid = 0;
    const u32 value = part_of(u32(bits.value >> shift), from);
    for (int l = 0; l < W; ++l) room[l] = value;
  }
  if (!sign_word) return room;
  const u32 keep = from.absolute() ? 0x7fffffffu : ~0u, flip = from.negated() ? 0x80000000u : 0;
  for (int l = 0; l < W; ++l) room[l] = (room[l] & keep) ^ flip;
  return room;
}

}  // namespace

const u32* changed_lanes(Wave<32>& w, Operand from, int word, bool sign_word, u32* room, u64& valid) {
  return change_lanes(w, from, word, sign_word, room, valid);
}
const u32* changed_lanes(Wave<64>& w, Operand from, int word, bool sign_word, u32* room, u64& valid) {
  return change_lanes(w, from, word, sign_word, room, valid);
}

#define LANE_BODY1(name, R, A, value, loop)    \
  template <int W>                             \
  void name(Wave<W>& w, int d, Operand oa) {   \
    u64 valid = ~u64(0);                       \
    const Source<W, A> sa(w, oa, valid);       \
    loop<W, R>(w, d, valid, [&](int l) {       \
      const A a = sa[l];                       \
      return R(value);                         \
    });                                        \
  }                                            \
  template void name(Wave<32>&, int, Operand); \
  template void name(Wave<64>&, int, Operand);
#define LANE_BODY2(name, R, A, B, value, loop)           \
  template <int W>                                       \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) { \
    u64 valid = ~u64(0);                                 \
    const Source<W, A> sa(w, oa, valid);                 \
    const Source<W, B> sb(w, ob, valid);                 \
    loop<W, R>(w, d, valid, [&](int l) {                 \
      const A a = sa[l];                                 \
      const B b = sb[l];                                 \
      return R(value);                                   \
    });                                                  \
  }                                                      \
  template void name(Wave<32>&, int, Operand, Operand);  \
  template void name(Wave<64>&, int, Operand, Operand);
#define LANE_BODY3(name, R, A, B, C, value, loop)                    \
  template <int W>                                                   \
  void name(Wave<W>& w, int d, Operand oa, Operand ob, Operand oc) { \
    u64 valid = ~u64(0);                                             \
    const Source<W, A> sa(w, oa, valid);                             \
    const Source<W, B> sb(w, ob, valid);                             \
    const Source<W, C> sc(w, oc, valid);                             \
    loop<W, R>(w, d, valid, [&](int l) {                             \
      const A a = sa[l];                                             \
      const B b = sb[l];                                             \
      const C c = sc[l];                                             \
      return R(value);                                               \
    });                                                              \
  }                                                                  \
  template void name(Wave<32>&, int, Operand, Operand, Operand);     \
  template void name(Wave<64>&, int, Operand, Operand, Operand);
#define LANE_WIDE1(name, R, A, value, low, high)  \
  template <int W>                                \
  void name(Wave<W>& w, int d, Operand oa) {      \
    u64 a0 = ~u64(0), a1 = a0;                    \
    const Source<W, A> sa(w, oa, a0, a1);         \
    for_lanes<W, R>(w, d, low, high, [&](int l) { \
      const A a = sa[l];                          \
      return R(value);                            \
    });                                           \
  }                                               \
  template void name(Wave<32>&, int, Operand);    \
  template void name(Wave<64>&, int, Operand);
#define LANE_WIDE2(name, R, A, B, value, low, high)      \
  template <int W>                                       \
  void name(Wave<W>& w, int d, Operand oa, Operand ob) { \
    u64 a0 = ~u64(0), a1 = a0, b0 = a0, b1 = a0;         \
    const Source<W, A> sa(w, oa, a0, a1);                \
    const Source<W, B> sb(w, ob, b0, b1);                \
    for_lanes<W, R>(w, d, low, high, [&](int l) {        \
      const A a = sa[l];                                 \
      const B b = sb[l];                                 \
      return R(value);                                   \
    });                                                  \
  }                                                      \
  template void name(Wave<32>&, int, Operand, Operand);  \
  template void name(Wave<64>&, int, Operand, Operand);
#define LANE_WIDE3(name, R, A, B, C, value, low, high)               \
  template <int W>                                                   \
  void name(Wave<W>& w, int d, Operand oa, Operand ob, Operand oc) { \
    u64 a0 = ~u64(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;   \
    const Source<W, A> sa(w, oa, a0, a1);                            \
    const Source<W, B> sb(w, ob, b0, b1);                            \
    const Source<W, C> sc(w, oc, c0, c1);                            \
    for_lanes<W, R>(w, d, low, high, [&](int l) {                    \
      const A a = sa[l];                                             \
      const B b = sb[l];                                             \
      const C c = sc[l];                                             \
      return R(value);                                               \
    });                                                              \
  }                                                                  \
  template void name(Wave<32>&, int, Operand, Operand, Operand);     \
  template void name(Wave<64>&, int, Operand, Operand, Operand);
#define LANE_OP1(name, R, A, value) LANE_BODY1(name, R, A, value, for_lanes)
#define LANE_OP2(name, R, A, B, value) LANE_BODY2(name, R, A, B, value, for_lanes)
#define LANE_OP3(name, R, A, B, C, value) LANE_BODY3(name, R, A, B, C, value, for_lanes)
#define LANE_LIBM1(name, R, A, value) LANE_BODY1(name, R, A, value, for_lanes_one_by_one)
#define LANE_LIBM2(name, R, A, B, value) LANE_BODY2(name, R, A, B, value, for_lanes_one_by_one)
#define LANE_LIBM3(name, R, A, B, C, value) LANE_BODY3(name, R, A, B, C, value, for_lanes_one_by_one)
#include "tests/isa/machine/lane_ops.inc"

}  // namespace isa
