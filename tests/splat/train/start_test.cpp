// What a run starts from: view order, scene extent, initial splats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/model/pixel.h"
#include "splat/train/init.h"
#include "splat/train/scene_extent.h"
#include "splat/train/view_order.h"

namespace splat {
namespace {

DatasetView camera_at(double x, double y, double z) {  // looks along +z
  DatasetView view;
  view.cam_from_world.translation = {-x, -y, -z};
  return view;
}

TEST(ViewOrder, EveryEpochIsAPermutation) {
  const std::vector<int> views{4, 7, 9, 11, 20};
  ViewOrder order(1, views);
  std::set<std::vector<int>> epochs;
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::vector<int> seen;
    for (int i = 0; i < 5; ++i) seen.push_back(order.at(1 + 5 * epoch + i));
    epochs.insert(seen);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, views);
  }
  EXPECT_GT(epochs.size(), 12u);
}

TEST(ViewOrder, DependsOnSeedAndIterationOnly) {
  const std::vector<int> views{0, 1, 2, 3, 4, 5, 6};
  ViewOrder forwards(5, views), backwards(5, views), other(6, views);
  std::vector<int> order, different;
  for (int i = 1; i <= 60; ++i) {
    order.push_back(forwards.at(i));
    different.push_back(other.at(i));
  }
  EXPECT_NE(order, different);
  for (int i = 60; i >= 1; --i) EXPECT_EQ(backwards.at(i), order[size_t(i) - 1]);
  std::vector<int> upcoming;
  forwards.upcoming(12, 20, upcoming);
  EXPECT_TRUE(std::equal(upcoming.begin(), upcoming.end(), order.begin() + 11));
  EXPECT_EQ(upcoming.size(), 20u);
}

TEST(SceneExtent, LargestTrainingCameraDistance) {
  Dataset dataset;
  for (double x : {-1.0, 0.0, 4.0}) dataset.views.push_back(camera_at(x, 2, -3));  // mean x = 1
  EXPECT_NEAR(scene_extent(dataset), 1.1 * 3, 1e-12);
  dataset.views.push_back(camera_at(500, 0, 0));
  dataset.views.back().held_out = true;
  EXPECT_NEAR(scene_extent(dataset), 1.1 * 3, 1e-12) << "held-out views do not count";
}

TEST(SceneExtent, WithoutABaseline) {
  Dataset dataset;
  EXPECT_EQ(scene_extent(dataset), 1);
  dataset.views = {camera_at(1e5, 0, 0.1), camera_at(1e5, 0, 0.1), camera_at(1e5, 0, 0.1)};
  EXPECT_EQ(scene_extent(dataset), 1);
  dataset.points.xyz = {1e5, 0, 2.1f, 1e5, 0, 8.1f, 1e5, 0, 3.1f};
  dataset.points.rgb.resize(9);
  EXPECT_NEAR(scene_extent(dataset), 3, 1e-3);
}

TEST(InitialModel, FollowsThePoints) {
  PointCloud points;
  points.xyz = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 10, 10, 10};
  points.rgb = {255, 0, 128, 10, 20, 30, 0, 0, 0, 255, 255, 255, 1, 2, 3};
  TrainConfig config;
  const Gaussians splats = gaussians_from_points(points, config, 5.0);
  ASSERT_EQ(splats.size(), 5u);
  EXPECT_EQ(splats.sh_degree, 3);
  EXPECT_EQ(splats.means, points.xyz);
  for (size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(std::exp(splats.log_scales[axis]), std::sqrt(14.0 / 3), 1e-5);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(math::sigmoid(double(splats.logit_opacities[i])), 0.1, 1e-7);
    EXPECT_EQ(std::vector<float>(&splats.quats[4 * i], &splats.quats[4 * i] + 4), (std::vector<float>{1, 0, 0, 0}));
    for (size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(0.5 + math::kSh0 * splats.sh[i * 48 + c], points.rgb[3 * i + c] / 255.0, 1e-6);
    for (size_t k = 3; k < 48; ++k) EXPECT_EQ(splats.sh[i * 48 + k], 0.0f);
  }
}

TEST(InitialModel, DuplicatesAndSinglePointsHaveASize) {
  PointCloud points;
  for (int i = 0; i < 6; ++i) {
    points.xyz.insert(points.xyz.end(), {1, 2, 3});
    points.rgb.insert(points.rgb.end(), {9, 9, 9});
  }
  const Gaussians same = gaussians_from_points(points, {}, 5.0);
  for (float log_scale : same.log_scales) EXPECT_NEAR(log_scale, 0.5 * std::log(1e-7), 1e-5);
  const Gaussians small = gaussians_from_points(points, {}, 0.001);
  for (float log_scale : small.log_scales) EXPECT_NEAR(log_scale, std::log(1e-7), 1e-4);
  points.xyz.resize(3);
  points.rgb.resize(3);
  EXPECT_NEAR(gaussians_from_points(points, {}, 5.0).log_scales[0], std::log(0.05), 1e-6);
}

TEST(InitialModel, TooManyPointsAreSubsampledBySeed) {
  Dataset dataset;
  dataset.views = {camera_at(0, 0, 0), camera_at(1, 0, 0)};
  for (int i = 0; i < 1000; ++i) {
    dataset.points.xyz.insert(dataset.points.xyz.end(), {float(i), float(i % 7), 4});
    dataset.points.rgb.insert(dataset.points.rgb.end(), {uint8_t(i), 0, 0});
  }
  TrainConfig config;
  config.max_splats = 100;
  const InitialModel model = initial_model(dataset, config);
  ASSERT_EQ(model.splats.size(), 100u);
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_NE(model.notes[0].find("1000"), std::string::npos);
  std::set<float> chosen;
  for (size_t i = 0; i < 100; ++i) {
    const float x = model.splats.means[3 * i];
    chosen.insert(x);
    EXPECT_EQ(model.splats.means[3 * i + 1], float(int(x) % 7));
    EXPECT_LT(i > 0 ? model.splats.means[3 * (i - 1)] : -1.0f, x);
  }
  EXPECT_EQ(chosen.size(), 100u);
  EXPECT_LT(*chosen.begin(), 150);
  EXPECT_GT(*chosen.rbegin(), 850);
  EXPECT_EQ(initial_model(dataset, config).splats.means, model.splats.means);
  config.seed = 8;
  EXPECT_NE(initial_model(dataset, config).splats.means, model.splats.means);
}

TEST(InitialModel, RandomPointsSurroundWhatTheCamerasLookAt) {
  Dataset dataset;
  const double radius = 4;
  const std::array<double, 3> target{10, -2, 5};
  for (int i = 0; i < 12; ++i) {  // a ring of cameras looking at the target
    const double angle = i * 0.5, c = std::cos(angle), s = std::sin(angle);
    DatasetView view;
    view.camera = {100, 80, 100, 100, 50, 40};
    view.cam_from_world.rotation = {-s, 0, c, 0, 1, 0, -c, 0, -s};  // looks along (-c, 0, -s)
    const std::array<double, 3> centre{target[0] + radius * c, target[1], target[2] + radius * s};
    for (size_t r = 0; r < 3; ++r)
      for (size_t k = 0; k < 3; ++k)
        view.cam_from_world.translation[r] -= view.cam_from_world.rotation[3 * r + k] * centre[k];
    dataset.views.push_back(view);
  }
  TrainConfig config;
  config.random_splats = 5000;
  config.seed = 2;
  const InitialModel model = initial_model(dataset, config);
  ASSERT_EQ(model.splats.size(), 5000u);
  EXPECT_EQ(model.notes.size(), 1u);
  std::array<double, 3> mean{};
  double furthest = 0;
  for (size_t i = 0; i < 5000; ++i)
    for (size_t axis = 0; axis < 3; ++axis) {
      const double offset = model.splats.means[3 * i + axis] - target[axis];
      mean[axis] += offset / 5000;
      furthest = std::max(furthest, std::abs(offset));
    }
  for (double m : mean) EXPECT_NEAR(m, 0, 0.15);
  EXPECT_GT(furthest, 0.48 * radius) << "half of what a photo of a field of view of 1 shows at its distance";
  EXPECT_LE(furthest, 0.501 * radius);
  for (size_t i = 0; i < 5000; ++i)
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(model.splats.sh[i * 48 + c], 0, 0.01) << "grey";
  config.max_splats = 70;
  EXPECT_EQ(initial_model(dataset, config).splats.size(), 70u);
}

TEST(InitialModel, RandomPointsOfParallelCamerasLieInTheirPictures) {
  Dataset dataset;
  dataset.views = {camera_at(-1, 0, 0), camera_at(1, 0, 0)};
  for (DatasetView& view : dataset.views) view.camera = {100, 80, 100, 100, 50, 40};
  const PointCloud points = random_points(dataset, {}, 1000);
  for (size_t i = 0; i < 1000; ++i) {
    const std::array<double, 3> point{points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]};
    EXPECT_GT(point[2], 0.5 * 1.1 * 0.999) << "extents";
    EXPECT_LT(point[2], 20 * 1.1 * 1.001);
    EXPECT_TRUE(pixel_in_frame(dataset.views[i % 2].view(), point).has_value());
  }
}

TEST(InitialModel, RandomPointsOfCamerasThatLookOutwardsLieOutside) {
  Dataset dataset;
  for (int i = 0; i < 12; ++i) {  // a ring, looking away from its middle
    const double angle = i * 0.5, c = std::cos(angle), s = std::sin(angle);
    DatasetView view;
    view.camera = {100, 80, 100, 100, 50, 40};
    view.cam_from_world.rotation = {s, 0, -c, 0, 1, 0, c, 0, s};  // looks along (c, 0, s) from there
    view.cam_from_world.translation = {0, 0, -1};
    dataset.views.push_back(view);
  }
  const PointCloud points = random_points(dataset, {}, 600);
  for (size_t i = 0; i < 600; ++i)
    EXPECT_GT(std::hypot(points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]), 1.4f);
}

TEST(InitialModel, WithoutPointsMatchedOnesCountTowardsTheNumberThatIsAskedFor) {
  Dataset dataset;
  dataset.views = {camera_at(-1, 0, 0), camera_at(1, 0, 0)};
  for (DatasetView& view : dataset.views) view.camera = {100, 80, 100, 100, 50, 40};
  PointCloud matched;
  for (int i = 0; i < 50; ++i)
    matched.xyz.insert(matched.xyz.end(), {0.01f * float(i), 0, 4}), matched.rgb.resize(3 * size_t(i + 1), 200);
  TrainConfig config;
  config.far_points = 0;
  EXPECT_EQ(random_splats(dataset, config), 2u * 100 * 80 * 3 / 59 / 2) << "half of what the pixels determine";
  for (const uint64_t asked : {200u, 30u}) {
    config.random_splats = asked;
    EXPECT_EQ(starting_splats(dataset, config), asked);
    const InitialModel model = initial_model(dataset, config, 1, matched);
    EXPECT_EQ(model.splats.size(), asked);
    size_t coloured = 0;
    for (size_t i = 0; i < asked; ++i) coloured += model.splats.sh[48 * i] > 0.5f;
    EXPECT_EQ(coloured, std::min<size_t>(asked, 50));
  }
  config.random_splats = 200;
  config.region = box_about({0, 0, 40}, {1, 1, 1});
  EXPECT_EQ(initial_model(dataset, config, 1, matched).splats.size(), 200u);
  config.region_alone = true;
  const Gaussians alone = initial_model(dataset, config, 1, matched).splats;
  ASSERT_EQ(alone.size(), 200u);
  for (size_t i = 0; i < 200; ++i) EXPECT_GE(alone.means[3 * i + 2], 39);
}

}  // namespace
}  // namespace splat
