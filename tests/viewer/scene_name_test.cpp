#include "viewer/scene_name.h"

#include <gtest/gtest.h>

namespace viewer {
namespace {

TEST(SceneName, ResultsOfTrainingAreCalledByTheirRun) {
  EXPECT_EQ(scene_name("/a/garden.ply"), "garden.ply");
  EXPECT_EQ(scene_name("/a/garden/"), "garden");
  EXPECT_EQ(scene_name("/a/garden/point_cloud/iteration_7000/point_cloud.ply"), "garden, iteration 7000");
  EXPECT_EQ(scene_name("/a/garden/checkpoints/iteration_500.checkpoint"), "garden, checkpoint of iteration 500");
  EXPECT_EQ(scene_name("/a/iteration_7000/point_cloud.ply"), "point_cloud.ply");
  EXPECT_EQ(scene_name("point_cloud/iteration_3/point_cloud.ply"), "point_cloud.ply");
  EXPECT_EQ(scene_name(""), "");
}

}  // namespace
}  // namespace viewer
