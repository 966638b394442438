// Adam's moments between a host, which has two floats of a parameter, and a backend that keeps both in one word
// (math/adam.h). Words are the bits of floats here, shaped like the parameters.
#pragma once

#include "splat/backend/backend.h"
#include "splat/math/adam.h"
#include "splat/model/gaussian_rows.h"

namespace splat {

// What unpack_moments() gave becomes what it was; other numbers are rounded to the nearest.
inline Gaussians packed_moments(const AdamMoments& moments) {
  constexpr uint32_t kHalves = 0x80008000u;
  Gaussians packed = moments.first;
  const auto pack = [&](const char*, std::vector<float>& first, const std::vector<float>& second, size_t) {
    for (size_t i = 0; i < first.size(); ++i)
      first[i] =
          math::float_of_bits(math::packed_moments(math::word_bits(first[i]), math::word_bits(second[i]), kHalves));
  };
  visit_arrays(packed, pack, moments.second);
  return packed;
}
// moments.first: the words before, the first moments after.
inline void unpack_moments(AdamMoments& moments) {
  moments.second = moments.first;
  const auto unpack = [](const char*, std::vector<float>& first, std::vector<float>& second, size_t) {
    for (size_t i = 0; i < first.size(); ++i) {
      const uint32_t words = math::word_bits(first[i]);
      first[i] = math::first_moment<float>(words), second[i] = math::second_moment<float>(words);
    }
  };
  visit_arrays(moments.first, unpack, moments.second);
}

}  // namespace splat
