// Colours are most of a splat, and no strategy decides on them: they stay with the backend that holds the model.
#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/backend/with_fixed_rows.h"
#include "splat/densify/strategies.h"
#include "splat/math/activation.h"
#include "tests/splat/densify/cameras_and_rows.h"
#include "tests/support/identical.h"
#include "tests/support/synthetic_scene.h"

namespace splat::colours_stay_test {
namespace {

class ColoursStay : public ReferenceBackend {
 public:
  bool strategy_acts = false;

  void download_rows(size_t first, size_t count, Gaussians& rows) const override {
    EXPECT_FALSE(strategy_acts);
    ReferenceBackend::download_rows(first, count, rows);
  }
  void append_rows(const Gaussians& rows) override {
    EXPECT_FALSE(strategy_acts);
    ReferenceBackend::append_rows(rows);
  }
  void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) override {
    EXPECT_FALSE(strategy_acts);
    ReferenceBackend::write_rows(indices, rows, reset_moments);
  }
  void upload(const Gaussians& model) override {
    EXPECT_FALSE(strategy_acts);
    ReferenceBackend::upload(model);
  }
};

constexpr size_t kRows = 40, kMoved = 5;

// Row i stands at x = 10 i with the colour i, behind the cameras; kMoved is seen by one, close before the other.
const std::vector<View> kCameras{test::camera_at(10.0f * kMoved, 0), test::camera_at(10.0f * kMoved, 10)};
Gaussians rows_of_colours() {
  Gaussians model;
  model.sh_degree = 1;
  model.resize(kRows);
  for (size_t i = 0; i < kRows; ++i) {
    model.means[3 * i] = 10 * float(i);
    model.means[3 * i + 2] = i == kMoved ? 9.0f : -1000.0f;
    for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * i + axis] = std::log(i % 2 == 0 ? 0.3f : 0.01f);
    model.quats[4 * i] = 1;
    model.logit_opacities[i] = float(math::logit(i % 7 == 3 ? 0.003 : 0.5));
    for (size_t k = 0; k < 12; ++k) model.sh[12 * i + k] = float(i) + 0.0625f * float(k);
  }
  return model;
}

struct Step {
  DensifyReport report;
  Gaussians after;
};

Step step(const StrategyRow& row, const Gaussians& fixed) {
  auto guarded = std::make_unique<ColoursStay>();
  ColoursStay& guard = *guarded;
  const auto backend = with_fixed_rows(std::move(guarded), fixed);
  backend->upload(rows_of_colours());
  DensifyStatistics seen{std::vector<float>(kRows, 0), std::vector<uint32_t>(kRows, 1), std::vector<float>(kRows, 1)};
  for (size_t i = 0; i < kRows; i += 3) seen.mean2d_gradient_norm[i] = 1e-3f;
  backend->write_statistics(seen);
  StrategyConfigs configs;
  row.resolve(configs, 3000);
  configs.mcmc.noise = 0;
  const auto strategy =
      row.make(configs, {.extent = 10, .seed = 4, .mean_rate = {}, .views = 2, .detail_px = 1e4, .cameras = kCameras});
  Step result;
  guard.strategy_acts = true;
  result.report = strategy->after_update(600, *backend);
  guard.strategy_acts = false;
  backend->download(result.after);
  return result;
}

class StrategiesLeaveColours : public testing::TestWithParam<StrategyKind> {};

TEST_P(StrategiesLeaveColours, WithTheBackend) {
  const Step made = step(row_of(GetParam()), {});
  const DensifyReport& report = made.report;
  EXPECT_TRUE(report.densified);
  EXPECT_EQ(report.cloned > 0, GetParam() != StrategyKind::kBudget);
  EXPECT_EQ(report.split > 0, GetParam() != StrategyKind::kMcmc);
  EXPECT_EQ(report.pruned > 0, GetParam() != StrategyKind::kMcmc);
  EXPECT_EQ(report.relocated > 0, GetParam() == StrategyKind::kMcmc);
  ASSERT_EQ(made.after.size(), kRows - report.pruned + report.cloned + report.split);
  bool moved = false;
  for (size_t row = 0; row < made.after.size(); ++row) {
    const float colour = std::floor(made.after.sh[12 * row]);
    for (size_t k = 0; k < 12; ++k) EXPECT_EQ(made.after.sh[12 * row + k], colour + 0.0625f * float(k));
    EXPECT_NEAR(made.after.means[3 * row], 10 * colour, 3) << "each has the colour of where it stands";
    moved |= made.after.means[3 * row + 2] > 12;
  }
  EXPECT_EQ(moved, GetParam() == StrategyKind::kBudget);
}

// Rows that it does not see do not come between.
TEST_P(StrategiesLeaveColours, AmidFixedRows) {
  const Gaussians fixed = test::make_scene({.seed = 1, .splats = 7, .sh_degree = 1}).model;
  test::expect_identical(step(row_of(GetParam()), fixed).after, step(row_of(GetParam()), {}).after);
}

INSTANTIATE_TEST_SUITE_P(All, StrategiesLeaveColours,
                         testing::Values(StrategyKind::kAdc, StrategyKind::kMcmc, StrategyKind::kBudget),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

}  // namespace
}  // namespace splat::colours_stay_test
