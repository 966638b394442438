#include "viewer/camera/pick.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "viewer/camera/camera_state.h"

namespace viewer {
namespace {

// White balls, the first at the far end.
struct Ball {
  double x, y, z;  // world
  double size, logit_opacity;
};

splat::Gaussians balls(const std::vector<Ball>& all) {
  splat::Gaussians model;
  model.resize(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const double centre[3] = {all[i].x, all[i].y, all[i].z};
    for (size_t k = 0; k < 3; ++k) {
      model.means[i * 3 + k] = float(centre[k]);
      model.log_scales[i * 3 + k] = float(std::log(all[i].size));
    }
    model.quats[i * 4] = 1;
    model.logit_opacities[i] = float(all[i].logit_opacity);
  }
  return model;
}

TEST(Pick, FindsTheFirstSurfaceThatHidesMostOfTheLight) {
  splat::ThreadPool pool(2);
  const splat::View view = view_of({}, 640, 480);
  EXPECT_FALSE(pick_point({}, {}, view, 320, 240, pool));
  const splat::Gaussians model = balls({{0, 0, 9, 0.5, 8},     // a wall
                                        {0, 0, 5, 0.5, 4},     // an object before it
                                        {0, 0, 2, 0.5, -2},    // haze
                                        {0, 0, -3, 0.5, 8}});  // behind the camera
  const auto point = pick_point(model, {}, view, 320, 240, pool);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->z, 5, 1e-4);
  EXPECT_NEAR(point->x, 0, 1e-4);
  EXPECT_FALSE(pick_point(model, {}, view, 20, 20, pool)) << "nothing there";
  const auto behind = pick_point(model, {}, view, 320, 240, pool, std::vector<uint8_t>{0, 1, 0, 0});
  ASSERT_TRUE(behind);
  EXPECT_NEAR(behind->z, 9, 1e-4) << "without the object";
}

TEST(Pick, LiesOnThePixelsRay) {
  splat::ThreadPool pool(1);
  const splat::View view = view_of({}, 640, 480);
  const auto point = pick_point(balls({{0, 0, 5, 1, 8}}), {}, view, 360, 200, pool);
  ASSERT_TRUE(point);
  const Pixel pixel = *pixel_of(view, *point);
  EXPECT_NEAR(pixel.x, 360, 1e-3);
  EXPECT_NEAR(pixel.y, 200, 1e-3);
}

// A splat far below a pixel is as large as the low pass makes it.
TEST(Pick, GoesByTheFilterOfThePicture) {
  splat::ThreadPool pool(1);
  const splat::View view = view_of({}, 640, 480);
  const splat::Gaussians dot = balls({{0, 0, 5, 1e-6, 8}});
  const Pixel at = *pixel_of(view, std::array<double, 3>{0, 0, 5});
  EXPECT_TRUE(pick_point(dot, {false, 1}, view, at.x + 1, at.y, pool));
  EXPECT_FALSE(pick_point(dot, {false, 0.1f}, view, at.x + 1, at.y, pool));
}

TEST(Pick, HazeAddsUp) {
  splat::ThreadPool pool(2);
  std::vector<Ball> haze;
  for (int i = 0; i < 10; ++i) haze.push_back({0, 0, 10.0 - i, 0.5, -1.0986});  // opacity 0.25
  const auto point = pick_point(balls(haze), {}, view_of({}, 640, 480), 320, 240, pool);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->z, 3, 1e-4) << "0.75^3 = 0.42 is the first below a half";
}

}  // namespace
}  // namespace viewer
