#include "splat/train/growth_limit.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

using Reason = GrowthLimit::Reason;

Dataset with_views(int trained, int held_out) {
  Dataset dataset;
  for (int i = 0; i < trained + held_out; ++i) {
    DatasetView view;
    view.camera = {590, 100, 500, 500, 295, 50};
    view.held_out = i >= trained;
    dataset.views.push_back(view);
  }
  return dataset;
}

TEST(GrowthLimit, PixelValuesOfTheTrainedViewsDetermineTheParameters) {
  EXPECT_EQ(splats_determined_by_pixels(with_views(2, 5), 3), 6000u);  // 2 x 590 x 100 x 3 / 59
  EXPECT_EQ(splats_determined_by_pixels(with_views(2, 5), 0), 2u * 590 * 100 * 3 / 14);
  EXPECT_EQ(splats_determined_by_pixels(with_views(1, 0), 3), 3000u);
}

TEST(GrowthLimit, WhatIsAskedForReplacesItAndMemoryBoundsBoth) {
  const Dataset dataset = with_views(2, 0);
  EXPECT_EQ(growth_limit(0, 0, dataset, 3).splats, 6000u);
  EXPECT_EQ(growth_limit(0, 0, dataset, 3).reason, Reason::kPixels);
  EXPECT_EQ(growth_limit(9000, 0, dataset, 3).splats, 9000u);
  EXPECT_EQ(growth_limit(9000, 0, dataset, 3).reason, Reason::kAsked);
  EXPECT_EQ(growth_limit(9000, 8000, dataset, 3).splats, 8000u);
  EXPECT_EQ(growth_limit(9000, 8000, dataset, 3).reason, Reason::kMemory);
  EXPECT_EQ(growth_limit(0, 8000, dataset, 3).reason, Reason::kPixels);
  EXPECT_EQ(growth_limit(0, 500, dataset, 3).splats, 500u);
}

TEST(GrowthLimit, SaysWhyAndWhatToDo) {
  EXPECT_NE(growth_limit_sentence({6000, Reason::kPixels}, 5999).find("--max-splats N allows more"), std::string::npos);
  EXPECT_NE(growth_limit_sentence({6000, Reason::kPixels}, 5999).find("6000"), std::string::npos);
  EXPECT_NE(growth_limit_sentence({6000, Reason::kMemory}, 5999).find("Memory"), std::string::npos);
  EXPECT_NE(growth_limit_sentence({6000, Reason::kAsked}, 5999).find("5999"), std::string::npos);
}

}  // namespace
}  // namespace splat
