// Where points far behind a reconstruction are added.
#include "splat/train/far_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/model/pixel.h"
#include "splat/train/init.h"

namespace splat::far_points_test {
namespace {

// 120x90 px: 12 by 9 cells of 10 px; looks along +z from (x, 0, 0).
DatasetView camera_at(double x) {
  DatasetView view;
  view.camera = {120, 90, 100, 100, 60, 45};
  view.cam_from_world.translation = {-x, 0, 0};
  return view;
}

void add_point(Dataset& dataset, double column, double row, double depth, uint8_t grey = 100) {
  for (const double x : {(10 * column - 60) / 100 * depth, (10 * row - 45) / 100 * depth, depth})
    dataset.points.xyz.push_back(float(x));
  dataset.points.rgb.insert(dataset.points.rgb.end(), {grey, uint8_t(grey + 10), uint8_t(grey + 20)});
}

// Points at depth 4 in the middle of the cells of columns 3 to 8 and rows 2 to 6, but for one within.
Dataset with_block() {
  Dataset dataset;
  dataset.views = {camera_at(0)};
  for (int column = 3; column <= 8; ++column)
    for (int row = 2; row <= 6; ++row)
      if (column != 5 || row != 4) add_point(dataset, column + 0.5, row + 0.5, 4);
  return dataset;
}

std::array<double, 3> point(const PointCloud& points, size_t i) {
  return {points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]};
}

TEST(FarPoints, LieInTheCellsAroundThePoints) {
  const Dataset dataset = with_block();
  const PointCloud far = far_points(dataset, dataset.points);
  ASSERT_EQ(far.size(), 12u * 9 - 6 * 5) << "every cell but the block and the hole in it";
  for (size_t i = 0; i < far.size(); ++i) {
    EXPECT_NEAR(far.xyz[3 * i + 2], kFarTimes * 4, 1e-5);
    const auto pixel = pixel_of(dataset.views[0].view(), point(far, i));
    ASSERT_TRUE(pixel && is_in_frame(dataset.views[0].camera, *pixel));
    EXPECT_NEAR(std::fmod(pixel->x, 10), 5, 1e-3);
    EXPECT_NEAR(std::fmod(pixel->y, 10), 5, 1e-3);
    EXPECT_FALSE(pixel->x > 30 && pixel->x < 90 && pixel->y > 20 && pixel->y < 70);
    EXPECT_EQ(far.rgb[3 * i], 100);
    EXPECT_EQ(far.rgb[3 * i + 2], 120);
  }
}

TEST(FarPoints, OneInTwentyMayBeFarther) {
  Dataset dataset = with_block();   // 29 cells: the 27th of 29 in order counts
  add_point(dataset, 3.2, 2.2, 2);  // before another one of its cell
  dataset.points.xyz[2] *= 50;      // one far away, along its ray
  dataset.points.xyz[0] *= 50, dataset.points.xyz[1] *= 50;
  const PointCloud far = far_points(dataset, dataset.points);
  ASSERT_GT(far.size(), 0u);
  EXPECT_NEAR(far.xyz[2], kFarTimes * 4, 1e-5);
}

TEST(FarPoints, ThoseOfOnePhotoCountForTheNext) {
  Dataset dataset = with_block();
  dataset.views.push_back(camera_at(0));
  EXPECT_EQ(far_points(dataset, dataset.points).size(), 78u) << "the same photo again";
  dataset.views[1] = camera_at(0.4);
  const PointCloud far = far_points(dataset, dataset.points);
  EXPECT_GT(far.size(), 78u) << "what the second has beyond the first";
  EXPECT_LT(far.size(), 78u + 20);
  for (size_t i = 78; i < far.size(); ++i) EXPECT_NEAR(far.xyz[3 * i + 2], kFarTimes * 4, 1e-5) << "not farther still";
}

TEST(FarPoints, PhotosHeldOutAndThoseWithFewPointsAddNone) {
  EXPECT_EQ(far_points(Dataset(), PointCloud()).size(), 0u);
  Dataset held_out = with_block();
  held_out.views[0].held_out = true;
  EXPECT_EQ(far_points(held_out, held_out.points).size(), 0u);
  Dataset few;
  few.views = {camera_at(0)};
  for (int i = 0; i < 5; ++i) add_point(few, i + 0.5, 2.5, 4);
  EXPECT_EQ(far_points(few, few.points).size(), 0u);
  add_point(few, 5.5, 2.5, 4);
  EXPECT_EQ(far_points(few, few.points).size(), 12u * 9 - 6) << "a row of points has no inside";
}

TEST(FarPoints, BudgetStartsWithThemAndTheOthersWhereAsked) {
  const Dataset dataset = with_block();
  const size_t given = dataset.points.size();
  const auto starting = [&](StrategyKind strategy, int far_points, bool region = false) {
    TrainConfig config;
    config.strategy = strategy;
    config.far_points = far_points;
    if (region) config.region = box_about({0, 0, 4}, {2, 2, 2});
    const InitialModel initial = initial_model(dataset, config);
    EXPECT_EQ(initial.notes.size(), initial.splats.size() > given ? 1u : 0u);
    return initial.splats.size();
  };
  EXPECT_EQ(starting(StrategyKind::kBudget, kAuto), given + 78);
  EXPECT_EQ(starting(StrategyKind::kBudget, 0), given);
  EXPECT_EQ(starting(StrategyKind::kBudget, kAuto, true), given) << "not around a region";
  EXPECT_EQ(starting(StrategyKind::kAdc, kAuto), given);
  EXPECT_EQ(starting(StrategyKind::kMcmc, kAuto), given);
  EXPECT_EQ(starting(StrategyKind::kAdc, 1), given + 78);
}

}  // namespace
}  // namespace splat::far_points_test
