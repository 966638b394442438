#include "splat/densify/veil_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "splat/backend/reference/reference_backend.h"
#include "splat/densify/budget.h"
#include "splat/math/activation.h"
#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::veil_rows_test {
namespace {

using Rows = std::vector<uint32_t>;

struct Row {
  std::array<float, 3> mean;
  float opacity = 0.3f, size = 0.1f;
};

// Twelve cameras side by side, 0.3 apart, look at a wall 10 away.
std::vector<View> twelve() {
  std::vector<View> views;
  for (int i = 0; i < 12; ++i) views.push_back(test::camera_at(0.3f * float(i), 0));
  return views;
}

// `rows`, and behind them the wall, 10 high.
std::unique_ptr<Backend> before_a_wall(std::vector<Row> rows) {
  for (int x = -14; x <= 18; ++x)
    for (int y = -5; y <= 5; ++y) rows.push_back({{float(x), float(y), 10}, 0.99f, 0.6f});
  std::vector<std::array<float, 3>> means;
  for (const Row& row : rows) means.push_back(row.mean);
  Gaussians model = test::at(means);
  for (size_t i = 0; i < rows.size(); ++i) {
    model.quats[4 * i] = 1;
    model.logit_opacities[i] = float(math::logit(double(rows[i].opacity)));
    for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * i + axis] = std::log(rows[i].size);
    model.sh[3 * i] = float(i);
  }
  auto backend = make_reference_backend();
  backend->upload(model);
  return backend;
}

Rows veils(const std::vector<Row>& rows, size_t most_views = 3) {
  const std::vector<View> views = twelve();
  return veil_rows(*before_a_wall(rows), views, {}, most_views);
}

TEST(VeilRows, WhatFewHaveInFrameFarBeforeTheRest) {
  EXPECT_EQ(veils({{{-1.5f, 0, 2}},            // two have it in frame
                   {{-6.6f, 0, 7}},            // two, but not so far before the wall
                   {{-0.7f, 0, 2}},            // five
                   {{-2.5f, 0, 2}},            // none
                   {{-1.5f, 1.8f, 2}},         // two, before nothing
                   {{-14, 0, 14}, 0.9f, 2}}),  // one, behind most
            Rows{0});
}

TEST(VeilRows, HowManyAreFewIsSaid) {
  const std::vector<Row> rows{{{-1.5f, 0, 2}}, {{-0.7f, 0, 2}}};
  EXPECT_EQ(veils(rows, 1), Rows{});
  EXPECT_EQ(veils(rows, 2), Rows{0});
  EXPECT_EQ(veils(rows, 5), (Rows{0, 1}));
}

TEST(VeilRows, WhatHidesAllBehindItStays) {
  EXPECT_EQ(veils({{{-1.5f, 0, 2}, 0.99f, 0.3f}}), Rows{});
  EXPECT_EQ(veils({{{-1.5f, 0, 2.1f}}, {{-1.5f, 0, 2}, 0.99f, 0.3f}}), Rows{}) << "what lies on it, too";
}

TEST(VeilRows, OneViewThatShowsNothingElseIsEnough) {
  // A box hides the wall from the second of the two.
  EXPECT_EQ(veils({{{-1.5f, 0, 2}}, {{-1.8f, 0, 2.4f}, 0.99f, 0.12f}}), Rows{});
}

TEST(VeilRows, WithoutViewsOrRows) {
  EXPECT_EQ(veil_rows(*before_a_wall({}), {}, {}, 3), Rows{});
  EXPECT_EQ(veils({}), Rows{});
}

TEST(VeilRows, GoAfterTheLastIterationOfBudget) {
  const std::vector<View> views = twelve();
  auto backend = before_a_wall({{{-6.6f, 0, 7}}, {{-1.5f, 0, 2}}, {{-2.5f, 0, 2}}});
  const size_t before = backend->size();
  BudgetConfig config;
  EXPECT_EQ(Budget(config, {}).finish(*backend, views, {}), 1u);
  Gaussians left;
  backend->download(left);
  ASSERT_EQ(left.size(), before - 1);
  EXPECT_EQ(left.sh[0], 0) << "the others keep their colours";
  EXPECT_EQ(left.sh[3], 2);
  EXPECT_EQ(Budget(config, {}).finish(*backend, views, {}), 0u);
}

TEST(VeilRows, StayWhereThereAreFewPhotosOrNoneIsWanted) {
  const std::vector<View> views = twelve(), seven(views.begin(), views.begin() + 7);
  auto backend = before_a_wall({{{-1.5f, 0, 2}}});
  BudgetConfig config;
  EXPECT_EQ(Budget(config, {}).finish(*backend, seven, {}), 0u) << "two of seven are not few";
  StrategyScene part;
  part.region = {{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(Budget(config, part).finish(*backend, views, {}), 0u) << "a region's photos show more than it";
  config.veil_photos = 0;
  EXPECT_EQ(Budget(config, {}).finish(*backend, views, {}), 0u);
}

}  // namespace
}  // namespace splat::veil_rows_test
