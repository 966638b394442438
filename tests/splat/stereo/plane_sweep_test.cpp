#include "splat/stereo/plane_sweep.h"

#include <gtest/gtest.h>

#include <cstring>

#include "splat/model/brightness.h"
#include "tests/splat/stereo/textured_wall.h"

namespace splat::stereo {
namespace {

GreyPhoto grey_photo(const View& view, double gain = 1) {
  const std::vector<uint8_t> grey = brightness(test::photo_of(view, gain));
  return {view, {grey.begin(), grey.end()}, {}};
}

SweepPlane present_sweep() {
  const auto level = cpu::choose_simd_level(cpu::SimdLevel::kAuto);
  EXPECT_TRUE(level.ok());
  return sweep_plane_of(*level);
}

SweptDepths swept(const GreyPhoto& photo, const std::vector<GreyPhoto>& others) {
  std::vector<const GreyPhoto*> pointers;
  for (const GreyPhoto& other : others) pointers.push_back(&other);
  return sweep_planes(photo, pointers, 2.5, 15, present_sweep());
}

struct Found {
  int known = 0, right = 0, pixels = 0;
};

// Right: within half the step between planes. Columns beside the edge between the walls, and what lies outside another
// photo, are left out.
Found compare(const GreyPhoto& photo, const SweptDepths& depths) {
  Found found;
  for (int y = 5; y < test::kHeight - 5; ++y)
    for (int x = 12; x < test::kWidth - 12; ++x) {
      if (std::abs(x - 36) < 6) continue;
      const double truth = 1 / test::wall_depth(photo.view, x + 0.5);
      const double inverse = double(depths.inverse[size_t(y * test::kWidth + x)]);
      ++found.pixels;
      found.known += inverse > 0;
      found.right += std::abs(inverse - truth) < depths.step / 2;
    }
  return found;
}

TEST(PlaneSweep, FindsTheDepthsOfTwoWalls) {
  const GreyPhoto photo = grey_photo(test::camera_at(0));
  const Found found = compare(photo, swept(photo, {grey_photo(test::camera_at(0.5)), grey_photo(test::camera_at(-0.5)),
                                                   grey_photo(test::camera_at(0.1, 0.4))}));
  EXPECT_GT(found.right, 0.95 * found.pixels);
  EXPECT_GT(found.right, 0.98 * found.known);
}

TEST(PlaneSweep, BrightnessOfPhotosDoesNotMatter) {
  const GreyPhoto photo = grey_photo(test::camera_at(0));
  const Found found =
      compare(photo, swept(photo, {grey_photo(test::camera_at(0.5), 0.6), grey_photo(test::camera_at(-0.5), 1.05)}));
  EXPECT_GT(found.right, 0.95 * found.pixels);
}

TEST(PlaneSweep, TurnedCamerasAndOtherLensesAreTakenIntoAccount) {
  const GreyPhoto photo = grey_photo(test::camera_at(0));
  View turned = test::camera_at(0.5);
  const double angle = -0.08, c = std::cos(angle), s = std::sin(angle);
  turned.cam_from_world.rotation = {c, 0, s, 0, 1, 0, -s, 0, c};
  turned.cam_from_world.translation = {-0.5 * c, 0, 0.5 * s};
  turned.camera.fx = 60, turned.camera.fy = 64;
  GreyPhoto other{turned, {}, {}};
  for (int y = 0; y < test::kHeight; ++y)
    for (int x = 0; x < test::kWidth; ++x) {
      const double u = (x + 0.5 - 36) / 60, v = (y + 0.5 - 27) / 64;
      const double ray[3] = {c * u - s, v, s * u + c};  // in the world
      double z = 4;
      if (0.5 + 4 / ray[2] * ray[0] > 0) z = 5;
      other.grey.push_back(float(test::texture(0.5 + z / ray[2] * ray[0], z / ray[2] * ray[1])));
    }
  const Found found = compare(photo, swept(photo, {other, grey_photo(test::camera_at(-0.5))}));
  EXPECT_GT(found.right, 0.9 * found.pixels);
}

TEST(PlaneSweep, PlainAndMaskedPlacesGetNoDepth) {
  GreyPhoto photo = grey_photo(test::camera_at(0)), other = grey_photo(test::camera_at(0.5));
  photo.mask.assign(photo.grey.size(), 255);
  std::fill_n(photo.mask.begin(), test::kWidth * 20, uint8_t(0));
  const SweptDepths depths = swept(photo, {other});
  for (int i = 0; i < test::kWidth * 20; ++i) EXPECT_EQ(depths.inverse[size_t(i)], 0);
  photo.mask.clear();
  std::fill(photo.grey.begin(), photo.grey.end(), 128.0f);
  std::fill(other.grey.begin(), other.grey.end(), 128.0f);
  for (const float inverse : swept(photo, {other}).inverse) EXPECT_EQ(inverse, 0);
}

TEST(PlaneSweep, PhotosOfOtherThingsAndNoPhotosGiveNothing) {
  const GreyPhoto photo = grey_photo(test::camera_at(0));
  View away = test::camera_at(0.5);
  away.cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  away.cam_from_world.translation = {0.5, 0, 0};
  for (const float inverse : swept(photo, {{away, photo.grey, {}}}).inverse) EXPECT_EQ(inverse, 0);
  for (const float inverse : swept(photo, {}).inverse) EXPECT_EQ(inverse, 0);
}

TEST(PlaneSweep, EverySimdLevelGivesTheSameBytes) {
  const GreyPhoto photo = grey_photo(test::camera_at(0)), other = grey_photo(test::camera_at(0.5)),
                  third = grey_photo(test::camera_at(0.1, 0.4));
  const GreyPhoto* others[] = {&other, &third};
  const std::vector<cpu::SimdLevel> levels = cpu::usable_simd_levels();
  const SweptDepths first = sweep_planes(photo, others, 2.5, 15, sweep_plane_of(levels.front()));
  for (const cpu::SimdLevel level : levels) {
    const SweptDepths depths = sweep_planes(photo, others, 2.5, 15, sweep_plane_of(level));
    const size_t bytes = first.inverse.size() * sizeof(float);
    EXPECT_EQ(std::memcmp(depths.inverse.data(), first.inverse.data(), bytes), 0) << cpu::simd_level_name(level);
    EXPECT_EQ(std::memcmp(depths.score.data(), first.score.data(), bytes), 0) << cpu::simd_level_name(level);
  }
}

}  // namespace
}  // namespace splat::stereo
