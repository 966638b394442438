#include "app/memory_plan.h"

#include <gtest/gtest.h>

namespace app {
namespace {

constexpr uint64_t kGigabyte = 1'000'000'000;

TEST(MemoryPlan, SaysHowManySplatsFit) {
  const auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, kGigabyte / 10, 10'000);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->needed_bytes, kBaseBytes + kGigabyte / 10 + 10'000 * kBytesPerSplat);
  const uint64_t held = kBaseBytes + kGigabyte / 10 + plan->splats_that_fit * kBytesPerSplat;
  EXPECT_LE(held, 4 * kGigabyte);
  EXPECT_GT(held, 3 * kGigabyte);
}

TEST(MemoryPlan, PhotosNeverTakeMoreThanHalf) {
  const auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 100 * kGigabyte, 10'000);
  ASSERT_TRUE(plan.ok());
  EXPECT_LE(plan->image_limit_bytes, 2 * kGigabyte);
  EXPECT_GT(plan->splats_that_fit, 10'000u);
}

TEST(MemoryPlan, RefusesWithFiguresAndACure) {
  const auto plan = plan_memory({2 * kGigabyte, kGigabyte / 2}, kBaseBytes, 0, 10'000'000);
  ASSERT_FALSE(plan.ok());
  for (const char* part : {"15 GB", "10 000 000 splats", "500 MB", "--max-splats", "-r 4"})
    EXPECT_NE(plan.error().message.find(part), std::string::npos) << part << " in: " << plan.error().message;
}

}  // namespace
}  // namespace app
