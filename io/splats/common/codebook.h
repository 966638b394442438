// A codebook of 256 values: k-means in one dimension (Lloyd 1982), on a fine histogram, so that its cost does
// not grow with the count beyond one pass. Rare values count for more than their number, lest a few large ones be far
// from every code. At most 256 different values are kept exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace io {

class CodebookBuilder {
 public:
  CodebookBuilder(float low, float high);  // the range of all values, finite
  void add(float value);

  std::array<float, 256> build() const;  // ascending

 private:
  struct Bin {
    double sum = 0;
    uint64_t count = 0;
  };
  size_t bin_of(float value) const;
  double weight_of(const Bin& bin) const;
  std::array<float, 256> first_guess() const;

  double low_, per_unit_;
  std::vector<Bin> bins_;
  uint64_t total_ = 0;
};

// The index of the value nearest to `value`.
class CodebookEncoder {
 public:
  explicit CodebookEncoder(const std::array<float, 256>& ascending);
  uint8_t operator()(float value) const;

 private:
  std::array<float, 255> borders_;  // halfway between neighbours
};

}  // namespace io
