#include "splat/stereo/matched_points.h"

#include <gtest/gtest.h>

#include <atomic>

#include "splat/model/pixel.h"
#include "splat/train/init.h"
#include "splat/train/match_settings.h"
#include "tests/splat/stereo/textured_wall.h"
#include "tests/support/tiny_dataset.h"

namespace splat::stereo {
namespace {

constexpr double kPlaces[] = {0, 0.5, -0.5, 1};

// Four photos of the wall; points on its left half.
splat::test::TinyDataset wall() {
  splat::test::TinyDataset wall;
  for (const double x : kPlaces) {
    DatasetView view;
    const View at = test::camera_at(x);
    view.camera = at.camera;
    view.cam_from_world = at.cam_from_world;
    wall.dataset.views.push_back(view);
    wall.images.photos.push_back(test::photo_of(at));
  }
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      for (const double value : {-1.6 + 0.2 * column, -1.2 + 0.33 * row, 4.0})
        wall.dataset.points.xyz.push_back(float(value));
      wall.dataset.points.rgb.insert(wall.dataset.points.rgb.end(), {1, 2, 3});
    }
  return wall;
}

PointCloud found(splat::test::TinyDataset& wall, size_t photos = 100, int threads = 1, size_t most = 10000) {
  ThreadPool pool(threads);
  auto points = matched_points(wall.dataset, wall.images, {photos, 256, most}, pool);
  EXPECT_TRUE(points.ok());
  return points ? *points : PointCloud();
}

TEST(MatchedPoints, LieOnTheWallWithItsColour) {
  splat::test::TinyDataset scene = wall();
  const PointCloud points = found(scene);
  ASSERT_GT(points.size(), 100u);
  size_t on_wall = 0, right_half = 0, coloured = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double x = double(points.xyz[3 * i]), y = double(points.xyz[3 * i + 1]), z = double(points.xyz[3 * i + 2]);
    on_wall += std::abs(z - (x < 0 ? 4 : 5)) < 0.15;
    right_half += x > 0;
    coloured += std::abs(double(points.rgb[3 * i + 1]) - test::texture(x, y)) < 25;
    EXPECT_EQ(points.rgb[3 * i], points.rgb[3 * i + 1] + 10);
  }
  EXPECT_GT(on_wall, 9 * points.size() / 10);
  EXPECT_GT(coloured, 9 * points.size() / 10);
  EXPECT_GT(right_half, points.size() / 2) << "most are where the dataset has none";
}

TEST(MatchedPoints, EndsWhereItIsAskedTo) {
  splat::test::TinyDataset scene = wall();
  ThreadPool pool(2);
  std::atomic<int> questions{0};
  int answers_no = 1 << 30;
  const StopAsked asked = [&] { return questions++ >= answers_no; };
  const ThreadPool::Stoppable stoppable(pool, asked);
  const auto match = [&] { return matched_points(scene.dataset, scene.images, {100, 256, 10000}, pool); };
  EXPECT_TRUE(match().ok());
  const int all = questions;
  EXPECT_GT(all, 3 * int(scene.images.photos.size()));
  for (int no = 0; no < all; no += 1 + all / 50) {
    questions = 0, answers_no = no;
    EXPECT_THROW((void)match(), Stopped) << no;
  }
}

TEST(MatchedPoints, EmptyPixelsMatchNothing) {
  splat::test::TinyDataset scene = wall();
  TrainingImage& photo = scene.images.photos[0];
  const auto in_first = [&](const PointCloud& points) {
    size_t count = 0;
    for (size_t i = 0; i < points.size(); ++i)
      count += pixel_in_frame(scene.dataset.views[0].view(),
                              {points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]})
                   .has_value();
    return count;
  };
  ASSERT_GT(in_first(found(scene)), 100u);
  for (TrainingImage& each : scene.images.photos) each.alpha.assign(each.rgb.size() / 3, 0);
  EXPECT_EQ(found(scene).size(), 0u);
  for (TrainingImage& each : scene.images.photos) each.alpha.assign(each.rgb.size() / 3, 255);
  EXPECT_GT(in_first(found(scene)), 100u);
  photo.alpha.assign(photo.rgb.size() / 3, 0);
  const PointCloud others = found(scene);
  EXPECT_GT(others.size(), 0u) << "the other photos match each other";
}

TEST(MatchedPoints, WhatHasPointsGetsNoMore) {
  splat::test::TinyDataset scene = wall();
  const PointCloud first = found(scene);
  scene.dataset.points.xyz.insert(scene.dataset.points.xyz.end(), first.xyz.begin(), first.xyz.end());
  scene.dataset.points.rgb.insert(scene.dataset.points.rgb.end(), first.rgb.begin(), first.rgb.end());
  EXPECT_LT(found(scene).size(), first.size() / 10);
}

TEST(MatchedPoints, AreTheSameWithEveryNumberOfThreads) {
  splat::test::TinyDataset scene = wall();
  EXPECT_EQ(found(scene, 100, 1).xyz, found(scene, 100, 3).xyz);
}

TEST(MatchedPoints, AreNoMoreThanAskedForAndSpread) {
  splat::test::TinyDataset scene = wall();
  const PointCloud all = found(scene), some = found(scene, 100, 1, 20);
  ASSERT_EQ(some.size(), 20u);
  EXPECT_EQ(some.xyz[0], all.xyz[0]);
  const size_t last = 3 * (19 * all.size() / 20);
  EXPECT_EQ(some.xyz[57], all.xyz[last]);
  EXPECT_EQ(some.rgb[57], all.rgb[last]);
}

TEST(MatchedPoints, OfNothingIsNothing) {
  splat::test::TinyDataset scene = wall();
  scene.images.asked.clear();
  EXPECT_EQ(found(scene, 0).size(), 0u);
  EXPECT_TRUE(scene.images.asked.empty()) << "no photo is read for it";
  EXPECT_EQ(found(scene, 1).size(), 0u) << "one photo alone";
  for (size_t i = 1; i < 4; ++i) scene.dataset.views[i].held_out = true;
  EXPECT_EQ(found(scene).size(), 0u) << "held out: not looked at";
  for (const int view : scene.images.asked) EXPECT_EQ(view, 0);
  splat::test::TinyDataset without = wall();
  without.dataset.points = {};
  EXPECT_EQ(found(without).size(), 0u) << "nothing says where things may be";
}

TEST(MatchedPoints, WithoutPointsGuessedPlacesSayWhereToLook) {
  splat::test::TinyDataset scene = wall();
  scene.dataset.points = {};
  TrainConfig config;
  config.iterations = 3000;
  config.strategy = StrategyKind::kAdc;
  ThreadPool pool(1);
  const auto points = match_photos(config, scene.dataset, scene.images, pool);
  ASSERT_TRUE(points.ok());
  ASSERT_GT(points->size(), 100u);
  size_t on_wall = 0;
  for (size_t i = 0; i < points->size(); ++i)
    on_wall += std::abs(double(points->xyz[3 * i + 2]) - (points->xyz[3 * i] < 0 ? 4 : 5)) < 0.15;
  EXPECT_GT(on_wall, 8 * points->size() / 10);
}

TEST(MatchedPoints, TinyPhotosAreLeftOut) {
  splat::test::TinyDataset scene = wall();
  for (size_t i = 0; i < 4; ++i) {
    scene.dataset.views[i].camera = {9, 7, 9, 9, 4.5, 3.5};
    scene.images.photos[i] = {9, 7, std::vector<uint8_t>(189, 100), {}};
  }
  EXPECT_EQ(found(scene).size(), 0u);
}

TEST(MatchedPoints, APhotoThatCannotBeReadIsAnError) {
  splat::test::TinyDataset scene = wall();
  scene.images.broken_view = 2;
  ThreadPool pool(1);
  EXPECT_FALSE(matched_points(scene.dataset, scene.images, {}, pool).ok());
}

TEST(MatchedPoints, TrainingStartsWithThemButNotInARegion) {
  splat::test::TinyDataset scene = wall();
  const PointCloud matched = found(scene);
  TrainConfig config;
  config.far_points = 0;
  const InitialModel model = initial_model(scene.dataset, config, 1, matched);
  EXPECT_EQ(model.splats.size(), scene.dataset.points.size() + matched.size());
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].find(std::to_string(matched.size()) + " splats start where photos look alike"), 0u);
  const PointCloud one{{0, 0, 5}, {9, 9, 9}};
  EXPECT_EQ(initial_model(scene.dataset, config, 1, one).notes.at(0).find("1 splat starts where"), 0u);
  config.region = box_about({0, 0, 4}, {9, 9, 9});
  EXPECT_EQ(initial_model(scene.dataset, config, 1, matched).splats.size(), scene.dataset.points.size());
}

}  // namespace
}  // namespace splat::stereo
