#include "splat/model/thinned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/bench/bench_scene.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/resized_camera.h"

namespace splat {
namespace {

bench::Scene scene() { return bench::make_scene({60'000, 256, 160}); }

double faces_of(const Gaussians& model, size_t row) {
  const float* s = &model.log_scales[3 * row];
  return std::exp(double(s[0]) + s[1]) + std::exp(double(s[1]) + s[2]) + std::exp(double(s[2]) + s[0]);
}

double weight_of(const Gaussians& model, size_t row) {
  return faces_of(model, row) / (1 + std::exp(-double(model.logit_opacities[row])));
}

ImageF drawn(const Gaussians& model, const View& view) {
  auto made = make_cpu_backend({2});
  SPLAT_CHECK(made.ok());
  (*made)->upload(model);
  (*made)->forward({resized(view.camera, view.camera.width / 4, view.camera.height / 4), view.cam_from_world}, {});
  ImageF image;
  (*made)->read_image(image);
  return image;
}

double difference(const ImageF& a, const ImageF& b) {  // root of the mean square
  double sum = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) sum += std::pow(double(a.rgb[i]) - b.rgb[i], 2);
  return std::sqrt(sum / double(a.rgb.size()));
}

TEST(Thinned, KeepsAboutAsManyAsAskedForAndWhatTheyAddUpTo) {
  const Gaussians model = scene().model;
  ThreadPool pool(3);
  double all = 0;
  for (size_t row = 0; row < model.size(); ++row) all += weight_of(model, row);
  for (const size_t count : {size_t(30'000), size_t(5'000), size_t(500)}) {
    const Thinned kept = thinned(model, count, pool);
    EXPECT_NEAR(double(kept.rows.size()), double(count), 0.1 * double(count));
    ASSERT_EQ(kept.model.size(), kept.rows.size());
    EXPECT_TRUE(std::is_sorted(kept.rows.begin(), kept.rows.end()));
    EXPECT_EQ(std::adjacent_find(kept.rows.begin(), kept.rows.end()), kept.rows.end());
    double sum = 0;
    for (size_t row = 0; row < kept.model.size(); ++row) sum += weight_of(kept.model, row);
    EXPECT_NEAR(sum, all, 0.05 * all) << count;
  }
}

TEST(Thinned, WhatWeighsMostStaysAsItIs) {
  Gaussians model = scene().model;
  for (size_t i = 0; i < 20; ++i) {
    const size_t row = 1000 * i + 7;
    for (size_t axis = 0; axis < 3; ++axis) model.log_scales[3 * row + axis] += 4;
    model.logit_opacities[row] = 3;
  }
  ThreadPool pool(2);
  const Thinned kept = thinned(model, 3000, pool);
  for (size_t i = 0; i < 20; ++i) {
    const auto at = std::find(kept.rows.begin(), kept.rows.end(), uint32_t(1000 * i + 7));
    ASSERT_NE(at, kept.rows.end()) << i;
    const auto row = uint32_t(at - kept.rows.begin());
    EXPECT_EQ(gather_rows(kept.model, std::vector{row}).log_scales, gather_rows(model, std::vector{*at}).log_scales);
  }
}

TEST(Thinned, LooksMoreLikeAllOfThemThanAPartAsItIsDoes) {
  bench::Scene made = scene();
  const size_t width = 3 * size_t(made.model.coefficients());
  for (size_t i = 0; i < made.model.sh.size(); ++i)  // of one colour nearby, as surfaces are
    made.model.sh[i] = i % width < 3 ? 1.5f * std::sin(2 * made.model.means[3 * (i / width) + i % width]) : 0.0f;
  ThreadPool pool(2);
  const Thinned kept = thinned(made.model, 6000, pool);
  std::vector<uint32_t> every_tenth;
  for (uint32_t row = 0; row < made.model.size(); row += 10) every_tenth.push_back(row);
  const ImageF all = drawn(made.model, made.view);
  const double ours = difference(drawn(kept.model, made.view), all),
               theirs = difference(drawn(gather_rows(made.model, every_tenth), made.view), all);
  EXPECT_LT(ours, 0.5 * theirs);
  EXPECT_LT(ours, 0.1);
}

TEST(Thinned, AnyNumberOfThreadsKeepsTheSame) {
  const Gaussians model = scene().model;
  ThreadPool one(1), three(3);
  const Thinned a = thinned(model, 7000, one), b = thinned(model, 7000, three);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.model.log_scales, b.model.log_scales);
}

TEST(Thinned, FewAreAllKeptAndWhatCannotBeDrawnIsNot) {
  Gaussians model = scene().model;
  ThreadPool pool(2);
  EXPECT_EQ(thinned(model, model.size(), pool).model.log_scales, model.log_scales);
  EXPECT_EQ(thinned({}, 10, pool).rows.size(), 0u);
  model.log_scales[3] = std::numeric_limits<float>::infinity();
  model.logit_opacities[2] = std::numeric_limits<float>::quiet_NaN();
  const Thinned kept = thinned(model, model.size() - 1, pool);
  EXPECT_EQ(std::count(kept.rows.begin(), kept.rows.end(), 1u), 0);
  EXPECT_EQ(std::count(kept.rows.begin(), kept.rows.end(), 2u), 0);
}

}  // namespace
}  // namespace splat
