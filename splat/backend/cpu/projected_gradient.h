// Reading the gradients that combine() left in the records, a vector of splats at a time. Per SIMD level.
#pragma once

#include "splat/backend/cpu/records.h"
#include "splat/core/simd.h"
#include "splat/math/parameter_chain.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

// Gradient by the projected splat, of kLanes splats; zero for the invisible. The colour's is that before its clamp.
struct ProjectedGradient {
  MaskV visible;
  math::SplatGradient<FloatV> gradient;
  math::Vec3<FloatV> v_plane;
};

// The rows of `gradients` from `next` on belong to the set lanes, in order; advances `next`.
SPLAT_INLINE ProjectedGradient gather_gradients(const float* gradients, size_t& next, uint32_t lanes) {
  alignas(64) float staged[kLanes * kGradientFloats];
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool visible = lanes >> lane & 1;
    const float* row = gradients + next * kRecordFloats;
    for (int k = 0; k < kGradientFloats; ++k) staged[lane * kGradientFloats + k] = visible ? row[k] : 0.0f;
    next += visible;
  }
  FloatV a[4], b[4], c[4];
  load_transposed(staged, kGradientFloats, a);
  load_transposed(staged + 4, kGradientFloats, b);
  load_transposed(staged + 8, kGradientFloats, c);
  return {mask_from_bits(lanes), {{a[0], a[1]}, {a[2], a[3], b[0]}, b[1], {b[2], b[3], c[0]}}, {c[1], c[2], c[3]}};
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
