#include "splat/blocks/shares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat::blocks {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A round splat.
void add(Gaussians& model, std::array<float, 3> mean, float scale, float opacity) {
  Gaussians one;
  one.sh_degree = model.sh_degree;
  one.resize(1);
  one.means.assign(mean.begin(), mean.end());
  one.log_scales.assign(3, std::log(scale));
  one.quats = {1, 0, 0, 0};
  one.logit_opacities = {float(math::logit(double(opacity)))};
  append_rows(one, model);
}

// Cameras at x = ..., looking along +z, 128x64 px.
Dataset looking_ahead(const std::vector<double>& xs) {
  Dataset dataset;
  for (const double x : xs) {
    DatasetView& view = dataset.views.emplace_back();
    view.camera = {128, 64, 64, 64, 64, 32};
    view.cam_from_world.translation = {-x, 0, 0};
  }
  return dataset;
}

const std::vector<Cell> kLeftAndRight{{{-kInfinity, -kInfinity}, {0, kInfinity}},
                                      {{0, -kInfinity}, {kInfinity, kInfinity}}};

// Of two equal splats side by side each fills half of what is drawn; one behind the other is nearly hidden.
TEST(Shares, AreOfTheBlendingWeights) {
  ReferenceBackend backend;
  Gaussians beside, behind;
  for (Gaussians* model : {&beside, &behind}) model->sh_degree = 2;
  add(beside, {-2.5f, 0, 5}, 0.4f, 0.9f);
  add(beside, {2.5f, 0, 5}, 0.4f, 0.9f);
  add(behind, {-0.01f, 0, 5}, 1.5f, 0.99f);
  add(behind, {0.01f, 0, 6}, 0.1f, 0.9f);
  const Dataset dataset = looking_ahead({0, 50});
  const auto halves = measure_shares(backend, dataset, beside, {{}, kLeftAndRight});
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_NEAR(halves[0][0], 0.5, 1e-4);
  EXPECT_NEAR(halves[0][1], 0.5, 1e-4);
  EXPECT_EQ(halves[1], (std::vector<float>{0, 0})) << "nothing is to be seen from there";
  const auto hidden = measure_shares(backend, dataset, behind, {{}, kLeftAndRight});
  EXPECT_GT(hidden[0][0], 0.95f);
  EXPECT_LT(hidden[0][1], 0.05f);
}

TEST(Shares, ViewsOfABlockAreThoseThatSeeEnoughOfItOrStandInIt) {
  Dataset dataset = looking_ahead({-10, -1, 1, 9, 10});
  dataset.views[3].held_out = true;
  const std::vector<std::vector<float>> shares{{0.5f, 0.3f}, {1, 0}, {0.04f, 0.9f}, {0.06f, 0.9f}, {0.2f, 0.8f}};
  const auto chosen = choose_views(dataset, {}, kLeftAndRight, shares, {});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0], (std::vector<int>{0, 1, 2, 3, 4})) << "the third stands within the margin";
  EXPECT_EQ(chosen[1], (std::vector<int>{0, 1, 2, 3, 4})) << "the second stands within the margin";
  const auto strict = choose_views(dataset, {}, kLeftAndRight, shares, {.least_share = 0.25, .margin = 0});
  EXPECT_EQ(strict[0], (std::vector<int>{0, 1}));
  EXPECT_EQ(strict[1], (std::vector<int>{0, 2, 3, 4}));
  const auto few = choose_views(dataset, {}, kLeftAndRight, shares, {.least_share = 0.25, .margin = 0, .most = 1});
  EXPECT_EQ(few[0], (std::vector<int>{1}));
  EXPECT_EQ(few[1], (std::vector<int>{2, 3})) << "those held out come on top";
}

TEST(Shares, WhatOthersHideDoesNotCount) {
  ReferenceBackend backend;
  Gaussians part, others;
  part.sh_degree = others.sh_degree = 1;
  add(part, {-1.5f, 0, 5}, 0.4f, 0.95f);
  add(others, {1.5f, 0, 5}, 0.4f, 0.95f);
  const auto masks = measure_masks(backend, looking_ahead({0}), part, others);
  ASSERT_EQ(masks.size(), 1u);
  ASSERT_EQ(masks[0].width, 16);
  ASSERT_EQ(masks[0].height, 8);
  const auto at = [&](size_t x, size_t y) { return int(masks[0].counts[y * 16 + x]); };
  EXPECT_EQ(at(5, 4), 255) << "the part itself";
  EXPECT_EQ(at(10, 4), 0) << "another's";
  EXPECT_EQ(at(0, 0), 255) << "nothing is there, and must stay so";
}

}  // namespace
}  // namespace splat::blocks
