// What rows make up for that were not visible, against dense Adam: its recurrence in double, a step an iteration, with
// gradients of zero while they are away.
#include "splat/backend/adam_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/optim/learning_rates.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-15;

// A row after its first gradient, and what it has moved since by two of its parameters.
struct Dense {
  double m = 1 - kBeta1, v = 1 - kBeta2;
  double moved[2] = {0, 0};
  void step(int iteration, double gradient, double rate_a, double rate_b) {
    m = kBeta1 * m + (1 - kBeta1) * gradient, v = kBeta2 * v + (1 - kBeta2) * gradient * gradient;
    const double step =
        m / (1 - std::pow(kBeta1, iteration)) / (std::sqrt(v) / std::sqrt(1 - std::pow(kBeta2, iteration)) + kEpsilon);
    moved[0] += rate_a * step, moved[1] += rate_b * step;
  }
};

using Rates = std::function<AdamSettings(int iteration)>;
Rates falling(int iterations) {
  return [=](int iteration) { return adam_settings({}, iteration, {0, iterations}, 2.0); };
}

// The largest relative error of what the pauses say of rows that were seen at an iteration up to kLast, away for
// 1 to kAway.
constexpr int kLast = 5000, kAway = 5000;
double worst_error(const Rates& rates) {
  std::vector<int> seen;
  for (int s = 1; s <= kLast; s += s < 60 ? 1 : 61) seen.push_back(s);
  const double before = (1 - kBeta1) / (std::sqrt(1 - kBeta2) + kEpsilon);  // first moment by the second's root
  std::vector<Dense> rows(seen.size());
  AdamPauses pauses;
  double worst = 0;
  for (int t = 1; t <= kLast + kAway + 1; ++t) {
    const AdamStep step = pauses.next(rates(t), 1);
    const AdamSettings then = rates(t - 1);
    for (size_t i = 0; i < seen.size(); ++i) {
      const int missed = t - 1 - seen[i];
      if (missed < 1 || missed > kAway) continue;
      rows[i].step(t - 1, 0, then.mean_rate, then.opacity_rate);
      const math::AdamValues& pause = step.pauses[row_of_pause(uint32_t(t), uint32_t(seen[i]))];
      worst = std::max({worst, std::abs(pause.of[math::kMeanGroup] * before / rows[i].moved[0] - 1),
                        std::abs(pause.of[math::kOpacityGroup] * before / rows[i].moved[1] - 1)});
    }
  }
  return worst;
}

TEST(AdamPauses, GoAsFarAsDenseStepsFromAnyIterationForAnyTime) {
  EXPECT_LT(worst_error(falling(30000)), 5e-5);
  EXPECT_LT(worst_error(falling(300)), 5e-5);  // by 1.5 % a step
}

// A user changes rates while rows are away.
TEST(AdamPauses, TakeEachStepWithItsOwnRate) {
  const Rates changed = [](int iteration) {
    AdamSettings settings = adam_settings({}, iteration, {0, 2000}, 2.0);
    if (iteration / 37 % 2) settings.mean_rate *= 20;
    if (iteration / 53 % 3 == 1) settings.opacity_rate *= 0.01f;
    return settings;
  };
  EXPECT_LT(worst_error(changed), 2e-3);
}

// Gradients at random, in float: a pause's steps at once when the next gradient comes, then its own step.
TEST(AdamPauses, ManyInARowKeepToDenseSteps) {
  RandomValues random(5);
  AdamPauses pauses;
  Dense dense{0, 0, {0, 0}};
  double path = 0;
  float p = 0, m = 0, v = 0;
  uint32_t last = 0, longest = 0;
  for (int t = 1; t <= 20000; ++t) {
    const bool seen = random.below(t < 3000 ? 200 : t < 10000 ? 9 : 400) == 0;
    AdamSettings settings = falling(20000)(t);
    settings.mean_rate *= 1000;
    const double g = seen ? random.normal() + 1 : 0, before = dense.moved[0];
    dense.step(t, g, settings.mean_rate, 0);
    path += std::abs(dense.moved[0] - before);
    const AdamStep step = pauses.next(settings, 1);
    if (!seen) continue;
    if (const uint32_t missed = math::missed_steps(uint32_t(t), last)) {
      longest = std::max(longest, missed);
      math::adam_pause(p, m, v, math::adam_pause(float(missed), step.adam),
                       step.pauses[row_of_pause(uint32_t(t), last)].of[math::kMeanGroup], step.adam);
    }
    math::adam_step(p, m, v, float(g), step.adam, step.sizes.of[math::kMeanGroup]);
    last = uint32_t(t);
    ASSERT_NEAR(m, dense.m, 1e-6 + 1e-5 * std::abs(dense.m));
    ASSERT_NEAR(v, dense.v, 1e-4 * dense.v);
    ASSERT_NEAR(p, -dense.moved[0], 1e-4 * path) << t;
  }
  EXPECT_GT(longest, 1000u);
}

void expect_same(const AdamStep& a, const AdamStep& b, uint32_t iteration) {
  const uint32_t oldest = iteration > AdamPauses::kKept ? iteration - AdamPauses::kKept : 1;
  for (uint32_t s = oldest; s + 1 < iteration; ++s) {
    const uint32_t row = row_of_pause(iteration, s);
    for (int g = 0; g < math::kAdamGroups; ++g) ASSERT_EQ(a.pauses[row].of[g], b.pauses[row].of[g]) << s;
  }
}

// A run that goes on, from its first iterations and from later than what is kept.
TEST(AdamPauses, ComeBackToTheSameBytes) {
  for (const int saved : {0, 1, 70, 500, int(AdamPauses::kKept) + 700}) {
    AdamPauses through, resumed;
    for (int t = 1; t <= saved; ++t) through.next(falling(600)(t), 1);
    resumed.recall(through.history());
    EXPECT_EQ(resumed.history().rates.size(), size_t(std::min(saved, int(AdamPauses::kKept))));
    for (int t = saved + 1; t <= saved + 3; ++t)
      expect_same(through.next(falling(600)(t), 1), resumed.next(falling(600)(t), 1), uint32_t(t));
  }
}

// Iterations without an update, a first one that is late, one that comes again and going back: as if the rates before
// had been those of now, where they are not known.
TEST(AdamPauses, IterationsMayBeMissing) {
  const AdamSettings constant;
  const auto at = [&](int iteration) {
    AdamSettings settings = constant;
    settings.iteration = iteration;
    return settings;
  };
  AdamPauses all, late, jumps;
  for (int t = 1; t < 900; ++t) all.next(at(t), 1);
  for (const int t : {5, 5, 6, 400, 399, 899, 900}) jumps.next(at(t), 1);
  const AdamStep expected = all.next(at(900), 1);
  expect_same(late.next(at(900), 1), expected, 900);
  expect_same(jumps.next(at(900), 1), expected, 900);
  late.forget();
  expect_same(late.next(at(900), 1), expected, 900);
  constexpr int kFar = 9'000'000;
  const AdamStep far = late.next(at(kFar), 1);
  EXPECT_EQ(row_of_pause(kFar, 7), row_of_pause(kFar, kFar - AdamPauses::kKept));
  EXPECT_NEAR(far.pauses[row_of_pause(kFar, 7)].of[math::kQuatGroup], 9.045f * constant.quat_rate, 1e-5);
}

TEST(AdamPauses, SayWhatTheyChanged) {
  AdamPauses pauses;
  pauses.next(falling(600)(1), 1);
  for (int t = 2; t < 400; ++t) {
    const std::vector<math::AdamValues> before(pauses.pauses().begin(), pauses.pauses().end());
    pauses.next(falling(600)(t), 1);
    const auto [first, end] = pauses.changed();
    EXPECT_EQ(end, uint32_t(t));
    EXPECT_LE(end - first, 128u) << "as many as one launch of a GPU takes";
    for (uint32_t s = 1; s < first; ++s)
      for (int g = 0; g < math::kAdamGroups; ++g) ASSERT_EQ(before[s].of[g], pauses.pauses()[s].of[g]);
  }
}

}  // namespace
}  // namespace splat::test
