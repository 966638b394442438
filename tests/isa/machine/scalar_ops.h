// Scalar instructions without memory: one function each, named as in the assembler.
#pragma once

#include "tests/isa/machine/lane_ops.h"

namespace isa {

#define SCALAR_OP1(name, R, A, ...) \
  template <int W>                  \
  void name(Wave<W>& w, int d, Operand a);
#define SCALAR_OP2(name, R, A, B, ...) \
  template <int W>                     \
  void name(Wave<W>& w, int d, Operand a, Operand b);
#define SCALAR_OP3(name, R, A, B, C, ...) \
  template <int W>                        \
  void name(Wave<W>& w, int d, Operand a, Operand b, Operand c);
#define SCALAR_COPY(name, R) SCALAR_OP1(name, R, R, )
#define SCALAR_SELECT(name, R) SCALAR_OP2(name, R, R, R, )
#define SCALAR_SCC1 SCALAR_OP1
#define SCALAR_SCC2 SCALAR_OP2
#define SCALAR_CARRY2 SCALAR_OP2
#define SCALAR_BITS1(name, R, ...) SCALAR_OP1(name, R, R, )
#define SCALAR_BITS2(name, R, ...) SCALAR_OP2(name, R, R, R, )
#include "tests/isa/machine/scalar_ops.inc"
#undef SCALAR_OP1
#undef SCALAR_OP2
#undef SCALAR_OP3
#undef SCALAR_COPY
#undef SCALAR_SELECT
#undef SCALAR_SCC1
#undef SCALAR_SCC2
#undef SCALAR_CARRY2
#undef SCALAR_BITS1
#undef SCALAR_BITS2

// The address of an instruction, in a register pair.
template <int W>
void s_getpc_b64(Wave<W>& w, int d, u64 address) {
  put_scalar(w, d, {address, ~u64(0)}, true);
}

template <class T, int W>
void s_cmp(Wave<W>& w, Compare how, Operand a, Operand b);
template <int W>
void s_bitcmp0_b32(Wave<W>& w, Operand a, Operand b);
template <int W>
void s_bitcmp1_b32(Wave<W>& w, Operand a, Operand b);

// s_<how>_saveexec: d is the old mask of active lanes, the new one is `how` of the source and the old one. SCC: any.
enum class Mask { kAnd, kOr, kXor, kAndNot2, kAndNot1, kOrNot2, kOrNot1 };
template <int W>
void s_saveexec(Wave<W>& w, Mask how, int d, Operand a);

// Conditions of branches.
template <int W>
bool scc_is_set(Wave<W>& w);
template <int W>
bool vcc_is_zero(Wave<W>& w);
template <int W>
bool exec_is_zero(Wave<W>& w) {
  return w.exec() == 0;
}

}  // namespace isa
