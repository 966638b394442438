// Instructions that move values between lanes.
#include "tests/isa/machine/lane_loop.h"

namespace isa {

template <int W>
void v_mbcnt_lo_u32_b32(Wave<W>& w, int d, Operand oa, Operand ob) {
  u64 valid = ~u64(0);
  const Source<W, u32> a(w, oa, valid), b(w, ob, valid);
  for_lanes<W, u32>(w, d, valid, [&](int l) { return ones_below(a[l], l) + b[l]; });
}
template <int W>
void v_mbcnt_hi_u32_b32(Wave<W>& w, int d, Operand oa, Operand ob) {
  u64 valid = ~u64(0);
  const Source<W, u32> a(w, oa, valid), b(w, ob, valid);
  for_lanes<W, u32>(w, d, valid, [&](int l) { return ones_below(a[l], l - 32) + b[l]; });
}

template <int W>
void v_readfirstlane_b32(Wave<W>& w, int d, Operand oa) {
  const u64 exec = w.exec();
  v_readlane_b32(w, d, oa, k(exec ? u32(std::countr_zero(exec)) : 0));
}
template <int W>
void v_readlane_b32(Wave<W>& w, int d, Operand oa, Operand which) {
  if (!scalar_valid<u32>(w, which)) unknown_used(w.at, "says which lane to read");
  const u32 lane = scalar<u32>(w, which) % W;
  u64 valid = ~u64(0);
  const Source<W, u32> a(w, oa, valid);
  put_scalar_word(w, d, a[int(lane)], valid >> lane & 1 ? ~0u : 0);
}
template <int W>
void v_writelane_b32(Wave<W>& w, int d, Operand a, Operand which) {
  if (!scalar_valid<u32>(w, which)) unknown_used(w.at, "says which lane to write");
  const u32 lane = scalar<u32>(w, which) % W;
  w.v[d][lane] = scalar<u32>(w, a);
  mark_written(w, d, u64(1) << lane, scalar_valid<u32>(w, a) ? ~u64(0) : 0);
}

template <int W>
void v_permlanex16_b32(Wave<W>& w, int d, Operand oa, Operand low, Operand high) {
  if (!scalar_valid<u32>(w, low) || !scalar_valid<u32>(w, high)) unknown_used(w.at, "says which lane to read");
  const u64 digits = scalar<u32>(w, low) | u64(scalar<u32>(w, high)) << 32, exec = w.exec();
  u64 valid = ~u64(0), known = 0, written = 0;
  const Source<W, u32> a(w, oa, valid);
  u32 value[W];
  for (int l = 0; l < W; ++l) {
    const int from = ((l & ~15) ^ 16) + int(digits >> 4 * (l & 15) & 15);
    value[l] = a[from];
    known |= (valid >> from & 1) << l;
    written |= u64(active(exec, from) && active(exec, l)) << l;
  }
  for (u64 left = written; left; left &= left - 1) {
    const int l = std::countr_zero(left);
    w.v[d][l] = value[l];
  }
  mark_written(w, d, written, known);
}

template <int W>
void ds_bpermute_b32(Wave<W>& w, int d, Operand olanes, Operand oa, u32 offset) {
  const u64 exec = w.exec();
  u64 valid = ~u64(0), known = 0, address_valid = ~u64(0);
  const Source<W, u32> lanes(w, olanes, address_valid), a(w, oa, valid);
  if (exec & ~address_valid) unknown_used(w.at, "says which lane to read");
  u32 value[W];
  for (int l = 0; l < W; ++l) {
    const u32 from = (lanes[l] + offset) / 4 % W;
    const bool read = active(exec, int(from));
    value[l] = read ? a[int(from)] : 0;
    known |= u64(!read || (valid >> from & 1)) << l;
  }
  for_lanes<W, u32>(w, d, known, [&](int l) { return value[l]; });
}

template <int W>
void ds_swizzle_b32(Wave<W>& w, int d, Operand oa, u32 pattern) {
  const u64 exec = w.exec();
  u64 valid = ~u64(0), known = 0;
  const Source<W, u32> a(w, oa, valid);
  u32 value[W];
  for (int l = 0; l < W; ++l) {
    const u32 in = u32(l) & 31;
    const u32 group = pattern & 0x8000 ? (in & ~3u) | (pattern >> 2 * (in & 3) & 3)
                                       : (((in & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
    const int from = (l & ~31) | int(group & 31);
    const bool read = active(exec, from);
    value[l] = read ? a[from] : 0;
    known |= u64(!read || (valid >> from & 1)) << l;
  }
  for_lanes<W, u32>(w, d, known, [&](int l) { return value[l]; });
}

namespace {

// Lane that DPP reads for lane l; -1: none.
template <int W>
int dpp_source(const Dpp& dpp, int l) {
  const int row = l & ~15, by = int(dpp.by);
  const auto in_row = [&](int from) { return (from & ~15) == row ? from : -1; };
  switch (dpp.how) {
    case Dpp::kQuadPerm:
      return (l & ~3) | int(dpp.by >> 2 * (l & 3) & 3);
    case Dpp::kRowShl:
      return in_row(l + by);
    case Dpp::kRowShr:
      return l < by ? -1 : in_row(l - by);
    case Dpp::kRowRor:
      return row | ((l - by) & 15);
    case Dpp::kRowMirror:
      return l ^ 15;
    case Dpp::kRowHalfMirror:
      return l ^ 7;
    case Dpp::kRowBcast15:
      return row - 1;
    case Dpp::kRowBcast31:
      return l >= 32 ? 31 : -1;
    case Dpp::kRowShare:
      return row | by;
    case Dpp::kRowXmask:
      return l ^ by;
    case Dpp::kWaveShr:
      return l - 1;
    case Dpp::kWaveShl:
      return l + 1 < W ? l + 1 : -1;
  }
  return -1;
}

}  // namespace

template <int W>
DppScope<W>::DppScope(Wave<W>& w, Operand source, const Dpp& dpp) : wave_(w), exec_{w.s[kExec], w.s[kExec + 1]} {
  const u64 exec = w.exec();
  u64 valid = ~u64(0), written = 0, known = 0;
  const Source<W, u32> a(w, source, valid);
  for (int l = 0; l < W; ++l) {
    if (!(dpp.rows >> (l / 16) & 1) || !(dpp.banks >> (l / 4 % 4) & 1)) continue;
    const int from = dpp_source<W>(dpp, l);
    const bool read = from >= 0 && active(exec, from);
    if (!read && !dpp.zeros) continue;
    w.v[kSpare][l] = read ? a[from] : 0;
    written |= u64(1) << l;
    known |= u64(!read || (valid >> from & 1)) << l;
  }
  w.v_valid[kSpare] = known;
  w.s[kExec] &= u32(written);
  w.s[kExec + 1] &= u32(written >> 32);
}
template <int W>
DppScope<W>::~DppScope() {
  wave_.s[kExec] = exec_[0], wave_.s[kExec + 1] = exec_[1];
}

template <int W>
void put_half(Wave<W>& w, int d, bool upper) {
  const u32* const from = w.v[kSpare];
  const u32* const to = w.v[d];
  for_lanes<W, u32>(w, d, w.v_valid[kSpare], [&](int l) {
    return upper ? (to[l] & 0xffffu) | from[l] << 16 : (to[l] & 0xffff0000u) | (from[l] & 0xffffu);
  });
}

template <int W>
void clamp_f32(Wave<W>& w, int d) {
  for_lanes<W, f32>(w, d, w.v_valid[d], [&](int l) { return clamped(float_of(w.v[d][l])); });
}
template <int W>
void scale_f32(Wave<W>& w, int d, f32 factor) {
  for_lanes<W, f32>(w, d, w.v_valid[d], [&](int l) { return float_of(w.v[d][l]) * factor; });
}

#define FOR_WAVE(W)                                                          \
  template void v_mbcnt_lo_u32_b32(Wave<W>&, int, Operand, Operand);         \
  template void v_mbcnt_hi_u32_b32(Wave<W>&, int, Operand, Operand);         \
  template void v_readfirstlane_b32(Wave<W>&, int, Operand);                 \
  template void v_readlane_b32(Wave<W>&, int, Operand, Operand);             \
  template void v_writelane_b32(Wave<W>&, int, Operand, Operand);            \
  template void v_permlanex16_b32(Wave<W>&, int, Operand, Operand, Operand); \
  template void ds_bpermute_b32(Wave<W>&, int, Operand, Operand, u32);       \
  template void ds_swizzle_b32(Wave<W>&, int, Operand, u32);                 \
  template void put_half(Wave<W>&, int, bool);                               \
  template void clamp_f32(Wave<W>&, int);                                    \
  template void scale_f32(Wave<W>&, int, f32);                               \
  template class DppScope<W>;
FOR_WAVE(32)
FOR_WAVE(64)

}  // namespace isa
