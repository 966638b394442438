#include "splat/backend/gpu/row_judge.h"

#include <algorithm>
#include <array>
#include <bit>

#include "splat/core/gpu_buffer.h"

namespace splat::gpu {
namespace {

constexpr unsigned long long kInfinity = std::bit_cast<unsigned long long>(double(__builtin_huge_val()));

template <class T>
DeviceBuffer<T> on_device(std::span<const T> values, const Target& target) {
  DeviceBuffer<T> buffer;
  buffer.reserve_discarding(std::max<size_t>(values.size(), 1));
  if (!values.empty())
    SPLAT_GPU_CHECK(
        hipMemcpyAsync(buffer.data(), values.data(), values.size_bytes(), hipMemcpyHostToDevice, target.stream));
  return buffer;
}

template <class T>
void read(const T* from, std::span<T> to, const Target& target) {
  SPLAT_GPU_CHECK(hipMemcpyAsync(to.data(), from, to.size_bytes(), hipMemcpyDeviceToHost, target.stream));
  SPLAT_GPU_CHECK(hipStreamSynchronize(target.stream));
}

// Among keys in ascending order: the one at a place, and how many are less, and equal to it.
struct Nth {
  unsigned long long key = 0;
  size_t less = 0, equal = 0;
};

class RowJudge {
 public:
  RowJudge(const RowRules& rules, ModelRows& model, float* scratch, const Target& target)
      : rules_(rules),
        model_(model),
        rows_(uint32_t(model.size())),
        keys_(reinterpret_cast<unsigned long long*>(scratch)),
        verdicts_(reinterpret_cast<uint8_t*>(keys_ + rows_)),
        target_(target),
        of_rows_(rows_) {
    digits_.reserve_discarding(kDigits);
  }

  void judge(RowVerdicts& out) {
    judge_all();
    for (uint32_t row = 0; row < rows_; ++row) {
      if (of_rows_[row] & kMoved) out.moved.push_back(row);
      if (of_rows_[row] & kRemoved) out.removed.push_back(row);
    }
    const size_t kept = rows_ - out.removed.size();
    if (rules_.most > kept) find_parents(rules_.most - kept, out.parents);
    model_.download_ellipsoids_of(out.moved, out.moved_rows, target_);
    model_.download_ellipsoids_of(out.parents, out.parent_rows, target_);
  }

 private:
  void judge_all() {
    std::vector<math::Sight<double>> sights;
    for (const View& view : rules_.views) sights.push_back(math::make_sight<double>(view));
    const std::vector<math::Frustum<double>> frusta(rules_.views.begin(), rules_.views.end());
    const auto sights_there = on_device(std::span<const math::Sight<double>>(sights), target_);
    const auto frusta_there = on_device(std::span<const math::Frustum<double>>(frusta), target_);
    const auto paths = on_device(rules_.paths, target_);
    const auto around = on_device(rules_.around, target_);
    judge_rows({model_.parameters.data(), model_.block_floats(), rows_, sights_there.data(), frusta_there.data(),
                uint32_t(sights.size()), paths.data(), around.data(), uint32_t(rules_.paths.size()), rules_.nearer,
                wants_distances(), rules_.least_logit, verdicts_, keys_},
               target_);
    read(verdicts_, std::span(of_rows_), target_);
  }
  bool wants_distances() const { return rules_.near_share > 0 && !rules_.views.empty(); }

  Nth key_at(size_t place) {
    Nth found;
    std::array<uint32_t, kDigits> counts;
    for (int shift = kKeyBits - kDigitBits; shift >= 0; shift -= kDigitBits) {
      SPLAT_GPU_CHECK(hipMemsetAsync(digits_.data(), 0, digits_.bytes(), target_.stream));
      count_digits({keys_, rows_, found.key, shift, digits_.data()}, target_);
      read(digits_.data(), std::span<uint32_t>(counts), target_);
      uint32_t digit = 0;
      for (; found.less + counts[digit] <= place; ++digit) found.less += counts[digit];
      found.key = found.key << kDigitBits | digit;
      found.equal = counts[digit];
    }
    return found;
  }

  double squared_far() {
    if (!wants_distances()) return 0;
    Nth far = key_at(math::far_place(rules_.near_share, rows_));
    if (far.key == kInfinity && far.less > 0) far = key_at(far.less - 1);
    return far.key == kInfinity ? 0 : std::bit_cast<double>(far.key);
  }

  void find_parents(size_t count, std::vector<uint32_t>& parents) {
    score_rows({rows_, math::inverse_squared_far(squared_far()), model_.mean2d_gradient_norm.data(),
                model_.visible_count.data(), verdicts_, keys_},
               target_);
    Nth least{0, 0, rows_};
    if (count < rows_) least = key_at(rows_ - count);
    mark_best({keys_, rows_, least.key, verdicts_}, target_);
    read(verdicts_, std::span(of_rows_), target_);
    size_t tied = least.key > 0 ? count - (rows_ - least.less - least.equal) : 0;
    for (uint32_t row = 0; row < rows_; ++row) {
      const bool chosen = of_rows_[row] == kBest || (of_rows_[row] == kTied && tied > 0);
      if (!chosen) continue;
      if (of_rows_[row] == kTied) --tied;
      parents.push_back(row);
    }
  }

  const RowRules& rules_;
  ModelRows& model_;
  const uint32_t rows_;
  unsigned long long* const keys_;  // [N]
  uint8_t* const verdicts_;         // [N]
  const Target target_;
  std::vector<uint8_t> of_rows_;  // [N] verdicts
  DeviceBuffer<uint32_t> digits_;
};

}  // namespace

void judge_rows(const RowRules& rules, ModelRows& model, float* scratch, const Target& target, RowVerdicts& verdicts) {
  RowJudge(rules, model, scratch, target).judge(verdicts);
}

}  // namespace splat::gpu
