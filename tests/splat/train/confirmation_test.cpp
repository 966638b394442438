#include "splat/train/confirmation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "splat/backend/reference/reference_backend.h"
#include "splat/train/evaluate.h"
#include "splat/train/photo_fit.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

struct Confirmed : public testing::Test {
  test::TinyDataset tiny = test::make_tiny_dataset();
  std::unique_ptr<Backend> backend = make_reference_backend();
  int held_out = tiny.dataset.held_out_views().front();
  View view = tiny.dataset.views[size_t(held_out)].view();
  std::vector<float> depth;

  Confirmed() {
    backend->upload(tiny.truth);
    backend->forward(view, {});
    backend->read_depth(DepthKind::kMedian, depth);
  }
  TrainingImage& photo() { return tiny.images.photos[size_t(held_out)]; }
  Confirmation confirmation() {
    return std::move(Confirmation::of_held_out(*backend, tiny.dataset, tiny.images, {}).value());
  }
  // Of the first held-out view, by photos from its own place that have these depths.
  ViewConfirmation by_photos(int photos, const std::vector<float>& depths) {
    Confirmation found = confirmation();
    for (int i = 0; i < photos; ++i) found.add(view, photo(), depths);
    return found.views().front();
  }
  double endless_share() const { return double(std::count(depth.begin(), depth.end(), 0.f)) / double(depth.size()); }
};

TEST_F(Confirmed, ByPhotosThatHaveTheSameThereAndNoOthers) {
  ASSERT_GT(endless_share(), 0.1);
  ASSERT_LT(endless_share(), 0.9);
  const ViewConfirmation none = by_photos(0, depth), one = by_photos(1, depth), three = by_photos(3, depth);
  EXPECT_EQ(none.view, held_out);
  EXPECT_EQ(none.name, tiny.dataset.views[size_t(held_out)].name);
  EXPECT_EQ(none.by_none, 1);
  EXPECT_EQ(none.by_one, 0);
  EXPECT_FALSE(none.psnr.has_value());
  EXPECT_EQ(one.by_none, 0);
  EXPECT_EQ(one.by_one, 1);
  EXPECT_EQ(three.by_none, 0);
  EXPECT_EQ(three.by_one, 0);
}

TEST_F(Confirmed, PsnrOfAllIsThatOfTheView) {
  for (uint8_t& value : photo().rgb) value = uint8_t(value / 2);
  const Evaluation evaluation = evaluate(*backend, {tiny.dataset, tiny.images, std::span(&held_out, 1), {}}).value();
  EXPECT_LT(evaluation.psnr, 40);
  EXPECT_NEAR(by_photos(2, depth).psnr.value(), evaluation.psnr, 1e-9);
}

TEST_F(Confirmed, OtherDepthsDoNotConfirm) {
  std::vector<float> nearer = depth, about = depth;
  for (float& value : nearer) value *= 0.9f;
  for (float& value : about) value *= 0.97f;
  EXPECT_EQ(by_photos(2, about).by_none, 0);
  EXPECT_GT(by_photos(2, nearer).by_none, 0.8 * (1 - endless_share())) << "something stands before it there";
  std::vector<float> filled = depth;
  std::replace(filled.begin(), filled.end(), 0.f, 3.f);
  EXPECT_NEAR(by_photos(2, filled).by_none, endless_share(), 0.15) << "nothing is drawn, where photos have something";
}

TEST_F(Confirmed, NeitherDoPhotosThatLookElsewhereOrAreMaskedThere) {
  Confirmation away = confirmation();
  View back = view;
  for (size_t i : {0, 1, 2, 6, 7, 8}) back.cam_from_world.rotation[i] *= -1;  // half a turn about its own vertical
  back.cam_from_world.translation[0] *= -1;
  back.cam_from_world.translation[2] *= -1;
  away.add(back, photo(), depth);
  EXPECT_EQ(away.views().front().by_none, 1);

  Confirmation half = confirmation();
  TrainingImage masked = photo();
  masked.mask.assign(depth.size(), 255);
  for (size_t pixel = 0; pixel < masked.mask.size(); ++pixel)
    if (pixel % size_t(masked.width) < size_t(masked.width) / 2) masked.mask[pixel] = 0;
  half.add(view, masked, depth);
  EXPECT_NEAR(half.views().front().by_none, 0.5, 1e-9);
  EXPECT_NEAR(half.views().front().by_one, 0.5, 1e-9);
}

TEST_F(Confirmed, WhatTheHeldOutPhotoMasksDoesNotCount) {
  photo().mask.assign(depth.size(), 0);
  photo().mask[0] = 255;
  photo().rgb.assign(photo().rgb.size(), 255);
  const ViewConfirmation found = by_photos(2, depth);
  EXPECT_EQ(found.by_none, 0);
  const Evaluation evaluation = evaluate(*backend, {tiny.dataset, tiny.images, std::span(&held_out, 1), {}}).value();
  EXPECT_NEAR(found.psnr.value(), evaluation.psnr, 1e-9);
}

TEST_F(Confirmed, IsMeasuredWithThePhotosTrainedOnWhereAllOfThemAreDrawn) {
  const size_t held = tiny.dataset.held_out_views().size();
  const TrainingFit fit = measure_fit(*backend, {tiny.dataset, tiny.images, {}}).value();
  ASSERT_EQ(fit.held_out.size(), held);
  for (const ViewConfirmation& one : fit.held_out) {
    EXPECT_LT(one.by_none + one.by_one, 0.9) << "a ring of cameras around what they show";
    EXPECT_TRUE(one.psnr.has_value());
  }
  EXPECT_TRUE(measure_fit(*backend, {tiny.dataset, tiny.images, {}, 3}).value().held_out.empty());
  for (DatasetView& one : tiny.dataset.views) one.held_out = false;
  EXPECT_TRUE(measure_fit(*backend, {tiny.dataset, tiny.images, {}}).value().held_out.empty());
}

TEST(MeanConfirmation, LeavesOutViewsWithoutAFigure) {
  const std::vector<ViewConfirmation> views{{0, "a", 0.5, 0.25, 20.0}, {1, "b", 1, 0, {}}, {2, "c", 0, 0.125, 30.0}};
  const ViewConfirmation mean = mean_confirmation(views);
  EXPECT_DOUBLE_EQ(mean.by_none, 0.5);
  EXPECT_DOUBLE_EQ(mean.by_one, 0.125);
  EXPECT_DOUBLE_EQ(mean.psnr.value(), 25);
}

}  // namespace
}  // namespace splat
