// Moving, turning and scaling: what numbers and drags become.
#include "studio/edit/transform_tool.h"

#include <gtest/gtest.h>

#include <limits>

namespace studio {
namespace {

constexpr std::array<double, 3> kCentre{1, 2, 3};

EditedScene scene_with(size_t selected, uint64_t revision = 7) {
  EditedScene scene;
  scene.selected = selected;
  scene.revision = revision;
  scene.extent = splat::edit::RowsExtent{kCentre, {0, 0, 0}, {2, 4, 6}};
  return scene;
}

void expect_near(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST(TransformTool, NumbersTurnAndScaleAroundTheMiddle) {
  TransformNumbers numbers;
  numbers.move = {1, 0, -2};
  numbers.turn_deg = {90, 0, 90};
  numbers.scale = 3;
  expect_near(transform_of(TransformKind::kMove, numbers, kCentre) * kCentre, {2, 2, 1});
  const splat::Similarity turn = transform_of(TransformKind::kTurn, numbers, kCentre);
  expect_near(turn * kCentre, kCentre);
  expect_near(turn * std::array<double, 3>{1, 3, 3}, {1, 2, 4});  // +y to +z about X, which Z leaves alone
  expect_near(turn * std::array<double, 3>{2, 2, 3}, {1, 3, 3});  // +x to +y about Z
  const splat::Similarity scale = transform_of(TransformKind::kScale, numbers, kCentre);
  expect_near(scale * kCentre, kCentre);
  expect_near(scale * std::array<double, 3>{2, 2, 3}, {4, 2, 3});
  EXPECT_TRUE(transform_of(TransformKind::kTurn, {}, kCentre).is_identity());
  EXPECT_TRUE(transform_of(TransformKind::kScale, {}, kCentre).is_identity());
}

TEST(TransformTool, ADragIsShownAndBecomesOneStep) {
  TransformTool tool;
  const EditedScene scene = scene_with(5);
  tool.drag({1, {1, 0, 0, 0}, {1, 0, 0}}, scene);
  tool.drag({1, {1, 0, 0, 0}, {2, 0, 0}}, scene);
  EXPECT_TRUE(tool.dragging());
  EXPECT_FALSE(tool.shown().all);
  EXPECT_EQ(tool.shown().by.translation[0], 2);
  const auto step = tool.finish();
  ASSERT_TRUE(step);
  EXPECT_EQ(std::get<splat::edit::MoveSelected>(*step).by.translation[0], 2);
  EXPECT_TRUE(tool.shown().moves()) << "until the rows are there";
  tool.drag({2}, scene);
  EXPECT_EQ(tool.shown().by.scale, 1) << "the answer is waited for";
  tool.rows_changed(7);
  EXPECT_TRUE(tool.shown().moves()) << "rows of before";
  tool.rows_changed(8);
  EXPECT_FALSE(tool.shown().moves()) << "they are not to be moved twice";
  EXPECT_TRUE(tool.waiting());
  EditedScene answer = scene_with(5, 8);
  answer.transformed = true;
  tool.answered(answer);
  EXPECT_FALSE(tool.waiting());
}

TEST(TransformTool, AnAbandonedDragAndOneBackToTheStartAreNoSteps) {
  TransformTool tool;
  const EditedScene scene = scene_with(0);
  tool.drag({2}, scene);
  EXPECT_TRUE(tool.shown().all) << "nothing is selected";
  tool.cancel();
  EXPECT_FALSE(tool.shown().moves());
  EXPECT_FALSE(tool.finish());
  tool.drag({2}, scene);
  tool.drag({}, scene);
  EXPECT_FALSE(tool.finish());
  EXPECT_FALSE(tool.waiting());
  tool.drag({2}, scene);
  EXPECT_EQ(std::get<splat::edit::MoveAll>(tool.finish().value()).by.scale, 2);
}

TEST(TransformTool, TypedNumbersAreAStepAndThenStartAnew) {
  TransformTool tool;
  tool.kind = TransformKind::kScale;
  tool.numbers.scale = 0.5;
  const auto step = tool.apply_numbers(scene_with(3));
  ASSERT_TRUE(step);
  const splat::Similarity by = std::get<splat::edit::MoveSelected>(*step).by;
  expect_near(by * kCentre, kCentre);
  EXPECT_EQ(by.scale, 0.5);
  EXPECT_EQ(tool.numbers.scale, 1);
  tool.forget();
  tool.kind = TransformKind::kScale;
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    tool.numbers.scale = bad;
    EXPECT_FALSE(tool.apply_numbers(scene_with(3))) << bad;
  }
  EXPECT_FALSE(tool.apply_numbers(scene_with(3))) << "nothing was typed";
}

TEST(TransformTool, StepsArePowersOfTen) {
  EXPECT_DOUBLE_EQ(TransformTool::move_step(25), 1);
  EXPECT_DOUBLE_EQ(TransformTool::move_step(2.5), 0.1);
  EXPECT_DOUBLE_EQ(TransformTool::move_step(0), 1);
}

}  // namespace
}  // namespace studio
