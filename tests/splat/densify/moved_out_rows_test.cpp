#include "splat/densify/moved_out_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::moved_out_rows_test {
namespace {

using test::at;
using test::camera_at;
using Rows = std::vector<uint32_t>;

Rows moved(const std::vector<std::array<float, 3>>& means, const std::vector<View>& views, double nearer) {
  Gaussians model = at(means);
  return move_rows_out(model, views, nearer);
}

TEST(MovedOutRows, WhatOnePhotoSeesFromAfarAndAnotherCameraStandsBeside) {
  // One looks along z from the origin; one stands at z = 10 and looks the same way, with its back to what lies between.
  const std::vector<View> views{camera_at(0, 0), camera_at(0, 10)};
  const std::vector<std::array<float, 3>> means{{0, 0, 9}, {0, 0, 5}, {0, 0, 12}, {0, 0, -1}, {8, 0, 7.9f}, {2, 0, 9}};
  EXPECT_EQ(moved(means, views, 3), (Rows{0, 5})) << "close to the second; not; both; none; none; close";
  EXPECT_EQ(moved(means, views, 5), (Rows{0}));
}

TEST(MovedOutRows, TheirViewShowsThemAsBefore) {
  const std::vector<View> views{camera_at(0, 0), camera_at(3, 7)};
  Gaussians model = at({{3, 1, 6}});
  model.log_scales = {-1, -2, -3};
  const Gaussians before = model;
  EXPECT_EQ(move_rows_out(model, views, 3), Rows{0});
  const float times = model.means[2] / before.means[2];
  EXPECT_GT(times, 1.2f);
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(model.means[axis], times * before.means[axis], 1e-4) << "along the ray";
    EXPECT_NEAR(std::exp(model.log_scales[axis]), times * std::exp(before.log_scales[axis]), 1e-5);
  }
  const double from_first = std::hypot(model.means[0], model.means[1], model.means[2]);
  const double from_second = std::hypot(model.means[0] - 3, model.means[1], model.means[2] - 7);
  EXPECT_GE(3 * from_second, from_first * 0.9999) << "no longer before the second camera";
  EXPECT_LT(2.2 * from_second, from_first) << "and no farther than that takes";
  EXPECT_EQ(move_rows_out(model, views, 3), Rows{}) << "once is enough";
}

TEST(MovedOutRows, ASecondPhotoVerifies) {
  EXPECT_EQ(moved({{0, 0, 9}}, {camera_at(0, 0), camera_at(0, 10), camera_at(1, 0)}, 3), Rows{});
}

TEST(MovedOutRows, CamerasThatFaceEachOtherBothSee) {
  EXPECT_EQ(moved({{0, 0, 9}, {0, 0, 11}}, {camera_at(0, 0), camera_at(0, 10, true)}, 3), Rows{1});
}

TEST(MovedOutRows, WithoutAnotherCameraNothingIsKnown) {
  EXPECT_EQ(moved({{0, 0, 9}}, {}, 3), Rows{});
  EXPECT_EQ(moved({{0, 0, 9}}, {camera_at(0, 0)}, 3), Rows{});
}

}  // namespace
}  // namespace splat::moved_out_rows_test
