#include "splat/model/rigid_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/math/quat.h"
#include "tests/support/random_values.h"

namespace splat {
namespace {

Rigid3 random_pose(test::RandomValues& random) {
  Rigid3 pose;
  const auto r = math::rotation_from_quat(random.quat());
  for (size_t i = 0; i < 9; ++i) pose.rotation[i] = r.m[i / 3][i % 3];
  for (double& t : pose.translation) t = random.uniform(-3, 3);
  return pose;
}

TEST(RigidMotion, TurnsAboutTheCameraAndThenShifts) {
  const Rigid3 pose = moved({}, {{0.5, 0, 0}, {0, 0, M_PI / 2}});  // x goes to y
  const auto x = pose * std::array<double, 3>{1, 0, 0};
  EXPECT_NEAR(x[0], 0.5, 1e-15);
  EXPECT_NEAR(x[1], 1, 1e-15);
  EXPECT_NEAR(x[2], 0, 1e-15);
}

TEST(RigidMotion, BetweenTwoPosesLeadsFromOneToTheOther) {
  test::RandomValues random(3);
  for (const double size : {0.0, 1e-12, 1e-6, 1e-3, 0.5, 3.0})
    for (int i = 0; i < 20; ++i) {
      const Rigid3 from = random_pose(random);
      RigidMotion motion;
      double length = 0;
      for (double& w : motion.rotation) w = random.normal(), length += w * w;
      for (double& w : motion.rotation) w *= size / std::sqrt(length);
      for (double& t : motion.translation) t = size * random.normal();
      const Rigid3 to = moved(from, motion);
      const RigidMotion found = motion_between(from, to);
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found.rotation[k], motion.rotation[k], 1e-12 + 1e-9 * size);
        EXPECT_NEAR(found.translation[k], motion.translation[k], 1e-12 + 1e-9 * size);
      }
    }
}

}  // namespace
}  // namespace splat
