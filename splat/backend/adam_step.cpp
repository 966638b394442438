#include "splat/backend/adam_step.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "splat/backend/backend.h"
#include "splat/core/check.h"

namespace splat {
namespace {

constexpr double kSmallestPower = 2e-6, kMostRatio = 0.9999;
constexpr size_t kMostPowers = 1024;
constexpr uint32_t kLeastRoom = 1024;

// The powers of the ratio that count.
std::vector<float> powers_of(double ratio) {
  std::vector<float> powers;
  for (double power = ratio; power > kSmallestPower && powers.size() < kMostPowers; power *= ratio)
    powers.push_back(float(power));
  return powers;
}

}  // namespace

math::AdamValues adam_rates(const AdamSettings& settings) {
  return {{settings.mean_rate, settings.log_scale_rate, settings.quat_rate, settings.opacity_rate, settings.sh0_rate,
           settings.sh_rest_rate}};
}

uint32_t AdamPauses::room(uint32_t iteration) {
  return std::bit_ceil(std::clamp<uint32_t>(iteration + 1, kLeastRoom, kKept));
}

void AdamPauses::make_room(uint32_t iteration) {
  if (rates_.size() >= room(iteration)) return;
  pauses_.resize(room(iteration)), rates_.resize(room(iteration));  // rates last: they say that there is room
}

void AdamPauses::forget() { counted_ = 0, first_ = 1, last_ = 0; }

void AdamPauses::recall(const AdamHistory& history) {
  SPLAT_CHECK(history.iteration >= 0 && history.rates.size() <= size_t(history.iteration));
  forget();
  make_room(uint32_t(history.iteration));
  last_ = uint32_t(history.iteration);
  const size_t known = std::min<size_t>(history.rates.size(), kKept);
  first_ = last_ - uint32_t(known) + 1;
  for (size_t i = 0; i < known; ++i) rates_of(last_ - uint32_t(i)) = history.rates[history.rates.size() - 1 - i];
}

AdamHistory AdamPauses::history() const {
  AdamHistory history;
  history.iteration = int(last_);
  for (uint32_t i = first_; i <= last_; ++i) history.rates.push_back(rates_[i % kKept]);
  return history;
}

void AdamPauses::count(uint32_t iteration) {
  const double weight = math::adam_pause_weight(beta1_, beta2_, int(iteration));
  math::AdamValues step = rates_of(iteration);
  for (float& value : step.of) value = float(value * weight);
  pauses_[iteration % kKept] = {};
  const size_t reached = std::min<size_t>(powers_.size(), iteration - 1);
  for (size_t j = 0; j < reached; ++j) {
    math::AdamValues& row = pauses_[(iteration - 1 - uint32_t(j)) % kKept];
    for (int group = 0; group < math::kAdamGroups; ++group) row.of[group] += powers_[j] * step.of[group];
  }
  changed_.first = std::min(changed_.first, iteration - uint32_t(reached));
}

AdamStep AdamPauses::next(const AdamSettings& settings, size_t splats) {
  SPLAT_CHECK_LE(1, settings.iteration);
  const uint32_t iteration = uint32_t(settings.iteration);
  make_room(iteration);
  if (settings.beta1 != beta1_ || settings.beta2 != beta2_) {
    powers_ = powers_of(std::min(math::adam_pause_ratio(settings.beta1, settings.beta2), kMostRatio));
    beta1_ = settings.beta1, beta2_ = settings.beta2, counted_ = 0;
  }
  if (counted_ >= iteration) counted_ = 0;  // went back
  const uint32_t oldest = iteration > kKept ? iteration - kKept : 1, begin = std::max(counted_ + 1, oldest);
  changed_ = {iteration, iteration};
  for (uint32_t i = begin; i < iteration; ++i) {
    if (i < first_ || i > last_) rates_of(i) = adam_rates(settings);
    count(i);
  }
  changed_.first = std::max(changed_.first, oldest);
  counted_ = iteration - 1;
  rates_of(iteration) = adam_rates(settings);
  first_ = std::max(std::min(first_, begin), iteration < kKept ? 1 : iteration - kKept + 1), last_ = iteration;

  const auto size = [&](float rate) { return float(math::adam_step_size(rate, settings.beta1, settings.iteration)); };
  AdamStep result;
  result.adam = math::adam_coefficients<float>(settings.beta1, settings.beta2, settings.epsilon, settings.iteration);
  result.rounding = math::rounding_of(settings.seed, settings.iteration);
  result.sizes = adam_rates(settings);
  for (float& value : result.sizes.of) value = size(value);
  if (splats > 0)
    result.regularizers = {settings.opacity_regularizer / float(splats),
                           settings.scale_regularizer / (3 * float(splats)),
                           settings.thickness_regularizer / float(splats)};
  result.iteration = iteration;
  result.all_rows =
      settings.opacity_regularizer != 0 || settings.scale_regularizer != 0 || settings.thickness_regularizer != 0;
  result.pauses = pauses_.data();
  return result;
}

}  // namespace splat
