// Runs an expression over the active lanes of a wave. The loops have no branches, so that the compiler makes vector
// code of them; inactive lanes are computed and thrown away.
#pragma once

#include "tests/isa/machine/lane_ops.h"
#include "tests/isa/machine/numbers.h"

namespace isa {

inline bool active(u64 exec, int lane) { return exec >> lane & 1; }

template <int W>
void mark_written(Wave<W>& w, int d, u64 exec, u64 valid) {
  w.v_valid[d] = (w.v_valid[d] & ~exec) | (valid & exec);
}

template <class R>
u32 kept_or_zero(R value, u32 old) {
  return upper_half_kept ? (old & 0xffff0000u) | u16(value) : u16(value);
}

// f(lane): value of the result. valid, valid_high: lanes known of it, of its high word.
template <int W, class R, class F>
void for_lanes(Wave<W>& w, int d, u64 valid, u64 valid_high, F f) {
  const u64 exec = w.exec();
  if (exec == 0) return;
  u32* const low = w.v[d];
  for (int half = 0; half < W; half += 32) {
    const u32 on = u32(exec >> half);
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (int i = 0; i < 32; ++i) {
      const int l = half + i;
      const bool write = on >> i & 1;
      const R r = f(l);
      if constexpr (is_wide<R>) {
        const u64 bits = std::bit_cast<u64>(r);
        u32* const high = w.v[d + 1];
        low[l] = write ? u32(bits) : low[l];
        high[l] = write ? u32(bits >> 32) : high[l];
      } else if constexpr (sizeof(R) == 2) {
        low[l] = write ? kept_or_zero(r, low[l]) : low[l];
      } else {
        low[l] = write ? std::bit_cast<u32>(r) : low[l];
      }
    }
  }
  mark_written(w, d, exec, valid);
  if constexpr (is_wide<R>) mark_written(w, d + 1, exec, valid_high);
}
template <int W, class R, class F>
void for_lanes(Wave<W>& w, int d, u64 valid, F f) {
  for_lanes<W, R>(w, d, valid, valid, f);
}

// The same with branches, for f that call functions.
template <int W, class R, class F>
void for_lanes_one_by_one(Wave<W>& w, int d, u64 valid, F f) {
  const u64 exec = w.exec();
  for (u64 left = exec; left; left &= left - 1) {
    const int l = std::countr_zero(left);
    const R r = f(l);
    if constexpr (is_wide<R>) {
      const u64 bits = std::bit_cast<u64>(r);
      w.v[d][l] = u32(bits), w.v[d + 1][l] = u32(bits >> 32);
    } else {
      w.v[d][l] = std::bit_cast<u32>(r);
    }
  }
  mark_written(w, d, exec, valid);
  if constexpr (is_wide<R>) mark_written(w, d + 1, exec, valid);
}

}  // namespace isa
