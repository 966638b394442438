#include "splat/model/splat_histograms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace splat {
namespace {

Gaussians model_of(const std::vector<float>& opacities, const std::vector<float>& sizes) {
  Gaussians model;
  model.resize(opacities.size());
  for (size_t i = 0; i < opacities.size(); ++i) {
    model.logit_opacities[i] = std::log(opacities[i] / (1 - opacities[i]));
    for (size_t axis = 0; axis < 3; ++axis)
      model.log_scales[3 * i + axis] = std::log(sizes[i]) - float(axis);  // the first axis is the longest
  }
  return model;
}

size_t all_of(const Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), size_t(0));
}

TEST(SplatHistograms, OpacitiesGoToTenBins) {
  Gaussians model = model_of({0.05f, 0.15f, 0.151f, 0.95f, 0.5f}, {1, 1, 1, 1, 1});
  model.logit_opacities[4] = std::numeric_limits<float>::quiet_NaN();
  model.resize(6);
  model.logit_opacities[5] = std::numeric_limits<float>::infinity();
  ThreadPool pool(2);
  const Histogram histogram = opacity_histogram(model, pool);
  ASSERT_EQ(histogram.counts.size(), 10u);
  ASSERT_EQ(histogram.edges.size(), 11u);
  EXPECT_EQ(histogram.counts[0], 1u);
  EXPECT_EQ(histogram.counts[1], 2u);
  EXPECT_EQ(histogram.counts[9], 2u) << "0.95, and the opaque one";
  EXPECT_EQ(all_of(histogram), 5u) << "what is not a number is not counted";
}

TEST(SplatHistograms, SizesAreOfTheLongestAxisInHalfDecades) {
  ThreadPool pool(2);
  const Histogram histogram = size_histogram(model_of({0.5f, 0.5f, 0.5f, 0.5f}, {0.02f, 0.025f, 0.2f, 0.5f}), pool);
  ASSERT_EQ(histogram.edges.size(), histogram.counts.size() + 1);
  EXPECT_NEAR(histogram.edges.front(), 0.01, 1e-9);
  for (size_t i = 1; i < histogram.edges.size(); ++i)
    EXPECT_NEAR(histogram.edges[i] / histogram.edges[i - 1], std::sqrt(10.0), 1e-6);
  EXPECT_EQ(histogram.counts[0], 2u);
  EXPECT_EQ(all_of(histogram), 4u);
  EXPECT_TRUE(size_histogram({}, pool).counts.empty());
}

}  // namespace
}  // namespace splat
