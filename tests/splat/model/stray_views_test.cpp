#include "splat/model/stray_views.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "splat/train/scene_extent.h"

namespace {

using splat::Dataset, splat::DatasetView;
using Place = std::array<double, 3>;

// At `place`, with its axis along `axis` (of length 1).
DatasetView camera_at(const Place& place, const Place& axis) {
  const Place other = std::abs(axis[1]) < 0.9 ? Place{0, 1, 0} : Place{1, 0, 0};
  const auto cross = [](const Place& a, const Place& b) {
    return Place{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  Place x = cross(other, axis);
  const double length = std::hypot(x[0], x[1], x[2]);
  for (double& value : x) value /= length;
  const Place y = cross(axis, x);
  DatasetView view;
  view.camera = {160, 120, 120, 120, 80, 60};
  view.cam_from_world.rotation = {x[0], x[1], x[2], y[0], y[1], y[2], axis[0], axis[1], axis[2]};
  for (size_t r = 0; r < 3; ++r) {
    view.cam_from_world.translation[r] = 0;
    for (size_t c = 0; c < 3; ++c)
      view.cam_from_world.translation[r] -= view.cam_from_world.rotation[3 * r + c] * place[c];
  }
  return view;
}

void add_points(Dataset& dataset, const Place& middle, double radius, int count = 500) {
  for (int i = 0; i < count; ++i) {
    for (size_t c = 0; c < 3; ++c)
      dataset.points.xyz.push_back(
          float(middle[c] + radius * std::sin(1.7 * i + 2.1 * double(c) + 0.3 * i * double(c))));
    dataset.points.rgb.insert(dataset.points.rgb.end(), 3, 128);
  }
}

void add_ring(Dataset& dataset, const Place& middle, double radius, int count) {
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count, c = std::cos(angle), s = std::sin(angle);
    dataset.views.push_back(camera_at({middle[0] + radius * c, middle[1], middle[2] + radius * s}, {-c, 0, -s}));
  }
}

// 30 cameras around points, and others far away that look past all of it.
Dataset ring(bool points = true) {
  Dataset dataset;
  add_ring(dataset, {1, 2, 3}, 4, 30);
  if (points) add_points(dataset, {1, 2, 3}, 1.5);
  return dataset;
}

TEST(StrayViews, OneOrTwoFarCamerasAreFoundAndDoNotSetTheScale) {
  for (const bool points : {true, false})
    for (const double far : {300.0, 1e3, 1e5, 1e12}) {
      Dataset dataset = ring(points);
      const double extent = scene_extent(dataset);
      EXPECT_EQ(far_views(dataset).strays, std::vector<int>()) << far;
      dataset.views.insert(dataset.views.begin() + 7, camera_at({far, 0.3 * far, -far}, {0.6, 0.8, 0}));
      EXPECT_EQ(far_views(dataset).strays, std::vector<int>{7}) << far;
      dataset.views.push_back(camera_at({-far, 0, 0}, {0, 1, 0}));
      EXPECT_EQ(far_views(dataset).strays, (std::vector<int>{7, 31})) << far;
      EXPECT_DOUBLE_EQ(scene_extent(dataset), extent) << far;
    }
}

TEST(StrayViews, ThoseThatHappenToLookThereSeeADot) {
  Dataset dataset = ring();
  dataset.views.push_back(camera_at({1, 2, 1e4}, {0, 0, -1}));
  EXPECT_EQ(far_views(dataset).strays, std::vector<int>{30});
}

TEST(StrayViews, AHalfOfScatteredCamerasStrays) {
  Dataset dataset = ring();
  for (int i = 0; i < 15; ++i) {
    const double angle = 2.4 * i, c = std::cos(angle), s = std::sin(angle);
    dataset.views.push_back(camera_at({(500 + 100 * i) * c, 40.0 * i, (500 + 100 * i) * s}, {c, 0, s}));
  }
  EXPECT_EQ(far_views(dataset).strays.size(), 15u);
}

TEST(StrayViews, PointsFarOutChangeNothing) {
  Dataset dataset = ring();
  for (int i = 0; i < 10; ++i) add_points(dataset, {std::pow(10.0, 2 + i % 4), 1e3 * i, -1e2}, 50, 1);
  EXPECT_EQ(far_views(dataset).strays, std::vector<int>());
  dataset.views.push_back(camera_at({1e3, 0, 0}, {0, -1, 0}));
  EXPECT_EQ(far_views(dataset).strays, std::vector<int>{30});
}

TEST(StrayViews, ALongLineKeepsAllOfItsCameras) {
  for (const bool points : {true, false}) {
    Dataset dataset;
    for (int i = 0; i < 200; ++i) {
      dataset.views.push_back(camera_at({20.0 * i, 0, 0}, {0, 0, 1}));
      if (points) add_points(dataset, {20.0 * i, 0, 80}, 10, 20);
    }
    EXPECT_EQ(far_views(dataset).strays, std::vector<int>()) << points;
  }
}

TEST(StrayViews, ARoomWithACorridorKeepsAllOfItsCameras) {
  Dataset dataset = ring();
  for (int i = 0; i < 20; ++i) dataset.views.push_back(camera_at({6 + 3.0 * i, 2, 3}, {1, 0, 0}));
  EXPECT_EQ(far_views(dataset).strays, std::vector<int>());
}

TEST(StrayViews, ASecondClusterKeepsAllOfItsCameras) {
  for (const bool points : {true, false})
    for (const int count : {4, 8, 30, 60}) {
      Dataset dataset = ring(points);
      add_ring(dataset, {2000, 0, 0}, 4, count);
      if (points) add_points(dataset, {2000, 0, 0}, 1.5, 60);
      EXPECT_EQ(far_views(dataset).strays, std::vector<int>()) << count;
    }
}

TEST(StrayViews, AFarCameraThatLooksAtTheSceneIsNone) {
  Dataset dataset = ring();
  dataset.views.push_back(camera_at({1, 2, 90}, {0, 0, -1}));
  dataset.views.back().camera = {160, 120, 1200, 1200, 80, 60};  // a long lens
  EXPECT_EQ(far_views(dataset).strays, std::vector<int>());
}

TEST(StrayViews, ALoneCameraThatLooksThereFromFarDoesNotSetTheScale) {
  Dataset dataset = ring();
  const double extent = scene_extent(dataset);
  for (const double far : {40.0, 90.0}) {
    dataset.views.resize(30);
    dataset.views.push_back(camera_at({1, 2, 3 + far}, {0, 0, -1}));
    dataset.views.back().camera = {160, 120, 1200, 1200, 80, 60};
    EXPECT_EQ(far_views(dataset).strays, std::vector<int>()) << far;
    EXPECT_EQ(far_views(dataset).outside, std::vector<int>{30}) << far;
    EXPECT_DOUBLE_EQ(scene_extent(dataset), extent) << far;
  }
  for (int i = 0; i < 6; ++i) dataset.views.push_back(camera_at({1, 2, 60.0 + 30 * i}, {0, 0, -1}));
  for (int i = 31; i < 37; ++i) dataset.views[size_t(i)].camera = {160, 120, 6000, 6000, 80, 60};
  EXPECT_GT(scene_extent(dataset), 10 * extent) << "so many are a part of the scene";
}

TEST(StrayViews, FromATripodAndOfThreeCamerasNothingCanBeSaid) {
  Dataset tripod;
  for (int i = 0; i < 20; ++i) tripod.views.push_back(camera_at({0, 0, 0}, {std::cos(0.3 * i), 0, std::sin(0.3 * i)}));
  EXPECT_EQ(far_views(tripod).strays, std::vector<int>());
  tripod.views.push_back(camera_at({1, 0, 0}, {0, 0, 1}));
  EXPECT_EQ(far_views(tripod).strays, std::vector<int>());
  Dataset three = ring();
  three.views.resize(2);
  three.views.push_back(camera_at({1e3, 0, 0}, {1, 0, 0}));
  EXPECT_EQ(far_views(three).strays, std::vector<int>());
  EXPECT_EQ(far_views(Dataset()).strays, std::vector<int>());
}

TEST(StrayViews, OfPlacesAloneNoClusterIsOutside) {
  const auto outside = [](const Dataset& dataset) {
    std::vector<splat::Rigid3> poses;
    for (const DatasetView& view : dataset.views) poses.push_back(view.cam_from_world);
    return splat::main_part(poses).outside;
  };
  Dataset dataset = ring(false);
  EXPECT_TRUE(outside(dataset).empty());
  dataset.views.push_back(camera_at({1e4, 0, 0}, {1, 0, 0}));
  EXPECT_EQ(outside(dataset), std::vector<size_t>{30});
  add_ring(dataset, {0, 0, 1e5}, 4, 3);
  EXPECT_EQ(outside(dataset), std::vector<size_t>{30}) << "three together have been somewhere";
  for (int i = 0; i < 6; ++i) dataset.views.push_back(camera_at({0, 2e4 * (i + 1), 0}, {1, 0, 0}));
  EXPECT_TRUE(outside(dataset).empty()) << "too many to be mistakes";
}

TEST(StrayViews, TheMainPartIsWhereMostPlacesAre) {
  std::vector<Place> places;
  for (int i = 0; i < 20; ++i) places.push_back({1e6 + std::sin(i), 5e6 + std::cos(i), 100});
  places.push_back({0, 0, 0});
  const splat::MainPart part = splat::main_part(places, 30);
  EXPECT_EQ(part.outside, std::vector<size_t>{20});
  EXPECT_NEAR(part.middle[1], 5e6, 1);
  EXPECT_LT(part.radius, 3);
}

}  // namespace
