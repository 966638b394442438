// The random bits of Backend::add_noise(), the same on every device: by (seed, iteration, row).
#pragma once

#include <cstdint>

#include "splat/core/random.h"

namespace splat {

SPLAT_HD inline void noise_bits(uint64_t seed, uint32_t iteration, uint32_t row, uint32_t (&bits)[6]) {
  const uint64_t counter = (uint64_t(iteration) << 33) | uint64_t(row) << 1;
  const random::Uint4 a = random::philox4x32(seed, random::kNoise, counter);
  const random::Uint4 b = random::philox4x32(seed, random::kNoise, counter + 1);
  bits[0] = a.x, bits[1] = a.y, bits[2] = a.z, bits[3] = a.w, bits[4] = b.x, bits[5] = b.y;
}

}  // namespace splat
