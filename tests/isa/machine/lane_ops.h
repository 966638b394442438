// Vector instructions without memory: one function each, named as in the assembler.
#pragma once

#include "tests/isa/machine/wave.h"

namespace isa {

#define LANE_OP1(name, R, A, value) \
  template <int W>                  \
  void name(Wave<W>& w, int d, Operand a);
#define LANE_OP2(name, R, A, B, value) \
  template <int W>                     \
  void name(Wave<W>& w, int d, Operand a, Operand b);
#define LANE_OP3(name, R, A, B, C, value) \
  template <int W>                        \
  void name(Wave<W>& w, int d, Operand a, Operand b, Operand c);
#define LANE_LIBM1 LANE_OP1
#define LANE_WIDE1(name, R, A, ...) LANE_OP1(name, R, A, )
#define LANE_WIDE2(name, R, A, B, ...) LANE_OP2(name, R, A, B, )
#define LANE_WIDE3(name, R, A, B, C, ...) LANE_OP3(name, R, A, B, C, )
#define LANE_LIBM2 LANE_OP2
#define LANE_LIBM3 LANE_OP3
#include "tests/isa/machine/lane_ops.inc"
#undef LANE_OP1
#undef LANE_OP2
#undef LANE_OP3
#undef LANE_WIDE1
#undef LANE_WIDE2
#undef LANE_WIDE3
#undef LANE_LIBM1
#undef LANE_LIBM2
#undef LANE_LIBM3

// Results of 16 bits: the upper half of the register is kept (RDNA) or becomes zero (CDNA, RDNA's loads).
extern bool upper_half_kept;

// Comparisons: one bit a lane, zero for inactive ones. v_cmpx writes the mask of active lanes.
enum class Compare { kEq, kNe, kLg, kLt, kLe, kGt, kGe, kNge, kNgt, kNle, kNlt, kNeq, kNlg, kO, kU, kClass };
template <class T>
bool is_true(Compare how, T a, T b) {
  switch (how) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLg:
      return a < b || a > b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
    case Compare::kNge:
      return !(a >= b);
    case Compare::kNgt:
      return !(a > b);
    case Compare::kNle:
      return !(a <= b);
    case Compare::kNlt:
      return !(a < b);
    case Compare::kNeq:
      return !(a == b);
    case Compare::kNlg:
      return !(a < b || a > b);
    case Compare::kO:
      return a == a && b == b;
    case Compare::kU:
      return a != a || b != b;
    case Compare::kClass:
      break;
  }
  return false;
}
template <int W, class T>
void v_cmp(Wave<W>& w, Compare how, int d, Operand a, Operand b);
template <int W, class T>
void v_cmpx(Wave<W>& w, Compare how, Operand a, Operand b);

template <int W>
void v_cndmask_b32(Wave<W>& w, int d, Operand a, Operand b, int mask);

// Sums with a carry a lane: out (register of a mask), and in.
enum class Sum { kAdd, kSub, kSubrev };
template <int W>
void v_sum_co_u32(Wave<W>& w, Sum how, int d, int carry, Operand a, Operand b);
template <int W>
void v_sum_co_ci_u32(Wave<W>& w, Sum how, int d, int carry, Operand a, Operand b, int carry_in);

template <int W>
void v_mad_u64_u32(Wave<W>& w, int d, int carry, Operand a, Operand b, Operand c);
template <int W>
void v_mad_i64_i32(Wave<W>& w, int d, int carry, Operand a, Operand b, Operand c);
template <int W>
void v_div_scale_f32(Wave<W>& w, int d, int undo, Operand a, Operand b, Operand c);
template <int W>
void v_div_scale_f64(Wave<W>& w, int d, int undo, Operand a, Operand b, Operand c);
template <int W>
void v_div_fmas_f64(Wave<W>& w, int d, Operand a, Operand b, Operand c);
template <int W>
void v_div_fmas_f32(Wave<W>& w, int d, Operand a, Operand b, Operand c);

// Packed: two results, from registers d and d + 1. Operands of the low and of the high result.
template <int W>
void v_pk_mov_b32(Wave<W>& w, int d, Operand low, Operand high);
template <int W>
void v_pk_add_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand a1, Operand b1);
template <int W>
void v_pk_mul_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand a1, Operand b1);
template <int W>
void v_pk_fma_f32(Wave<W>& w, int d, Operand a0, Operand b0, Operand c0, Operand a1, Operand b1, Operand c1);

// Between lanes.
template <int W>
void v_mbcnt_lo_u32_b32(Wave<W>& w, int d, Operand a, Operand b);
template <int W>
void v_mbcnt_hi_u32_b32(Wave<W>& w, int d, Operand a, Operand b);
template <int W>
void v_readfirstlane_b32(Wave<W>& w, int d, Operand a);
template <int W>
void v_readlane_b32(Wave<W>& w, int d, Operand a, Operand lane);
template <int W>
void v_writelane_b32(Wave<W>& w, int d, Operand a, Operand lane);
// In each row of 16 lanes: from the lane of the other row of 32 that the lane's digit of `low` (lanes 0 to 7) or `high`
// says; not written where that lane is not active.
template <int W>
void v_permlanex16_b32(Wave<W>& w, int d, Operand a, Operand low, Operand high);
template <int W>
void ds_bpermute_b32(Wave<W>& w, int d, Operand lanes, Operand a, u32 offset);
template <int W>
void ds_swizzle_b32(Wave<W>& w, int d, Operand a, u32 pattern);

// Data-parallel primitives: the source moved between lanes stands in register kSpare, and only lanes that DPP writes
// are active, as long as this lives. Without bound_ctrl a lane whose source is out of reach is not written, with it it
// reads zero.
struct Dpp {
  enum How {
    kQuadPerm,
    kRowShl,
    kRowShr,
    kRowRor,
    kRowMirror,
    kRowHalfMirror,
    kRowBcast15,
    kRowBcast31,
    kRowShare,
    kRowXmask,
    kWaveShr,
    kWaveShl
  };
  How how;
  u32 by;  // lanes; for kQuadPerm two bits a lane
  u32 rows, banks;
  bool zeros;
};
template <int W>
class DppScope {
 public:
  DppScope(Wave<W>& w, Operand source, const Dpp& dpp);
  ~DppScope();

 private:
  Wave<W>& wave_;
  u32 exec_[2];
};

// The low half of register kSpare into the low or the upper half of another one, whose rest stays.
template <int W>
void put_half(Wave<W>& w, int d, bool upper);

// A float result between 0 and 1, or times 2, 4 or 1/2: what the assembler calls clamp, mul:2, mul:4 and div:2.
template <int W>
void clamp_f32(Wave<W>& w, int d);
template <int W>
void scale_f32(Wave<W>& w, int d, f32 factor);

}  // namespace isa
