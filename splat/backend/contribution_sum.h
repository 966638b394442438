// A splat's contributions while they are being added up, in whole numbers: threads and waves may add in any order, the
// sums are the same.
#pragma once

#include <cstdint>
#include <cstring>

namespace splat {

inline constexpr double kWeightUnits = 68719476736.0;  // 2^36 a weight of 1: room for 2^28 pixels
inline constexpr float kLeastWeight = 1e-30f;          // below every weight that is blended

struct ContributionSum {
  unsigned long long weight;  // units of 1 / kWeightUnits
  uint32_t max_weight_bits;   // of a float that is not negative: ordered as the float is
  uint32_t pixels;
};

inline float max_weight_of(const ContributionSum& sum) {
  float weight;
  std::memcpy(&weight, &sum.max_weight_bits, sizeof weight);
  return weight;
}
inline float weight_of(const ContributionSum& sum) { return float(double(sum.weight) / kWeightUnits); }

}  // namespace splat
