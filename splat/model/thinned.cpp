#include "splat/model/thinned.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

constexpr size_t kThinnedChunk = size_t(1) << 14;  // rows
// Weights are counted by their exponent and the first bits of their mantissa: bins of at most 6 % in width.
constexpr int kBinShift = 19;
constexpr size_t kBins = (size_t(0x7f800000) >> kBinShift) + 1;

// Opacity times area, the latter up to a factor that all have: a third of the faces of the box of the deviations.
float picture_weight(const Gaussians& model, size_t row) {
  const float* log_scale = &model.log_scales[3 * row];
  const float x = std::exp(log_scale[0]), y = std::exp(log_scale[1]), z = std::exp(log_scale[2]);
  const float weight = math::sigmoid(model.logit_opacities[row]) * (x * y + y * z + z * x);
  return std::isfinite(weight) ? weight : 0.0f;
}

float lower_edge(size_t bin) { return std::bit_cast<float>(uint32_t(bin << kBinShift)); }

class Choice {
 public:
  Choice(const Gaussians& model, size_t count, ThreadPool& pool)
      : pool_(pool), weights_(model.size()), chunks_((model.size() + kThinnedChunk - 1) / kThinnedChunk) {
    find_weights(model);
    find_whole_from(count);
  }

  // The chance of being kept.
  double chance(size_t row) const { return std::min(1.0, weights_[row] / whole_from_); }

  std::vector<uint32_t> rows() const {
    std::vector<double> sums(chunks_ + 1, 0);
    pool_.for_each(chunks_, [&](size_t chunk, int) {
      for (size_t row = chunk * kThinnedChunk; row < end_of(chunk); ++row) sums[chunk + 1] += chance(row);
    });
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    std::vector<std::vector<uint32_t>> kept(chunks_);
    pool_.for_each(chunks_, [&](size_t chunk, int) {
      double sum = sums[chunk];
      for (size_t row = chunk * kThinnedChunk; row < end_of(chunk); ++row) {
        const double p = chance(row), after = sum + p;
        if (p == 1 || std::floor(after) > std::floor(sum)) kept[chunk].push_back(uint32_t(row));
        sum = after;
      }
    });
    std::vector<uint32_t> rows;
    for (const std::vector<uint32_t>& of_chunk : kept) rows.insert(rows.end(), of_chunk.begin(), of_chunk.end());
    return rows;
  }

 private:
  size_t end_of(size_t chunk) const { return std::min(weights_.size(), (chunk + 1) * kThinnedChunk); }

  void find_weights(const Gaussians& model) {
    pool_.for_each(chunks_, [&](size_t chunk, int) {
      for (size_t row = chunk * kThinnedChunk; row < end_of(chunk); ++row) weights_[row] = picture_weight(model, row);
    });
  }

  // From which weight on all are kept, so that the chances' sum is about `count`.
  void find_whole_from(size_t count) {
    std::vector<std::vector<size_t>> by_thread(size_t(pool_.threads()), std::vector<size_t>(kBins));
    pool_.for_each(chunks_, [&](size_t chunk, int thread) {
      for (size_t row = chunk * kThinnedChunk; row < end_of(chunk); ++row)
        ++by_thread[size_t(thread)][std::bit_cast<uint32_t>(weights_[row]) >> kBinShift];
    });
    std::vector<size_t> counts(kBins);
    for (const std::vector<size_t>& part : by_thread)
      for (size_t bin = 0; bin < kBins; ++bin) counts[bin] += part[bin];
    const auto sum_of = [&](size_t bin) {  // of the weights in it; the lowest one is of those without any
      return bin == 0 || counts[bin] == 0
                 ? 0
                 : double(counts[bin]) * 0.5 * (double(lower_edge(bin)) + double(lower_edge(bin + 1)));
    };
    double smaller = 0, whole = 0;  // the sum of the weights below the bin, and the number of those from it on
    for (size_t bin = 0; bin + 1 < kBins; ++bin) smaller += sum_of(bin);
    for (size_t bin = kBins - 1; bin-- > 1;) {
      smaller -= sum_of(bin), whole += double(counts[bin]);
      whole_from_ = double(lower_edge(bin));
      if (whole + std::max(smaller, 0.0) / whole_from_ >= double(count)) return;
    }
  }

  ThreadPool& pool_;
  std::vector<float> weights_;  // [N]
  size_t chunks_;
  double whole_from_ = 1;
};

}  // namespace

ThinnedRows thinned_rows(const Gaussians& model, size_t count, ThreadPool& pool) {
  ThinnedRows result;
  if (model.size() <= count) {
    result.rows.resize(model.size());
    std::iota(result.rows.begin(), result.rows.end(), uint32_t(0));
    result.grown.resize(model.size());
    return result;
  }
  const Choice choice(model, count, pool);
  result.rows = choice.rows();
  for (const uint32_t row : result.rows) result.grown.push_back(float(-0.5 * std::log(choice.chance(row))));
  return result;
}

void grow(Gaussians& model, std::span<const float> grown) {
  for (size_t i = 0; i < model.log_scales.size(); ++i) model.log_scales[i] += grown[i / 3];
}

Thinned thinned(const Gaussians& model, size_t count, ThreadPool& pool) {
  if (model.size() <= count) return {model, thinned_rows(model, count, pool).rows};
  ThinnedRows chosen = thinned_rows(model, count, pool);
  Thinned result{gather_rows(model, chosen.rows), std::move(chosen.rows)};
  grow(result.model, chosen.grown);
  return result;
}

}  // namespace splat
