// Hand-made models and statistics on the reference backend; nothing is rendered.
#include "splat/densify/budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat::budget_test {
namespace {

struct Row {
  float opacity = 0.5f;
  float gradient = 1e-4f;  // mean over 4 views; 0: seen by none
};

// Row i stands at (10 i, 0, 0) and has colour i; its second axis is the longest.
std::unique_ptr<Backend> backend_with(const std::vector<Row>& rows) {
  Gaussians model;
  model.sh_degree = 0;
  model.resize(rows.size());
  DensifyStatistics statistics;
  for (size_t i = 0; i < rows.size(); ++i) {
    model.means[3 * i] = 10 * float(i);
    for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * i + axis] = std::log(axis == 1 ? 0.4f : 0.1f);
    model.quats[4 * i] = 2;  // not normalised
    model.logit_opacities[i] = float(math::logit(double(rows[i].opacity)));
    model.sh[3 * i] = float(i);
    statistics.mean2d_gradient_norm.push_back(4 * rows[i].gradient);
    statistics.visible_count.push_back(rows[i].gradient > 0 ? 4 : 0);
    statistics.max_radius_px.push_back(3);
  }
  auto backend = make_reference_backend();
  backend->upload(model);
  backend->write_statistics(statistics);
  return backend;
}

// Steps at 100, 200, ...; growth over at 500, the end at 1000.
BudgetConfig config_with(float per_detail) {
  BudgetConfig config;
  resolve_budget(config, 1000);
  config.from = 50, config.until = 500, config.every = 100;
  config.per_detail = per_detail;
  config.opacity_decay = 0;
  return config;
}

constexpr double kDetail = 10000;  // to the power of 0.75: 1000
Budget budget_with(const BudgetConfig& config, size_t max_splats = 0) {
  return Budget(config, {.seed = 1, .views = 4, .detail_px = kDetail, .max_splats = max_splats});
}

std::vector<int> sources(const Backend& backend) {
  Gaussians model;
  backend.download(model);
  std::vector<int> rows;
  for (size_t i = 0; i < model.size(); ++i) rows.push_back(int(model.sh[3 * i]));
  return rows;
}

TEST(Budget, FollowsDetailPhotosAndLength) {
  BudgetConfig config;
  resolve_budget(config, 7000);
  config.per_detail = 0.5f;
  EXPECT_EQ(budget_with(config).budget(), 1000u);  // 0.5 x 1000 x sqrt(4)
  EXPECT_EQ(budget_with(config, 300).budget(), 300u);
  config = {};
  resolve_budget(config, 1750);
  config.per_detail = 0.5f;
  EXPECT_EQ(budget_with(config).budget(), 707u);  // in a quarter of the time
  config = {};
  resolve_budget(config, 10);
  config.per_detail = 0.5f;
  EXPECT_EQ(budget_with(config).budget(), 500u);
  config = {};
  resolve_budget(config, 30000);
  config.per_detail = 0.5f;
  EXPECT_EQ(budget_with(config).budget(), 1000u);
}

TEST(Budget, SchedulesAreFractionsOfTheRun) {
  BudgetConfig config;
  resolve_budget(config, 30000);
  EXPECT_EQ(config.from, 900);
  EXPECT_EQ(config.until, 10500);
  EXPECT_EQ(config.last, 27000);
  EXPECT_EQ(config.every, 200);
  EXPECT_EQ(config.fade_until, 30000);
  config = {};
  resolve_budget(config, 1000);
  EXPECT_EQ(config.from, 100);
  EXPECT_EQ(config.until, 500);
  EXPECT_EQ(config.last, 900);
  EXPECT_EQ(config.every, 25);
  EXPECT_EQ(config.fade_until, 1000);
  config = {};
  resolve_budget(config, 7000);
  EXPECT_EQ(config.from, 250);
}

TEST(Budget, TheLargestGradientsAreCutAlongTheirLongestAxis) {
  auto backend = backend_with({{0.5f, 1e-4f}, {0.5f, 3e-4f}, {0.5f, 0}, {0.5f, 2e-4f}, {0.5f, 1e-5f}});
  BudgetConfig config = config_with(0);
  config.per_detail = 0.0035f;  // 7 splats
  config.fade_until = 7000;
  Budget budget = budget_with(config);
  EXPECT_FALSE(budget.after_update(50, *backend).densified);
  const DensifyReport report = budget.after_update(500, *backend);
  // At most a quarter more in one step: 5 become 6.
  EXPECT_EQ(report.split, 1u);
  EXPECT_EQ(sources(*backend), (std::vector<int>{0, 2, 3, 4, 1, 1}));
  Gaussians model;
  backend->download(model);
  for (size_t half : {4u, 5u}) {
    const float side = half == 4 ? 1.0f : -1.0f;
    EXPECT_FLOAT_EQ(model.means[3 * half], 10);
    EXPECT_NEAR(model.means[3 * half + 1], side * 0.5 * 0.4, 1e-6);
    EXPECT_NEAR(std::exp(model.log_scales[3 * half + 1]), 0.5 * 0.4, 1e-6);
    EXPECT_NEAR(std::exp(model.log_scales[3 * half]), 0.85 * 0.1, 1e-6);
    EXPECT_NEAR(math::sigmoid(model.logit_opacities[half]), 0.6 * 0.5, 1e-6);
  }
  DensifyStatistics statistics;
  backend->read_statistics(statistics);
  EXPECT_EQ(statistics.visible_count, std::vector<uint32_t>(6, 0));
}

// Looks along the rows' line from x = `x`.
View view_along_x(float x) {
  View view;
  view.camera = {100, 100, 50, 50, 50, 50};
  view.cam_from_world.rotation = {0, 0, -1, 0, 1, 0, 1, 0, 0};
  view.cam_from_world.translation = {0, 0, -x};
  return view;
}

TEST(Budget, WhatNoSecondPhotoVerifiesIsMovedOut) {
  const auto means = [](float nearer) {
    BudgetConfig config = config_with(0);
    config.nearer = nearer;
    config.opacity_decay = 0.01f;
    // Row 2 is seen from 2 alone, and lies close before the camera at 20.5; row 3 is seen by both,
    // row 1 from 2 alone, and far from the other.
    Budget budget(config,
                  {.seed = 1, .views = 4, .detail_px = kDetail, .cameras = {view_along_x(2), view_along_x(20.5f)}});
    const auto backend = backend_with({{}, {0.5f, 0}, {}, {}});
    EXPECT_EQ(budget.after_update(600, *backend).pruned, 0u);
    Gaussians model;
    backend->download(model);
    EXPECT_FLOAT_EQ(model.logit_opacities[2], model.logit_opacities[3]) << "opacity is taken once";
    return std::vector<float>{model.means[0], model.means[3], model.means[6], model.means[9]};
  };
  EXPECT_EQ(means(0), (std::vector<float>{0, 10, 20, 30}));
  const std::vector<float> moved = means(3);
  EXPECT_EQ((std::vector<float>{moved[0], moved[1], moved[3]}), (std::vector<float>{0, 10, 30}));
  EXPECT_GT(moved[2], 27);
}

TEST(Budget, WhatIsNearestToTheCamerasGrowsLess) {
  for (const float share : {0.0f, 0.5f}) {
    BudgetConfig config = config_with(0);
    config.per_detail = 0.003f;  // one more
    config.fade_until = 7000;
    config.near_share = share;
    config.nearer = 0;
    // The row at 0 is 1 from the camera, the others 9, 19 ... 39: its gradient counts for 1 / 19^2.
    Budget budget(config, {.seed = 1, .views = 4, .detail_px = kDetail, .cameras = {view_along_x(1)}});
    const auto backend = backend_with({{0.5f, 4e-4f}, {}, {}, {0.5f, 3e-4f}, {}});
    EXPECT_EQ(budget.after_update(500, *backend).split, 1u);
    EXPECT_EQ(sources(*backend).back(), share > 0 ? 3 : 0);
  }
}

TEST(Budget, WhatStandsInTheWayOfThePhotographerIsRemoved) {
  // Two see all rows from afar; two stand on both sides of row 2 and look elsewhere.
  std::vector<View> cameras{view_along_x(1), view_along_x(2), View(), View()};
  for (const size_t i : {2, 3}) {
    cameras[i].camera = cameras[0].camera;
    cameras[i].cam_from_world.translation = {-20, i == 2 ? 0.5 : -0.5, 0};
  }
  for (const float nearer : {0.0f, 3.0f}) {
    BudgetConfig config = config_with(0);
    config.nearer = nearer;
    Budget budget(config, {.seed = 1, .views = 4, .detail_px = kDetail, .cameras = cameras});
    const auto backend = backend_with({{}, {0.5f, 0}, {}, {}});
    EXPECT_EQ(budget.after_update(600, *backend).pruned, nearer > 0 ? 1u : 0u);
    Gaussians model;
    backend->download(model);
    bool is_there = false;
    for (size_t row = 0; row < model.size(); ++row) is_there |= model.means[3 * row] == 20;
    EXPECT_EQ(is_there, nearer == 0);
    EXPECT_EQ(model.size(), 4u) << "its place goes to others";
  }
}

TEST(Budget, GrowsFastAtFirstAndStaysAtTheBudget) {
  BudgetConfig config = config_with(0);
  config.per_detail = 0.1f;  // 200 splats
  config.fade_until = 7000;
  config.growth = 1;
  Budget budget = budget_with(config);
  auto backend = backend_with(std::vector<Row>(100));
  std::vector<size_t> counts;
  for (int iteration = 100; iteration <= 900; iteration += 100) {
    budget.after_update(iteration, *backend);
    counts.push_back(backend->size());
    DensifyStatistics seen;
    seen.mean2d_gradient_norm.assign(backend->size(), 1e-4f);
    seen.visible_count.assign(backend->size(), 1);
    seen.max_radius_px.assign(backend->size(), 1);
    backend->write_statistics(seen);
  }
  // 100 + 100 (2x - x^2) at x = 1/9, 3/9, 5/9, 7/9, 1
  EXPECT_EQ(counts, (std::vector<size_t>{120, 155, 180, 195, 200, 200, 200, 200, 200}));
}

TEST(Budget, SaysHowManyTheLimitHoldsBack) {
  BudgetConfig config = config_with(0);
  config.per_detail = 0.1f;  // 200 splats
  config.fade_until = 7000;
  config.growth = 1;
  Budget budget = budget_with(config, 150);
  auto backend = backend_with(std::vector<Row>(100));
  EXPECT_EQ(budget.after_update(100, *backend).withheld, 0u);
  EXPECT_EQ(budget.after_update(500, *backend).withheld, 50u);
}

TEST(Budget, WhatFadesIsReplacedUntilShortlyBeforeTheEnd) {
  std::vector<Row> rows(20);
  rows[3].opacity = rows[7].opacity = 0.003f;
  rows[11].gradient = 5e-4f;
  rows[12].gradient = 4e-4f;
  const BudgetConfig config = config_with(0);  // no growth
  for (int iteration : {100, 800}) {
    auto backend = backend_with(rows);
    const DensifyReport report = budget_with(config).after_update(iteration, *backend);
    EXPECT_EQ(report.pruned, 2u);
    EXPECT_EQ(report.split, 2u);
    const std::vector<int> now = sources(*backend);
    EXPECT_EQ(now.size(), 20u);
    EXPECT_EQ(std::count(now.begin(), now.end(), 3) + std::count(now.begin(), now.end(), 7), 0);
    EXPECT_EQ(std::count(now.begin(), now.end(), 11), 2);
    EXPECT_EQ(std::count(now.begin(), now.end(), 12), 2);
  }
  auto backend = backend_with(rows);
  EXPECT_FALSE(budget_with(config).after_update(900, *backend).densified);
  EXPECT_EQ(backend->size(), 20u);
}

TEST(Budget, OpacityFallsALittleAtEveryStepAndLessTowardsTheEnd) {
  BudgetConfig config = config_with(0);
  config.opacity_decay = 0.01f;
  for (int iteration : {100, 800}) {
    auto backend = backend_with({{0.5f, 0}, {0.9f, 0}});
    budget_with(config).after_update(iteration, *backend);
    Gaussians model;
    backend->download(model);
    const double by = 0.01 * (1 - iteration / 1000.0);
    EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[0])), 0.5 - by, 1e-6);
    EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[1])), 0.9 - by, 1e-6);
  }
}

TEST(Budget, StepsWaitForEveryPhotoUpToSixty) {
  const BudgetConfig config = config_with(0);
  for (auto [views, interval] : {std::pair{4, 100}, {150, 100}}) {
    auto backend = backend_with({{}});
    Budget budget(config, {.views = views});
    EXPECT_TRUE(budget.after_update(interval, *backend).densified);
  }
  BudgetConfig often = config;
  often.every = 25;
  auto backend = backend_with({{}});
  Budget budget(often, {.views = 47});
  EXPECT_FALSE(budget.after_update(75, *backend).densified);
  EXPECT_TRUE(budget.after_update(94, *backend).densified);
}

TEST(Budget, StateIsTheFirstCount) {
  auto backend = backend_with(std::vector<Row>(50));
  const BudgetConfig config = config_with(0);
  Budget budget = budget_with(config);
  budget.after_update(1, *backend);
  EXPECT_EQ(budget.budget(), 50u);
  Archive archive;
  budget.save_state(archive);
  Budget other = budget_with(config);
  EXPECT_EQ(other.budget(), 0u);
  ASSERT_TRUE(other.load_state(archive).ok());
  EXPECT_EQ(other.budget(), 50u);
  EXPECT_FALSE(other.load_state({}).ok());
}

TEST(Budget, MoreIterationsThanThePhotosAreWorthBecomeSmallerSteps) {
  const auto rate = [](int iterations, int views, float photo_steps) {
    BudgetConfig config;
    config.photo_steps = photo_steps;
    resolve_budget(config, iterations);
    AdamSettings settings;
    const float full = settings.log_scale_rate;
    Budget(config, {.views = views}).adjust(1, settings);
    return settings.log_scale_rate / full;
  };
  EXPECT_FLOAT_EQ(rate(30000, 12, 500), 0.2f);
  EXPECT_FLOAT_EQ(rate(30000, 60, 500), 1);
  EXPECT_FLOAT_EQ(rate(3000, 12, 500), 1);
  EXPECT_FLOAT_EQ(rate(30000, 12, 0), 1);
}

TEST(Budget, LeavesOutMoreSplatsWithFewerPhotosAndLaterInTheRun) {
  const auto share = [](int iteration, int views, float chosen = kAuto) {
    BudgetConfig config;
    config.dropout = chosen;
    resolve_budget(config, 1000);
    RenderSettings settings;
    Budget(config, {.seed = 3, .views = views}).adjust(iteration, settings);
    EXPECT_EQ(settings.dropout.iteration, uint32_t(iteration));
    EXPECT_EQ(settings.dropout.seed, 3u);
    return settings.dropout.share / double(math::kDropoutLevels);
  };
  EXPECT_NEAR(share(1000, 12), 0.2, 1.0 / math::kDropoutLevels);
  EXPECT_NEAR(share(500, 12), 0.1, 1.0 / math::kDropoutLevels);
  EXPECT_NEAR(share(1000, 48), 0.1, 1.0 / math::kDropoutLevels);
  EXPECT_EQ(share(1, 12), 0);
  EXPECT_EQ(share(1000, 3000), 0);
  EXPECT_EQ(share(1000, 12, 0), 0);
  EXPECT_NEAR(share(2000, 300, 0.4f), 0.4, 1.0 / math::kDropoutLevels) << "a run that goes on beyond its length";
}

}  // namespace
}  // namespace splat::budget_test
