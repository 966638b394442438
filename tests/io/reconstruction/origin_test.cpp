#include "io/reconstruction/origin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "io/dataset/load_dataset.h"
#include "io/scene_json.h"
#include "tests/quality/town/town.h"
#include "tests/support/temp_folder.h"

namespace io {
namespace {

using splat::test::TempFolder;

std::vector<splat::Rigid3> cameras_around(const std::array<double, 3>& middle, double radius) {
  std::vector<splat::Rigid3> poses;
  for (int i = 0; i < 8; ++i) {
    const double c = std::cos(M_PI * i / 4), s = std::sin(M_PI * i / 4);
    splat::Rigid3 pose;
    pose.rotation = {c, 0, -s, 0, 1, 0, s, 0, c};
    const auto turned = pose * std::array<double, 3>{middle[0] + radius * c, middle[1], middle[2] + radius * s};
    for (size_t k = 0; k < 3; ++k) pose.translation[k] = -turned[k];
    poses.push_back(pose);
  }
  return poses;
}

TEST(LocalOrigin, ACameraFarFromAllOthersDoesNotMoveIt) {
  std::vector<splat::Rigid3> poses(20);
  for (size_t i = 0; i < poses.size(); ++i)
    poses[i].translation = {-4e5 + 3 * std::sin(double(i)), -5e6 + 3 * std::cos(double(i)), -100};
  const auto origin = local_origin(poses);
  EXPECT_NEAR(origin[1], 5e6, 10);
  poses.emplace_back();  // as programs write a pose that they do not know
  EXPECT_EQ(local_origin(poses), origin);
}

TEST(LocalOrigin, IsThatOfFarCamerasAlone) {
  const std::array<double, 3> zero{0, 0, 0};
  EXPECT_EQ(local_origin({}), zero);
  EXPECT_EQ(local_origin(cameras_around({0, 0, 0}, 5)), zero);
  EXPECT_EQ(local_origin(cameras_around({400, 0, -300}, 5)), zero) << "a float is exact enough there";
  const auto far = local_origin(cameras_around({500'003.2, 5'400'000, 120}, 37));
  for (const double value : far) EXPECT_EQ(value, 10 * std::round(value / 10)) << "a round figure";
  EXPECT_NEAR(far[0], 500'003.2, 6);
  EXPECT_NEAR(far[1], 5'400'000, 6);
}

// The same town in local and in survey coordinates is the same dataset, but for where it says it is.
TEST(LocalOrigin, SurveyCoordinatesLoseNothing) {
  const std::array<double, 3> offset{500'000.25, 5'400'321.5, 117.125};
  const TempFolder folder;
  town::Options options{.cameras = 12, .width = 32, .height = 24};
  ASSERT_TRUE(town::write_town(folder.path() / "here", options).ok());
  options.offset = offset;
  ASSERT_TRUE(town::write_town(folder.path() / "there", options).ok());
  ASSERT_TRUE(write_scene_json(folder.path() / "there", {.origin = {1000, 0, 0}, .epsg = 25832}).ok());
  const auto here = load_dataset(folder.path() / "here", {}), there = load_dataset(folder.path() / "there", {});
  ASSERT_TRUE(here.ok() && there.ok());
  EXPECT_EQ(there->epsg, 25832);
  EXPECT_EQ(here->origin, (std::array<double, 3>{0, 0, 0}));
  std::array<double, 3> shift{};  // of the local frame
  for (size_t k = 0; k < 3; ++k) shift[k] = there->origin[k] - (k == 0 ? 1000 : 0) - offset[k];
  ASSERT_LT(std::abs(shift[0]) + std::abs(shift[1]), 40);
  for (size_t i = 0; i < here->views.size(); ++i) {
    const auto a = here->views[i].cam_from_world.origin_in_source(),
               b = there->views[i].cam_from_world.origin_in_source();
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k] + shift[k], 1e-8);
  }
  ASSERT_EQ(here->points.size(), there->points.size());
  for (size_t i = 0; i < here->points.xyz.size(); ++i)
    ASSERT_NEAR(here->points.xyz[i], double(there->points.xyz[i]) + shift[i % 3], 2e-6);
  EXPECT_NE(there->notes.end(), std::find_if(there->notes.begin(), there->notes.end(), [](const std::string& note) {
              return note.find("counted from (500") != std::string::npos;
            }));
}

TEST(SceneJson, HoldsHowLongAUnitIs) {
  const TempFolder folder;
  ASSERT_TRUE(write_scene_json(folder.path(), {.metres_per_unit = 1.0 / 3}).ok());
  const auto frame = read_scene_json(folder.path());
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->metres_per_unit, 1.0 / 3);
  EXPECT_FALSE(frame->says_something()) << "where it lies";
}

TEST(SceneJson, BadOnesAreOneSentence) {
  const TempFolder folder;
  EXPECT_FALSE(read_scene_json(folder.path())->says_something());
  std::ofstream(folder.path() / "scene.json") << R"({"version": "2.0", "scale": 0.1})";
  EXPECT_FALSE(read_scene_json(folder.path())->says_something()) << "another program's";
  for (const char* text : {"{",
                           R"({"origin": [1, 2]})",
                           R"({"epsg": "UTM"})",
                           R"({"epsg": -4})",
                           R"({"origin": [1e300, 0, 0]})",
                           R"({"version": 9, "epsg": 1})",
                           "[]",
                           "7",
                           R"({"origin": [1, 2, 3, 4, 5]})",
                           R"({"origin": "north"})",
                           R"({"epsg": 4294992728})",
                           R"({"epsg": 1e18})",
                           R"({"epsg": 2.5})",
                           R"({"version": 4294967297, "epsg": 1})",
                           R"({"metres_per_unit": 0})",
                           R"({"metres_per_unit": -1})",
                           R"({"metres_per_unit": 1e30})",
                           R"({"low_pass": -0.1})",
                           R"({"low_pass": 101})",
                           R"({"low_pass": "thin"})"}) {
    std::ofstream(folder.path() / "scene.json") << text;
    const auto frame = read_scene_json(folder.path());
    ASSERT_FALSE(frame.ok()) << text;
    EXPECT_NE(frame.error().message.find("scene.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace io
