// Lengths between points, the scale that a known one gives, and the plane through three.
#include "studio/documents/measure.h"

#include <gtest/gtest.h>

#include <limits>

namespace studio {
namespace {

TEST(Measure, LengthsAreThoseBetweenThePoints) {
  Measure measure;
  EXPECT_EQ(measure.last_length(), 0);
  measure.add({1, 2, 3});
  EXPECT_EQ(measure.last_length(), 0);
  EXPECT_FALSE(measure.set_length(1)) << "there is no line";
  measure.add({1, 2, 7});
  measure.add({1, 5, 7});
  EXPECT_EQ(measure.last_length(), 3);
  EXPECT_EQ(measure.path_length(), 7);
  EXPECT_EQ(measure.text(measure.path_length()), "7 units");
  EXPECT_EQ(measure.text(1), "1 unit");
  measure.remove_last();
  EXPECT_EQ(measure.last_length(), 4);
  measure.clear(), measure.remove_last();
  EXPECT_TRUE(measure.points().empty());
}

TEST(Measure, AKnownLengthGivesTheScale) {
  Measure measure;
  measure.add({0, 0, 0}), measure.add({0, 4, 0});
  for (const double wrong : {0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(measure.set_length(wrong));
    EXPECT_FALSE(measure.metres_per_unit());
  }
  ASSERT_TRUE(measure.set_length(2));
  EXPECT_EQ(measure.metres_per_unit(), 0.5);
  EXPECT_EQ(measure.text(4), "2 m");
  EXPECT_EQ(measure.text(1), "50 cm");
  EXPECT_EQ(measure.text(0.01), "5 mm");
  measure.clear();
  EXPECT_EQ(measure.metres_per_unit(), 0.5) << "it is the scene's, not the points'";
}

// A metre between two points of a thing is a metre, however large the scene was made and whatever file has it.
TEST(Measure, AKnownLengthStaysWhereTheWholeSceneIsScaled) {
  Measure measure;
  measure.open(std::nullopt);
  measure.add({0, 0, 0}), measure.add({0, 4, 0});
  ASSERT_TRUE(measure.set_length(1));
  const splat::Similarity twice{2, splat::quat_about({0, 0, 1}, 90), {1, 0, 0}};
  measure.follow(twice, 1);
  EXPECT_EQ(measure.text(measure.last_length()), "1 m");
  EXPECT_NEAR(length(measure.points()[1] - Vec3{-7, 0, 0}), 0, 1e-12) << "the points go along";
  EXPECT_EQ(measure.metres_per_unit(), 0.125);
  EXPECT_EQ(measure.metres_per_file_unit(), 0.25) << "the file is as it was";
  measure.follow(twice, 2);  // saved over
  EXPECT_EQ(measure.metres_per_unit(), 0.125);
  EXPECT_EQ(measure.metres_per_file_unit(), 0.125);
  measure.follow({}, 2);  // undone, not saved
  EXPECT_EQ(measure.metres_per_unit(), 0.25);
  EXPECT_EQ(measure.metres_per_file_unit(), 0.125);
  measure.follow({3}, 2);
  measure.add({0, 0, 0}), measure.add({0, 0, 6});
  ASSERT_TRUE(measure.set_length(3)) << "measured afterwards: of the scene as it lies";
  EXPECT_EQ(measure.metres_per_unit(), 0.5);
  measure.follow({}, 2);
  EXPECT_EQ(measure.metres_per_unit(), 1.5);
  measure.open(measure.metres_per_file_unit());
  EXPECT_EQ(measure.metres_per_unit(), 0.75);
  EXPECT_TRUE(measure.points().empty());
}

TEST(Measure, GridsSuitTheSceneInUnitsAndInMetres) {
  Measure measure;
  EXPECT_EQ(measure.grid_step(0), 0);
  EXPECT_DOUBLE_EQ(measure.grid_step(10), 2);
  EXPECT_DOUBLE_EQ(measure.grid_step(7), 1);
  EXPECT_DOUBLE_EQ(measure.grid_step(0.03), 0.005);
  measure.set_scale(0.3);  // 10 units are 3 m
  EXPECT_DOUBLE_EQ(measure.grid_step(10) * 0.3, 0.5);
  EXPECT_EQ(measure.text(measure.grid_step(10)), "50 cm");
}

TEST(Measure, UpIsAcrossThePlaneOfTheLastThree) {
  Measure measure;
  measure.add({9, 9, 9});
  EXPECT_FALSE(measure.up({5, 5, 5}));
  measure.add({0, 0, 1}), measure.add({2, 0, 1});
  measure.add({0, 3, 1});
  const auto above = measure.up({5, 5, 5}), below = measure.up({5, 5, -5});
  ASSERT_TRUE(above && below);
  EXPECT_NEAR(length(*above - Vec3{0, 0, 1}), 0, 1e-12);
  EXPECT_NEAR(length(*below - Vec3{0, 0, -1}), 0, 1e-12);
  measure.add({2, 0, 1}), measure.add({4, -3, 1});
  EXPECT_FALSE(measure.up({5, 5, 5})) << "they lie on a line";
}

}  // namespace
}  // namespace studio
