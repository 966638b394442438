// A camera path while it is edited: what keys become, and what comes back.
#include "studio/film/path_editor.h"

#include <gtest/gtest.h>

namespace studio {
namespace {

using splat::CameraPose;
using splat::LoopMode;

constexpr double kFrame = 1. / 30, kGap = 2;

CameraPose at(double x) { return {{x, 0.1 * x, -1}, {1, 0, 0, 0}, 50}; }

std::vector<double> seconds(const PathEditor& editor) {
  std::vector<double> all;
  for (const splat::PathKey& key : editor.path().keys) all.push_back(key.seconds);
  return all;
}

PathEditor of_three() {
  PathEditor editor;
  EXPECT_TRUE(editor.add(0, at(0), kFrame, kGap));
  EXPECT_TRUE(editor.add(0, at(1), kFrame, kGap));
  EXPECT_TRUE(editor.add(2, at(3), kFrame, kGap));
  return editor;
}

TEST(PathEditor, KeysFollowEachOtherAndStandBetweenOthers) {
  PathEditor editor = of_three();
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 2, 4})) << "each after the last, though the time stood at it";
  EXPECT_EQ(editor.chosen(), 2u);
  ASSERT_TRUE(editor.add(1, at(9), kFrame, kGap));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 1, 2, 4}));
  EXPECT_EQ(editor.chosen(), 1u);
  EXPECT_EQ(editor.path().keys[1].pose, at(9));
  ASSERT_TRUE(editor.add(2.01, at(7), kFrame, kGap)) << "within half a frame";
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 1, 2, 4}));
  EXPECT_EQ(editor.path().keys[2].pose, at(7)) << "in its place";
  ASSERT_TRUE(editor.add(7, at(8), kFrame, kGap));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 1, 2, 4, 7})) << "where the time stands";
}

TEST(PathEditor, OfConstantSpeedAKeyIsWhereTheCameraWasThen) {
  PathEditor editor = of_three();
  ASSERT_TRUE(editor.change("speed", [](auto& path) { path.constant_speed = true; }));
  EXPECT_LT(editor.key_times()[1], 1.6) << "the first way is the shorter one";
  ASSERT_TRUE(editor.add(3, editor.pose_at(3), kFrame, kGap));
  EXPECT_EQ(editor.chosen(), 2u);
  EXPECT_NEAR(editor.key_times()[2], 3, 0.05);
  EXPECT_FALSE(editor.can_move(1));
  EXPECT_FALSE(editor.move(1, 1, kFrame));
  ASSERT_TRUE(editor.move(3, 8, kFrame));
  EXPECT_NEAR(editor.seconds(), 8, 1e-9);
}

TEST(PathEditor, KeysMoveInTimeBetweenTheirNeighbours) {
  PathEditor editor = of_three();
  ASSERT_TRUE(editor.move(1, 3, kFrame));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 3, 4}));
  ASSERT_TRUE(editor.move(1, 9, kFrame));
  EXPECT_NEAR(seconds(editor)[1], 4 - kFrame, 1e-12);
  EXPECT_FALSE(editor.move(0, 1, kFrame)) << "the film begins there";
  ASSERT_TRUE(editor.change("hold", [](auto& path) { path.keys[0].hold = 1; }));
  ASSERT_TRUE(editor.move(1, 0.5, kFrame));
  EXPECT_NEAR(seconds(editor)[1], 1 + kFrame, 1e-12) << "after the hold";
}

TEST(PathEditor, StepsComeBackOneByOneAndADragIsOne) {
  PathEditor editor = of_three();
  const splat::CameraPath before = editor.path();
  editor.begin_drag();
  for (const double to : {2.2, 2.5, 3.0}) ASSERT_TRUE(editor.move(1, to, kFrame));
  editor.end_drag();
  ASSERT_TRUE(editor.remove(2));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 3}));
  EXPECT_EQ(editor.chosen(), 1u);
  EXPECT_EQ(editor.undo_name(), "delete key");
  editor.undo();
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 3, 4}));
  editor.undo();
  EXPECT_EQ(editor.path(), before);
  EXPECT_EQ(editor.redo_name(), "move key in time");
  editor.redo(), editor.redo();
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 3}));
  editor.undo();
  ASSERT_TRUE(editor.repose(0, at(5)));
  EXPECT_EQ(editor.redo_name(), "") << "another way was taken";
  for (int i = 0; i < 9; ++i) editor.undo();
  EXPECT_TRUE(editor.empty());
  EXPECT_EQ(editor.seconds(), 0);
  EXPECT_FALSE(editor.chosen());
}

TEST(PathEditor, WhatWouldBeNoPathChangesNothing) {
  PathEditor editor = of_three();
  const splat::CameraPath before = editor.path();
  const uint64_t revision = editor.revision();
  EXPECT_FALSE(editor.change("hold", [](auto& path) { path.keys[0].hold = 3; })) << "longer than to the next key";
  EXPECT_FALSE(editor.change("zoom", [](auto& path) { path.dolly_zoom = true; })) << "without a target";
  EXPECT_TRUE(editor.change("nothing", [](auto&) {}));
  EXPECT_EQ(editor.path(), before);
  EXPECT_EQ(editor.revision(), revision);
  EXPECT_EQ(editor.undo_name(), "add key");
}

TEST(PathEditor, CopiesAndStretchesKeys) {
  PathEditor editor = of_three();
  ASSERT_TRUE(editor.change("hold", [](auto& path) { path.keys[1].hold = 1; }));
  ASSERT_TRUE(editor.duplicate(1));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 2, 3.5, 4})) << "in the middle of what is left";
  EXPECT_EQ(editor.chosen(), 2u);
  ASSERT_TRUE(editor.duplicate(3));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 2, 3.5, 4, 4.5}));
  ASSERT_TRUE(editor.stretch(9));
  EXPECT_EQ(seconds(editor), (std::vector<double>{0, 4, 7, 8, 9}));
  EXPECT_EQ(editor.path().keys[1].hold, 2);
  EXPECT_FALSE(editor.stretch(0));
}

}  // namespace
}  // namespace studio
