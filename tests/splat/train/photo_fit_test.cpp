#include "splat/train/photo_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/metrics/image_metrics.h"
#include "splat/train/evaluate.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

TrainingFit fit_of(const std::vector<double>& values) {
  TrainingFit fit;
  for (size_t i = 0; i < values.size(); ++i) fit.photos.push_back({int(i), std::to_string(i), values[i], false, {}});
  rank_photos(fit);
  return fit;
}

TEST(PhotoFit, WorstComeFirstAndThoseFarBelowTheMedianAreMarked) {
  const TrainingFit fit = fit_of({30, 31, 20, 32, 29, 31.5});
  EXPECT_EQ(fit.photos.front().name, "2");
  EXPECT_TRUE(fit.photos.front().poor);
  for (size_t i = 1; i < 6; ++i) {
    EXPECT_FALSE(fit.photos[i].poor);
    EXPECT_LE(fit.photos[i - 1].psnr, fit.photos[i].psnr);
  }
  EXPECT_DOUBLE_EQ(fit.median, 30.5);
  EXPECT_NEAR(fit.psnr, (30 + 31 + 20 + 32 + 29 + 31.5) / 6, 1e-12);
}

TEST(PhotoFit, PhotosThatFitAlikeAreNotMarkedForTheLeastDifference) {
  for (const PhotoFit& photo : fit_of({30, 30, 30, 30, 29.5}).photos) EXPECT_FALSE(photo.poor);
  EXPECT_TRUE(fit_of({30, 30, 30, 30, 28.5}).photos.front().poor);
  EXPECT_FALSE(fit_of({20, 36, 28, 25, 33}).photos.front().poor) << "all differ";
  EXPECT_TRUE(fit_of({}).photos.empty());
}

struct Fit : public testing::Test {
  test::TinyDataset tiny = test::make_tiny_dataset();
  std::unique_ptr<Backend> backend = make_reference_backend();

  Fit() { backend->upload(tiny.truth); }
  Result<TrainingFit> measure(size_t most = SIZE_MAX) {
    return measure_fit(*backend, {tiny.dataset, tiny.images, {}, most});
  }
};

TEST_F(Fit, IsTheirPsnrOnEveryPhotoTrainedOnAndOnNoOther) {
  const std::vector<int> training = tiny.dataset.training_views();
  TrainingImage& spoiled = tiny.images.photos[size_t(training[3])];
  for (uint8_t& value : spoiled.rgb) value = uint8_t(value / 3);
  const auto fit = measure();
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->training_photos, training.size());
  EXPECT_EQ(fit->photos.size(), training.size());
  EXPECT_EQ(fit->photos.front().view, training[3]);
  EXPECT_EQ(fit->photos.front().name, tiny.dataset.views[size_t(training[3])].name);
  EXPECT_TRUE(fit->photos.front().poor);
  for (const PhotoFit& photo : fit->photos) EXPECT_FALSE(tiny.dataset.views[size_t(photo.view)].held_out);

  const auto evaluation = evaluate(*backend, {tiny.dataset, tiny.images, training, {}});
  ASSERT_TRUE(evaluation.ok());
  EXPECT_NEAR(fit->psnr, evaluation->psnr, 1e-9);
}

TEST_F(Fit, LooksAtNoMorePhotosThanItMay) {
  const auto fit = measure(3);
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->photos.size(), 3u);
  EXPECT_EQ(fit->training_photos, tiny.dataset.training_views().size());
  EXPECT_EQ(tiny.images.asked.size(), 3u);
  EXPECT_EQ(tiny.images.announced, tiny.images.asked);
  EXPECT_GT(tiny.images.asked.back(), int(tiny.dataset.views.size()) / 2) << "spread over all";
  EXPECT_FALSE(fit->seen.has_value()) << "others may see what these do not";
  tiny.images.broken_view = tiny.images.asked[1];
  EXPECT_FALSE(measure(3).ok());
}

// An exposure is of what the photo shows, not of the background that it was laid over.
TEST(PhotoFit, ThroughAColourLeaveTheBackgroundAsItIs) {
  test::TinyDataset scene;
  DatasetView& view = scene.dataset.views.emplace_back();
  view.name = "empty";
  view.camera = {16, 16, 16, 16, 8, 8};
  TrainingImage& photo =
      scene.images.photos.emplace_back(TrainingImage{16, 16, std::vector<uint8_t>(3 * 256, 255), {}});
  photo.background = {1, 1, 1};
  photo.alpha.assign(256, 0);
  const std::unique_ptr<Backend> backend = make_reference_backend();
  backend->upload(Gaussians());
  const std::vector<PhotoColour> colours{{{{0.5, 0.1}, {0.5, 0.1}, {0.5, 0.1}}}};
  FitRequest request{scene.dataset, scene.images, {}};
  request.render.background = {1, 1, 1};
  request.colours = colours;
  EXPECT_EQ(measure_fit(*backend, request)->photos[0].psnr, 100);
}

// Two cameras at one place, a third that looks the other way.
struct Seen : public testing::Test {
  test::TinyDataset scene;

  Seen() {
    for (int i = 0; i < 3; ++i) {
      DatasetView view;
      view.name = std::to_string(i);
      view.camera = {32, 32, 32, 32, 16, 16};
      if (i == 2) view.cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
      scene.dataset.views.push_back(view);
      scene.images.photos.push_back({32, 32, std::vector<uint8_t>(3 * 32 * 32, 0), {}});
    }
  }
  void add(float x, float z, float scale, float logit_opacity) {
    const size_t i = scene.truth.size();
    scene.truth.resize(i + 1);
    scene.truth.means[3 * i] = x;
    scene.truth.means[3 * i + 2] = z;
    std::fill_n(scene.truth.log_scales.begin() + ptrdiff_t(3 * i), 3, std::log(scale));
    scene.truth.quats[4 * i] = 1;
    scene.truth.logit_opacities[i] = logit_opacity;
  }
  SplatsSeen seen() {
    const std::unique_ptr<Backend> backend = make_reference_backend();
    backend->upload(scene.truth);
    return *measure_fit(*backend, {scene.dataset, scene.images, {}}).value().seen;
  }
};

TEST_F(Seen, CountsSplatsThatOnePhotoSeesAndThoseThatNoneDoes) {
  add(0, 4, 0.2f, 2);   // by two photos
  add(0, -4, 0.2f, 2);  // by the third
  add(90, 4, 0.2f, 2);  // outside of all
  SplatsSeen counted = seen();
  EXPECT_EQ(counted.splats, 3u);
  EXPECT_EQ(counted.by_one, 1u);
  EXPECT_EQ(counted.by_none, 1u);
  for (int i = 0; i < 3; ++i) add(0, -3, 0.5f, 12);  // opaque, and before the one of the third photo
  counted = seen();
  EXPECT_EQ(counted.splats, 6u);
  EXPECT_EQ(counted.by_none, 2u);
  EXPECT_EQ(counted.by_one, 3u) << "the third opaque one shows at the rim";
}

TEST_F(Seen, WhatAMaskHidesIsNotSeen) {
  add(0, 4, 0.2f, 2);
  EXPECT_EQ(seen().by_one, 0u);
  scene.images.photos[1].mask.assign(32 * 32, 0);
  EXPECT_EQ(seen().by_one, 1u);
  scene.images.photos[0].mask.assign(32 * 32, 0);
  EXPECT_EQ(seen().by_none, 1u);
}

}  // namespace
}  // namespace splat
