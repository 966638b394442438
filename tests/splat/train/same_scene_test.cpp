#include "splat/train/same_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "splat/backend/reference/reference_backend.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

struct SameScene : public testing::Test {
  test::TinyDataset tiny = test::make_tiny_dataset();
  std::unique_ptr<Backend> backend = make_reference_backend();
  std::vector<int> views = tiny.dataset.training_views();

  SceneMatch match(const Gaussians& model) {
    backend->upload(model);
    const auto found = match_scene(*backend, {tiny.dataset, tiny.images, views, {}});
    EXPECT_TRUE(found.ok());
    return *found;
  }
};

TEST_F(SameScene, PhotosOfTheSplatsShowThemInWholeAndInPartAndAtAnyExposure) {
  const SceneMatch whole = match(tiny.truth);
  EXPECT_TRUE(whole.same());
  EXPECT_EQ(whole.photos, kPhotosCompared);
  EXPECT_GT(whole.explained, 0.99);
  Gaussians part = tiny.truth;
  for (size_t i = 0; i < part.size(); ++i)
    if (part.means[3 * i] > 0) part.logit_opacities[i] = -20;
  EXPECT_TRUE(match(part).same());
  EXPECT_LT(match(part).covered, whole.covered);
  for (TrainingImage& photo : tiny.images.photos)
    for (uint8_t& value : photo.rgb) value = uint8_t(20 + value / 4);
  EXPECT_TRUE(match(tiny.truth).same());
  EXPECT_LT(match(tiny.truth).psnr, 20);
}

TEST_F(SameScene, OtherSplatsAndThoseThatNoCameraSeesAreNotShown) {
  for (const uint64_t seed : {2, 3, 4}) {
    const SceneMatch other = match(test::make_tiny_dataset({.seed = seed}).truth);
    EXPECT_FALSE(other.same()) << other.explained;
    EXPECT_GT(other.covered, 0.02);
  }
  Gaussians far = tiny.truth;
  for (size_t i = 0; i < far.size(); ++i) far.means[3 * i + 1] += 100;
  EXPECT_FALSE(match(far).same());
  backend->upload(far);
  const Status refused = check_same_scene(*backend, {tiny.dataset, tiny.images, views, {}}, "nothing was made");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("no camera looks at them; nothing was made"), std::string::npos);
}

TEST_F(SameScene, WhatCannotBeToldIsNotRefused) {
  Gaussians plain = test::make_tiny_dataset({.seed = 2}).truth;
  std::fill(plain.sh.begin(), plain.sh.end(), 0.0f);
  for (float& logit : plain.logit_opacities) logit = 20;
  for (float& scale : plain.log_scales) scale = 1;  // nothing shines through
  EXPECT_TRUE(match(plain).same()) << "a shape without colours";
  views.clear();
  EXPECT_TRUE(match(plain).same());
}

}  // namespace
}  // namespace splat
