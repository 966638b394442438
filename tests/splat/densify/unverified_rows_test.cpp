#include "splat/densify/unverified_rows.h"

#include <gtest/gtest.h>

namespace splat::unverified_rows_test {
namespace {

// 100 px, 90 degrees wide, at x = `x`, looking along +z or, turned about y, along -z.
View camera_at(float x, float z, bool turned = false) {
  View view;
  view.camera = {100, 100, 50, 50, 50, 50};
  if (turned) view.cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  view.cam_from_world.translation = {turned ? x : -x, 0, turned ? z : -z};
  return view;
}

Gaussians at(const std::vector<std::array<float, 3>>& means) {
  Gaussians model;
  model.sh_degree = 0;
  model.resize(means.size());
  for (size_t i = 0; i < means.size(); ++i) std::copy_n(means[i].begin(), 3, &model.means[3 * i]);
  return model;
}

using Rows = std::vector<uint8_t>;

TEST(UnverifiedRows, WhatOnePhotoSeesFromAfarAndAnotherCameraStandsBeside) {
  // One looks along z from the origin; one stands at z = 10 and looks the same way, with its back to what lies between.
  const std::vector<View> views{camera_at(0, 0), camera_at(0, 10)};
  const Gaussians model = at({{0, 0, 9}, {0, 0, 5}, {0, 0, 12}, {0, 0, -1}, {8, 0, 7.9f}, {8, 0, 8.1f}});
  EXPECT_EQ(unverified_rows(model, views, 3), (Rows{1, 0, 0, 1, 1, 0}))
      << "close to the second; not; both; none; none; one";
  EXPECT_EQ(unverified_rows(model, views, 10), (Rows{0, 0, 0, 1, 1, 0}));
}

TEST(UnverifiedRows, ASecondPhotoVerifies) {
  const std::vector<View> views{camera_at(0, 0), camera_at(0, 10), camera_at(1, 0)};
  EXPECT_EQ(unverified_rows(at({{0, 0, 9}}), views, 3), Rows{0});
}

TEST(UnverifiedRows, CamerasThatFaceEachOtherBothSee) {
  const std::vector<View> views{camera_at(0, 0), camera_at(0, 10, true)};
  EXPECT_EQ(unverified_rows(at({{0, 0, 9}, {0, 0, 11}}), views, 3), (Rows{0, 1}));
}

TEST(UnverifiedRows, WithoutViewsNothingIsKnown) { EXPECT_EQ(unverified_rows(at({{0, 0, 9}}), {}, 3), Rows{0}); }

}  // namespace
}  // namespace splat::unverified_rows_test
