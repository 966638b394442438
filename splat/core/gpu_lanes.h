// Moves between the lanes of a wave, and sums over them, without the way through LDS where a device has a shorter one,
// and sums over blocks; for kernels. All lanes call them together. Results do not depend on the run, but the order of a
// sum is the device's. Groups are of 2 kLanes successive lanes, halved: the lanes whose number has the bit kLanes are
// the upper half.
#pragma once

#include "splat/core/gpu_runtime.h"

namespace splat::gpu {

#if defined(__AMDGCN__)
// Data-parallel primitives: moves within a row of 16 lanes that an instruction does to its operand. AMD, "RDNA3
// Instruction Set Architecture", section 7.7.
template <int kControl>
SPLAT_DEVICE float moved_in_row(float value) {
  const int bits = __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, value), kControl, 0xf, 0xf, true);
  return __builtin_bit_cast(float, bits);
}
SPLAT_DEVICE float read_lane(float value, int lane) {
  return __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, value), lane));
}
#if !defined(__GFX9__)
// From the other row of 32 lanes: of the lane with the number in its row that kLow (lanes 0 to 7) and kHigh (8 to 15)
// have in a digit. The builtin would keep a copy for lanes that are not written, of which there are none.
template <unsigned kLow, unsigned kHigh>
SPLAT_DEVICE float from_other_row(float value) {
  float other;
  asm("v_permlanex16_b32 %0, %1, %2, %3" : "=v"(other) : "v"(value), "s"(kLow), "s"(kHigh));
  return other;
}
#endif
#endif

// Adds to a float that other blocks add to as well. Where the device has no instruction for it (targets.h), atomicAdd()
// would compare and swap from a value that the nearest cache may hold; this one reads past it.
SPLAT_DEVICE void add_float(float* to, float value) {
#if defined(__AMDGCN__) && (defined(__GFX8__) || defined(__GFX10__) || defined(__gfx900__) || defined(__gfx902__) || \
                            defined(__gfx904__) || defined(__gfx906__) || defined(__gfx909__) || defined(__gfx90c__))
  unsigned* const bits = reinterpret_cast<unsigned*>(to);
  unsigned now = __atomic_load_n(bits, __ATOMIC_RELAXED), before;
  do {
    before = now;
    now = atomicCAS(bits, before, __builtin_bit_cast(unsigned, __builtin_bit_cast(float, before) + value));
  } while (now != before);
#else
  atomicAdd(to, value);
#endif
}

// Each lane's value from a lane of the other half of its group. Every lane is read once; for kLanes = 4 which one is
// the device's choice, else the one whose number differs in that bit alone.
template <int kLanes>
SPLAT_DEVICE float from_other_half(float value, Site site = Site::current()) {
#if defined(__AMDGCN__)
  (void)site;
  if constexpr (kLanes == 1) return moved_in_row<0xb1>(value);   // quad_perm:[1,0,3,2]
  if constexpr (kLanes == 2) return moved_in_row<0x4e>(value);   // quad_perm:[2,3,0,1]
  if constexpr (kLanes == 4) return moved_in_row<0x141>(value);  // row_half_mirror
  if constexpr (kLanes == 8) return moved_in_row<0x128>(value);  // row_ror:8
#if defined(__GFX9__)
  const int bits = __builtin_bit_cast(int, value);
  if constexpr (kLanes == 16) return __builtin_bit_cast(float, __builtin_amdgcn_ds_swizzle(bits, 0x401f));  // swap 16
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(int(threadIdx.x ^ kLanes) * 4, bits));
#else
  return from_other_row<0x76543210, 0xfedcba98>(value);
#endif
#else
  return wave_shuffle_xor(value, kLanes, 2 * kLanes, site);
#endif
}

// With that lane's value added.
template <int kLanes>
SPLAT_DEVICE float add_halves(float value, Site site = Site::current()) {
  return value + from_other_half<kLanes>(value, site);
}

// The same of two values at once: lower halves get the sum of the first, upper ones of the second.
template <int kLanes>
SPLAT_DEVICE float fold_halves(float lower, float upper, Site site = Site::current()) {
#if defined(__AMDGCN__) && !defined(__GFX9__)
  // The second instruction writes upper halves alone. Not for GFX9, which must wait between writing a register and
  // moving it, and where compilers see to that only for instructions that they know.
  float sum;
  if constexpr (kLanes == 8) {
    asm("v_add_f32_dpp %0, %1, %1 row_ror:8 row_mask:0xf bank_mask:0xf\n\t"
        "v_add_f32_dpp %0, %2, %2 row_ror:8 row_mask:0xf bank_mask:0xc"
        : "=&v"(sum)
        : "v"(lower), "v"(upper));
    return sum;
  }
  if constexpr (kLanes == 4) {
    asm("v_add_f32_dpp %0, %1, %1 row_half_mirror row_mask:0xf bank_mask:0xf\n\t"
        "v_add_f32_dpp %0, %2, %2 row_half_mirror row_mask:0xf bank_mask:0xa"
        : "=&v"(sum)
        : "v"(lower), "v"(upper));
    return sum;
  }
#endif
  const bool is_upper = threadIdx.x & kLanes;
  return (is_upper ? upper : lower) + from_other_half<kLanes>(is_upper ? lower : upper, site);
}

// In groups of 32 lanes: each lane's value from the lane below, lane 0's from lane `step` of `entering`. step: the same
// in all lanes.
template <int kWave>
SPLAT_DEVICE float shift_in(float value, float entering, int step, Site site = Site::current()) {
#if defined(__AMDGCN__)
  (void)site;
  const float next = read_lane(entering, step);
#if defined(__GFX9__)
  const float upper_next = read_lane(entering, 32 + step);
  float below = moved_in_row<0x138>(value);  // wave_shr:1, not only in a row
  below = threadIdx.x % kWave == 32 ? upper_next : below;
#else
  const int last = __builtin_bit_cast(int, from_other_row<~0u, ~0u>(value));  // of the row before
  const float below = __builtin_bit_cast(
      float, __builtin_amdgcn_update_dpp(last, __builtin_bit_cast(int, value), 0x111, 0xf, 0xf, false));  // row_shr:1
#endif
  return threadIdx.x % kWave == 0 ? next : below;
#else
  const float below = wave_shuffle_up(value, 1, 32, site), next = wave_shuffle(entering, step, 32, site);
  return threadIdx.x % 32 == 0 ? next : below;
#endif
}

}  // namespace splat::gpu
