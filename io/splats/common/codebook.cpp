#include "io/splats/common/codebook.h"

#include <algorithm>
#include <cmath>

namespace io {
namespace {

constexpr size_t kBins = size_t(1) << 16, kCodes = 256;
constexpr int kIterations = 100;

}  // namespace

CodebookBuilder::CodebookBuilder(float low, float high)
    : low_(low), per_unit_(high > low ? double(kBins - 1) / (double(high) - low) : 0), bins_(kBins) {}

size_t CodebookBuilder::bin_of(float value) const {
  return std::min(size_t(std::max((value - low_) * per_unit_, 0.0)), kBins - 1);
}

void CodebookBuilder::add(float value) {
  Bin& bin = bins_[bin_of(value)];
  bin.sum += value;
  ++bin.count;
  ++total_;
}

// As much again for all bins together, evenly: rare values, such as the sizes of a few large splats, show as well. With
// the same for the cells of the first guess it costs a trained scene 0.02 dB of likeness and saves 7 % of its file; a
// scene with a few huge splats gains 15 dB.
double CodebookBuilder::weight_of(const Bin& bin) const {
  return bin.count == 0 ? 0 : double(bin.count) + double(total_) / double(kBins);
}

// Where to start: the best density of codes grows with the cube root of the density of values (Panter and Dite 1951),
// which is looked at in cells wide enough to have one.
std::array<float, 256> CodebookBuilder::first_guess() const {
  constexpr size_t kCells = 512, kBinsPerCell = kBins / kCells;
  std::array<double, kCells + 1> total{};  // of the cube roots, up to each cell
  for (size_t cell = 0; cell < kCells; ++cell) {
    double weight = 0;
    for (size_t i = 0; i < kBinsPerCell; ++i) weight += weight_of(bins_[cell * kBinsPerCell + i]);
    if (weight > 0) weight += double(total_) / kCells;
    total[cell + 1] = total[cell] + std::cbrt(weight);
  }
  std::array<float, kCodes> codes{};
  for (size_t k = 0; k < kCodes; ++k) {
    const double at = (double(k) + 0.5) / kCodes * total.back();
    const size_t cell = size_t(std::upper_bound(total.begin(), total.end(), at) - total.begin()) - 1;
    const double within = (at - total[cell]) / (total[cell + 1] - total[cell]);
    codes[k] = float(low_ + (double(cell) + within) * kBinsPerCell / per_unit_);
  }
  return codes;
}

std::array<float, 256> CodebookBuilder::build() const {
  std::vector<double> values;  // of the bins in use: their mean; and running totals up to each
  std::vector<double> weight{0}, sum{0};
  for (const Bin& bin : bins_) {
    if (bin.count == 0) continue;
    values.push_back(bin.sum / double(bin.count));
    weight.push_back(weight.back() + weight_of(bin));
    sum.push_back(sum.back() + weight_of(bin) * values.back());
  }
  std::array<float, kCodes> codes{};
  if (values.size() <= kCodes) {
    for (size_t k = 0; k < kCodes && !values.empty(); ++k) codes[k] = float(values[std::min(k, values.size() - 1)]);
    return codes;
  }
  codes = first_guess();
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    size_t begin = 0;
    for (size_t k = 0; k < kCodes; ++k) {
      size_t end = values.size();
      if (k + 1 < kCodes) {
        const double border = 0.5 * (double(codes[k]) + codes[k + 1]);
        end = size_t(std::upper_bound(values.begin() + ptrdiff_t(begin), values.end(), border) - values.begin());
      }
      const double count = weight[end] - weight[begin];
      if (count > 0) codes[k] = float((sum[end] - sum[begin]) / count);
      begin = end;
    }
  }
  std::sort(codes.begin(), codes.end());
  return codes;
}

CodebookEncoder::CodebookEncoder(const std::array<float, 256>& ascending) : borders_{} {
  for (size_t k = 0; k < borders_.size(); ++k) borders_[k] = 0.5f * (ascending[k] + ascending[k + 1]);
}

uint8_t CodebookEncoder::operator()(float value) const {
  return uint8_t(std::lower_bound(borders_.begin(), borders_.end(), value) - borders_.begin());
}

}  // namespace io
