#include "splat/train/terms/poses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_values.h"
#include "tests/support/tiny_run.h"

namespace splat {
namespace {

// Pixels of standard deviation in each of the six directions.
RigidMotion random_motion(test::RandomValues& random, const PinholeCamera& camera, double depth, double px) {
  const PoseScale scale = pose_scale(camera, depth);
  RigidMotion motion;
  for (double& t : motion.translation) t = px * scale.translation * random.normal();
  for (double& w : motion.rotation) w = px * scale.rotation * random.normal();
  return motion;
}

double depth_of(const DatasetView& view) {  // of the origin, about which the tiny scene lies
  return (view.cam_from_world * std::array<double, 3>{0, 0, 0})[2];
}

double distance_px(const DatasetView& view, const Rigid3& pose) {
  return moved_px(view.camera, depth_of(view), motion_between(view.cam_from_world, pose));
}

TEST(PoseFit, PixelsMovedAreThoseOfThePicture) {
  const PinholeCamera camera{60, 48, 50, 50, 30, 24};
  EXPECT_NEAR(moved_px(camera, 4, {{0.08, 0, 0}, {0, 0, 0}}), 1, 1e-9) << "4 / 50 world units are a pixel";
  EXPECT_NEAR(moved_px(camera, 4, {{0, 0, 0}, {0, 0.02, 0}}), 1, 0.2);
  EXPECT_EQ(moved_px(camera, 4, {}), 0);
}

TEST(PoseFit, FindsTheWayBackAndLeavesTheStatisticsAlone) {
  test::TinyDataset tiny = test::make_tiny_dataset({.views = 4, .splats = 150, .width = 60, .height = 48});
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(tiny.truth);
  const Dataset truth = tiny.dataset;
  test::RandomValues random(5);
  double before = 0;
  for (DatasetView& view : tiny.dataset.views) {
    view.cam_from_world = moved(view.cam_from_world, random_motion(random, view.camera, depth_of(view), 1));
    before += distance_px(truth.views[size_t(&view - tiny.dataset.views.data())], view.cam_from_world) / 4;
  }
  EXPECT_GT(before, 1);
  DensifyStatistics old_statistics, statistics;
  backend->read_statistics(old_statistics);
  const std::vector<int> views{0, 1, 2, 3};
  const auto fits = align_poses(*backend, {tiny.dataset, tiny.images, views, {}, 100});
  ASSERT_TRUE(fits.ok());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_LT(distance_px(truth.views[i], (*fits)[i].cam_from_world), 0.25) << i;
    EXPECT_GT((*fits)[i].moved_px, 0.3) << i;
  }
  backend->read_statistics(statistics);
  EXPECT_EQ(statistics.visible_count, old_statistics.visible_count);
  EXPECT_EQ(statistics.mean2d_gradient_norm, old_statistics.mean2d_gradient_norm);
  Gaussians after;
  backend->download(after);
  EXPECT_EQ(after.means, tiny.truth.means);
}

TEST(PoseFit, AViewOfNothingStays) {
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  test::TinyDataset tiny = test::make_tiny_dataset();
  backend->upload(Gaussians{});
  const PoseFit fit = align_pose(*backend, tiny.dataset.views[1].view(), tiny.images.photos[1], {}, {}, 3);
  EXPECT_EQ(fit.moved_px, 0);
  EXPECT_EQ(fit.cam_from_world.rotation, tiny.dataset.views[1].cam_from_world.rotation);
}

// Four cameras side by side that look ahead.
Dataset row_of_cameras() {
  Dataset dataset;
  for (int i = 0; i < 4; ++i) {
    DatasetView& view = dataset.views.emplace_back();
    view.camera = {60, 48, 50, 50, 30, 24};
    view.cam_from_world.translation = {double(i), double(i % 2), 0};
  }
  return dataset;
}

// Each camera as far as `gradients` go takes a step; the last of four ends an epoch.
Poses stepped(const Dataset& dataset, const std::vector<double>& gradients) {
  Poses poses(PoseMode::kOn, dataset);
  EXPECT_TRUE(poses.decide({}));
  for (int i = 0; i < int(gradients.size()); ++i) {
    poses.set_depth(i, 5);
    poses.step(i, {{gradients[size_t(i)], 0, 0}, {0, 0, 0}}, 4001 + i, 10000);
  }
  return poses;
}

TEST(Poses, WhatAllCamerasHaveInCommonIsTakenOut) {
  const Dataset dataset = row_of_cameras();
  const double step = stepped(dataset, {1, 1, 1}).moved_px(0);
  EXPECT_GT(step, 1e-3);
  const Poses common = stepped(dataset, {1, 1, 1, 1});
  for (int i = 0; i < 4; ++i) EXPECT_LT(common.moved_px(i), 0.02 * step) << i;
  const Poses apart = stepped(dataset, {1, -1, -1, 1});
  for (int i = 0; i < 4; ++i) EXPECT_GT(apart.moved_px(i), 0.5 * step) << i;
}

TEST(Poses, APhotoWithoutADepthEndsAnEpochAsWell) {
  const Dataset dataset = row_of_cameras();
  Poses poses(PoseMode::kOn, dataset);
  EXPECT_TRUE(poses.decide({}));
  for (int i = 0; i < 4; ++i) {
    if (i < 3) poses.set_depth(i, 5);
    poses.step(i, {{1, 0, 0}, {0, 0, 0}}, 4001 + i, 10000);
  }
  EXPECT_LT(poses.moved_px(0), 0.5 * stepped(dataset, {1, 1, 1}).moved_px(0)) << "what the three had in common is out";
}

TEST(Poses, AreMovedFromAFifthToFourFifthsOfTheRun) {
  const Dataset dataset = row_of_cameras();
  Poses poses(PoseMode::kOn, dataset);
  EXPECT_FALSE(poses.due(200, 1000));
  EXPECT_TRUE(poses.due(201, 1000));
  EXPECT_FALSE(poses.moves(201, 1000));
  EXPECT_TRUE(poses.first_views(1000).empty()) << "nothing is left to decide";
  poses.decide({});
  EXPECT_FALSE(poses.due(202, 1000));
  EXPECT_TRUE(poses.moves(800, 1000));
  EXPECT_FALSE(poses.moves(801, 1000));
  EXPECT_FALSE(Poses(PoseMode::kOff, dataset).due(900, 1000));
}

// The poses of the photos trained on are disturbed; the held-out ones are exact.
struct PoseRun : test::TinyRun {
  Dataset truth = tiny.dataset;

  explicit PoseRun(PoseMode mode, double px, int threads = 1)
      : TinyRun({.views = 15, .splats = 150, .width = 60, .height = 48}) {
    test::RandomValues random(9);
    for (DatasetView& view : tiny.dataset.views)
      if (!view.held_out)
        view.cam_from_world = moved(view.cam_from_world, random_motion(random, view.camera, depth_of(view), px));
    config.iterations = 600;
    config.poses = mode;
    make_trainer(threads);
  }
  double error_px() const {
    double sum = 0;
    const std::vector<int> views = truth.training_views();
    for (int view : views)
      sum += distance_px(truth.views[size_t(view)], trainer->poses().cam_from_world(view)) / double(views.size());
    return sum;
  }
};

PoseRun pose_run(PoseMode mode, double px, int threads = 1) {
  PoseRun run(mode, px, threads);
  EXPECT_TRUE(run.trainer->initialise().ok());
  run.train(run.config.iterations);
  return run;
}

TEST(TrainedPoses, ReturnToWhereThePhotosWereTaken) {
  PoseRun with = pose_run(PoseMode::kAuto, 1), without = pose_run(PoseMode::kOff, 1);
  EXPECT_TRUE(with.trainer->poses().active()) << with.trainer->poses().median_px();
  EXPECT_FALSE(without.trainer->poses().decided());
  EXPECT_LT(with.error_px(), 0.5 * without.error_px());
  const Evaluation a = *with.trainer->evaluate({}, Metrics::kAll), b = *without.trainer->evaluate({}, Metrics::kAll);
  EXPECT_GT(a.psnr, b.psnr + 0.5);
  ASSERT_TRUE(a.psnr_aligned);
  EXPECT_GT(*a.psnr_aligned, a.psnr - 0.05);
  EXPECT_FALSE(b.psnr_aligned);
  EXPECT_GT(with.trainer->measure_fit(100)->psnr, without.trainer->measure_fit(100)->psnr + 0.5);
}

TEST(TrainedPoses, WhereTheyAreRightTheRunIsTheSameToTheByte) {
  PoseRun with = pose_run(PoseMode::kAuto, 0), without = pose_run(PoseMode::kOff, 0);
  EXPECT_TRUE(with.trainer->poses().decided());
  EXPECT_FALSE(with.trainer->poses().active()) << with.trainer->poses().median_px();
  const Gaussians a = with.trainer->model(), b = without.trainer->model();
  EXPECT_TRUE(a.means == b.means && a.sh == b.sh && a.logit_opacities == b.logit_opacities);
}

TEST(TrainedPoses, SameBytesOnAnyNumberOfThreadsAndWhenResumed) {
  const Archive whole = pose_run(PoseMode::kOn, 1).state();
  EXPECT_TRUE(pose_run(PoseMode::kOn, 1, 3).state().blobs == whole.blobs);
  for (const int stop : {120, 121, 300, 500}) {
    SCOPED_TRACE(stop);
    PoseRun first(PoseMode::kOn, 1), second(PoseMode::kOn, 1);
    ASSERT_TRUE(first.trainer->initialise().ok());
    first.train(stop);
    ASSERT_TRUE(second.trainer->load_state(first.state()).ok());
    second.train(second.config.iterations);
    EXPECT_TRUE(second.state().blobs == whole.blobs);
  }
  Archive older = whole;
  for (const char* entry : {"decided", "active", "median_px", "photos"})
    older.blobs.erase(std::string("poses/") + entry);
  PoseRun from_before(PoseMode::kAuto, 1);
  ASSERT_TRUE(from_before.trainer->load_state(older).ok());
  EXPECT_FALSE(from_before.trainer->poses().active());
  EXPECT_FALSE(from_before.trainer->poses().due(500, 600)) << "it goes on as it began";
  Archive damaged = whole;
  damaged.blobs["poses/photos"].resize(8);
  EXPECT_FALSE(PoseRun(PoseMode::kOn, 1).trainer->load_state(damaged).ok());
}

}  // namespace
}  // namespace splat
