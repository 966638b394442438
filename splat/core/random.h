// Counter-based random numbers: a value depends only on (seed, stream, counter), never on threads or call order.
// Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. No state to save in a
// checkpoint.
#pragma once

#include <cstdint>

#include "splat/core/hd.h"

namespace splat::random {

struct Uint4 {
  uint32_t x, y, z, w;
};

SPLAT_HD inline Uint4 philox4x32(uint64_t key, uint64_t stream, uint64_t counter) {
  constexpr uint32_t kMultiplier0 = 0xD2511F53u, kMultiplier1 = 0xCD9E8D57u, kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
  Uint4 c{uint32_t(counter), uint32_t(counter >> 32), uint32_t(stream), uint32_t(stream >> 32)};
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t(kMultiplier0) * c.x, p1 = uint64_t(kMultiplier1) * c.z;
    c = {uint32_t(p1 >> 32) ^ c.y ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c.w ^ k1, uint32_t(p0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return c;
}

// Uniform in [0, 1): 24 bits.
SPLAT_HD inline float uniform_from_bits(uint32_t bits) { return float(bits >> 8) * (1.0f / 16777216.0f); }

// Streams: every use of randomness has its own, so that adding one never shifts another.
enum Stream : uint64_t {
  kViewOrder = 1,
  kBackground = 2,
  kSplit = 3,
  kRandomInit = 4,
  kRelocate = 5,
  kNoise = 6,
  kBench = 7,
  kRetrieval = 8,
  kDropout = 9,
  kGround = 11,
  kTest = 99
};

// The same generator as a sequence, for host loops: next() draws 32 bits.
class Sequence {
 public:
  Sequence(uint64_t seed, uint64_t stream, uint64_t first_counter = 0)
      : seed_(seed), stream_(stream), counter_(first_counter) {}
  uint32_t next() {
    if (used_ == 4) {
      block_ = philox4x32(seed_, stream_, counter_++);
      used_ = 0;
    }
    const uint32_t values[4] = {block_.x, block_.y, block_.z, block_.w};
    return values[used_++];
  }
  float uniform() { return uniform_from_bits(next()); }  // [0,1)
  float normal();                                        // mean 0, variance 1 (Box-Muller, one of the pair is dropped)
  uint32_t below(uint32_t bound) {                       // [0,bound), bias < bound / 2^32
    return uint32_t((uint64_t(next()) * bound) >> 32);
  }

 private:
  uint64_t seed_, stream_, counter_;
  Uint4 block_{};
  int used_ = 4;
};

}  // namespace splat::random
