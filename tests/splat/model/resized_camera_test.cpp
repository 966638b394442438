#include "splat/model/resized_camera.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(ResizedCamera, SeesTheSamePicture) {
  const PinholeCamera camera{640, 480, 500, 510, 321, 239};
  const PinholeCamera half = resized(camera, 320, 240), odd = resized(camera, 213, 160);
  EXPECT_EQ(half.fx, 250);
  EXPECT_EQ(half.cy, 119.5f);
  // A ray keeps its place in the picture, as a share of the sides.
  EXPECT_NEAR((0.3f * odd.fx + odd.cx) / 213, (0.3f * camera.fx + camera.cx) / 640, 1e-6);
  EXPECT_NEAR((-0.2f * odd.fy + odd.cy) / 160, (-0.2f * camera.fy + camera.cy) / 480, 1e-6);
}

}  // namespace
}  // namespace splat
