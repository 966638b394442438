// The state of a wave of an AMD GPU, and the operands of its instructions. W: lanes of a wave, 32 or 64.
// Beside every register stands which of its lanes (vector) or bits (scalar) a program may use: what was never written
// is followed through copies and arithmetic, and is a fault where it decides something: an address, a branch, stored
// data.
#pragma once

#include <bit>
#include <cstdint>

#include "tests/isa/machine/faults.h"

namespace isa {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using f32 = float;
using f64 = double;

// Numbers of scalar registers. LLVM, "AMDGPU Operand Syntax"; the program never sees the numbers themselves.
constexpr int kVcc = 106, kTrap = 108, kM0 = 124, kNull = 125, kExec = 126, kScalars = 128;
constexpr int kVectors = 256;
constexpr int kSpare = kVectors;  // a vector register that no instruction names: for the lanes that DPP has moved

struct Block;  // memory.h

template <int W>
struct Wave {
  static constexpr u64 kAll = W == 64 ? ~u64(0) : (u64(1) << (W & 63)) - 1;

  u32 s[kScalars] = {};
  u32 s_valid[kScalars] = {};
  bool scc = false, scc_valid = false;
  u32 at = 0;      // offset of the instruction in its code object, of those that can fault
  u32 resume = 0;  // where run() goes on
  u64 executed = 0;
  int number = 0;  // in its block
  Block* block = nullptr;
  u64 v_valid[kVectors + 1] = {};
  alignas(64) u32 v[kVectors + 1][W] = {};

  u64 exec() const { return W == 64 ? s[kExec] | u64(s[kExec + 1]) << 32 : s[kExec]; }
  // A mask of lanes: one scalar register or two.
  u64 mask(int at_register) const { return W == 64 ? s[at_register] | u64(s[at_register + 1]) << 32 : s[at_register]; }
  u64 mask_valid(int at_register) const {
    return W == 64 ? s_valid[at_register] | u64(s_valid[at_register + 1]) << 32 : s_valid[at_register];
  }
};

// A source operand: a register or a constant, and what is done to it before use.
// Built by the translator; the value or number of the register stands in the low half.
struct Operand {
  u64 code;
  enum Kind : u64 { kVector, kScalar, kConstant, kConstantSigned, kConstantHigh, kScc };
  enum Select : u64 { kDword, kByte0, kByte1, kByte2, kByte3, kWord0, kWord1 };
  constexpr u32 low() const { return u32(code); }
  constexpr Kind kind() const { return Kind(code >> 32 & 7); }
  constexpr bool negated() const { return code >> 35 & 1; }
  constexpr bool absolute() const { return code >> 36 & 1; }
  constexpr Select select() const { return Select(code >> 37 & 7); }
  constexpr bool sign_extended() const { return code >> 40 & 1; }
  constexpr bool plain_vector() const { return code >> 32 == kVector; }
  constexpr Operand negative() const { return {code | u64(1) << 35}; }
  constexpr Operand magnitude() const { return {code | u64(1) << 36}; }
  constexpr Operand part(Select which) const { return {code | u64(which) << 37}; }
  constexpr Operand with_sign() const { return {code | u64(1) << 40}; }
};
constexpr Operand v(u32 number) { return {number}; }
constexpr Operand s(u32 number) { return {number | u64(Operand::kScalar) << 32}; }
// A constant; of 64 bits: with zeros above, with the sign above, or itself above and zeros below.
constexpr Operand k(u32 value) { return {value | u64(Operand::kConstant) << 32}; }
constexpr Operand k_signed(u32 value) { return {value | u64(Operand::kConstantSigned) << 32}; }
constexpr Operand k_high(u32 value) { return {value | u64(Operand::kConstantHigh) << 32}; }
constexpr Operand scc() { return {u64(Operand::kScc) << 32}; }

template <class T>
constexpr bool is_wide = sizeof(T) == 8;

// For operands that are not plain vector registers: their lanes, in `room`.
const u32* changed_lanes(Wave<32>& w, Operand from, int word, bool sign_word, u32* room, u64& valid);
const u32* changed_lanes(Wave<64>& w, Operand from, int word, bool sign_word, u32* room, u64& valid);

// The lanes of a source; `valid` loses those that hold nothing. Words 0 and 1 of an operand of 64 bits.
template <int W>
const u32* vector_lanes(Wave<W>& w, Operand from, int word, bool sign_word, u32* room, u64& valid) {
  if (from.plain_vector()) {
    valid &= w.v_valid[from.low() + u32(word)];
    return w.v[from.low() + u32(word)];
  }
  return changed_lanes(w, from, word, sign_word, room, valid);
}

template <int W, class T>
struct Source {
  alignas(64) u32 room[is_wide<T> ? 2 : 1][W];
  const u32* low;
  const u32* high;
  // valid_low, valid_high: lanes known of the low and of the high word.
  Source(Wave<W>& w, Operand from, u64& valid_low, u64& valid_high) {
    low = vector_lanes(w, from, 0, !is_wide<T>, room[0], valid_low);
    high = is_wide<T> ? vector_lanes(w, from, 1, true, room[sizeof room / sizeof room[0] - 1], valid_high) : low;
  }
  Source(Wave<W>& w, Operand from, u64& valid) : Source(w, from, valid, valid) {}
  T operator[](int lane) const {
    if constexpr (is_wide<T>)
      return std::bit_cast<T>(low[lane] | u64(high[lane]) << 32);
    else if constexpr (sizeof(T) == 2)
      return T(low[lane]);
    else
      return std::bit_cast<T>(low[lane]);
  }
};

// ---- scalar operands

struct Bits {
  u64 value, valid;
};
template <int W>
Bits scalar_bits(const Wave<W>& w, Operand from, bool wide) {
  const u32 n = from.low();
  switch (from.kind()) {
    case Operand::kScalar:
      if (!wide) return {w.s[n], w.s_valid[n] | u64(0xffffffff) << 32};
      return {w.s[n] | u64(w.s[n + 1]) << 32, w.s_valid[n] | u64(w.s_valid[n + 1]) << 32};
    case Operand::kConstantSigned:
      return {u64(i64(i32(n))), ~u64(0)};
    case Operand::kConstantHigh:
      return {u64(n) << 32, ~u64(0)};
    case Operand::kScc:
      return {w.scc, w.scc_valid ? ~u64(0) : 0};
    default:
      return {n, ~u64(0)};
  }
}
template <class T, int W>
T scalar(const Wave<W>& w, Operand from) {
  const Bits bits = scalar_bits(w, from, is_wide<T>);
  if constexpr (is_wide<T>)
    return std::bit_cast<T>(bits.value);
  else
    return std::bit_cast<T>(u32(bits.value));
}
// Is the whole of it usable?
template <class T, int W>
bool scalar_valid(const Wave<W>& w, Operand from) {
  return scalar_bits(w, from, is_wide<T>).valid == ~u64(0);
}

template <int W>
void put_scalar_word(Wave<W>& w, int to, u32 value, u32 valid) {
  if (to == kNull) return;
  w.s[to] = value, w.s_valid[to] = valid;
  if (to >= kExec && valid != ~u32(0) && (W == 64 || to == kExec)) unknown_used(w.at, "decides which lanes are active");
}
template <int W>
void put_scalar(Wave<W>& w, int to, Bits bits, bool wide) {
  put_scalar_word(w, to, u32(bits.value), u32(bits.valid));
  if (wide && to != kNull) put_scalar_word(w, to + 1, u32(bits.value >> 32), u32(bits.valid >> 32));
}
template <int W>
void put_mask(Wave<W>& w, int to, u64 lanes, u64 valid) {
  put_scalar(w, to, {lanes, valid}, W == 64);
}

}  // namespace isa
