#include "app/jobs/memory_plan.h"

#include <gtest/gtest.h>

namespace app {
namespace {

constexpr uint64_t kGigabyte = 1'000'000'000;

TEST(MemoryPlan, PlanesTakeMoreWhereTheyAreBlended) {
  splat::Dataset dataset;
  dataset.views.resize(1);
  dataset.views[0].camera.width = 1000, dataset.views[0].camera.height = 500;
  splat::TrainConfig config;
  EXPECT_EQ(plane_bytes(config, dataset).per_splat, 0u);
  EXPECT_EQ(base_bytes(dataset, plane_bytes(config, dataset)), base_bytes(dataset));
  config.surface = true;
  const PlaneBytes surface = plane_bytes(config, dataset);
  EXPECT_GT(surface.per_splat, 0u);
  EXPECT_GT(surface.device_per_splat, 0u);
  EXPECT_EQ(base_bytes(dataset, surface), base_bytes(dataset) + 500'000 * surface.per_pixel);
  dataset.views[0].depth_path = "depths/a.png";
  EXPECT_GT(plane_bytes(config, dataset).per_pixel, surface.per_pixel);
  config.surface = false;
  EXPECT_GT(plane_bytes(config, dataset).per_splat, 0u) << "with depth maps alone, too";
}

TEST(MemoryPlan, SaysHowManySplatsFit) {
  const auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, kGigabyte / 10, 10'000);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->needed_bytes, kBaseBytes + kGigabyte / 10 + 10'000 * kBytesPerSplat);
  const uint64_t held = kBaseBytes + kGigabyte / 10 + plan->splats_that_fit * kBytesPerSplat;
  EXPECT_LE(held, 4 * kGigabyte);
  EXPECT_GT(held, 3 * kGigabyte);
}

TEST(MemoryPlan, TheStartNeedsLessThanGrowth) {
  const auto plan =
      plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 0, 1'000'000, kBytesPerSplat, kBytesPerSplatAtStart);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->needed_bytes, kBaseBytes + 1'000'000 * kBytesPerSplatAtStart);
  EXPECT_LE(kBaseBytes + plan->splats_that_fit * kBytesPerSplat, 4 * kGigabyte);
}

TEST(MemoryPlan, MatchingIsOverBeforeThereAreSplats) {
  auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, kGigabyte / 10, 10'000);
  ASSERT_TRUE(plan.ok());
  const uint64_t needed = plan->needed_bytes, late = plan->peak_bytes(1'000'000, true);
  plan->add_matching(1000);
  EXPECT_EQ(plan->needed_bytes, needed);
  plan->add_matching(100'000'000);
  EXPECT_EQ(plan->needed_bytes, kBaseBytes + kGigabyte / 10 + 100'000'000);
  EXPECT_EQ(plan->peak_bytes(10'000, true), plan->needed_bytes);
  EXPECT_EQ(plan->peak_bytes(1'000'000, true), late) << "by then it is given back";
}

TEST(MemoryPlan, FewSplatsAreLargeAndManyAreSmall) {
  auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 0, 10'000);
  ASSERT_TRUE(plan.ok());
  const uint64_t few = plan->peak_bytes(10'000, true), many = plan->peak_bytes(1'000'000, true);
  plan->add_lists(100'000, 10'000);
  EXPECT_EQ(plan->peak_bytes(10'000, true), few + 10'000 * kListBytesPerSplat);
  EXPECT_EQ(plan->peak_bytes(1'000'000, true), many + 100'000 * kListBytesPerPixel);
  EXPECT_EQ(plan->needed_bytes, few + 10'000 * kListBytesPerSplat);
}

// A run in the window: beside a scene that is open, and with pictures drawn larger than its photos.
TEST(MemoryPlan, WhatElseIsHeldAndDrawnIsAddedToIt) {
  auto plan = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 0, 10'000);
  ASSERT_TRUE(plan.ok());
  plan->add_lists(100'000, 10'000);
  const uint64_t few = plan->peak_bytes(10'000, true), many = plan->peak_bytes(1'000'000, true);
  plan->add_held(kBaseBytes / 2);
  EXPECT_EQ(plan->peak_bytes(10'000, true), few) << "no more than the program by itself";
  plan->add_held(kBaseBytes + 150'000'000);
  EXPECT_EQ(plan->peak_bytes(10'000, true), few + 150'000'000);
  plan->add_pixels(300'000);
  EXPECT_EQ(plan->peak_bytes(1'000'000, true), many + 150'000'000 + 300'000 * kBytesPerDrawnPixel);
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
  const std::string needed = human_bytes(kBaseBytes + 10'000'000 * kBytesPerSplat);
  for (const std::string part : {needed.c_str(), "10 000 000 splats", "500 MB", "--max-splats", "-r 4"})
    EXPECT_NE(plan.error().message.find(part), std::string::npos) << part << " in: " << plan.error().message;
}

TEST(MemoryPlan, ACureIsOneThatWorks) {
  const auto cure = [](uint64_t available, const StartingSplats& starting) {
    const auto plan = plan_memory({8 * kGigabyte, available}, kBaseBytes, 0, starting);
    return plan ? std::string() : plan.error().message;
  };
  const uint64_t few = (kBaseBytes + 500 * kBytesPerSplat) * 10 / 9 + 1000;
  EXPECT_NE(cure(few, 10'000).find("(--max-splats 450)"), std::string::npos) << cure(few, 10'000);
  EXPECT_EQ(cure(few, 450), "");
  EXPECT_EQ(cure(kBaseBytes, 10'000).find("--max-splats"), std::string::npos) << "not even one splat fits";
  EXPECT_NE(
      cure(few, {10'000, 0, "hipsplat convert 'a.ply' -o FILE.ply --max-splats"}).find("hipsplat convert 'a.ply'"),
      std::string::npos);
  EXPECT_EQ(cure(few, {10'000, 0, ""}).find("fewer"), std::string::npos) << "a checkpoint has as many as it has";
}

TEST(MemoryPlan, WhatIsHeldAlreadyIsNotNeededAgain) {
  const uint64_t need = kBaseBytes + 100'000 * kBytesPerSplat, available = need;  // nine tenths of it are usable
  EXPECT_FALSE(plan_memory({8 * kGigabyte, available}, kBaseBytes, 0, 100'000).ok());
  EXPECT_TRUE(plan_memory({8 * kGigabyte, available}, kBaseBytes, 0, {100'000, 100'000 * 236}).ok());
}

// What is refused needs more than may be used, by the figures that are shown: changing the number of splats counts.
TEST(MemoryPlan, TheFiguresOfARefusalExplainIt) {
  const uint64_t splats = 1'000'000, start = kBaseBytes + splats * kBytesPerSplatAtStart;
  const uint64_t available = start + start / 5;
  const auto plan =
      plan_memory({8 * kGigabyte, available}, kBaseBytes, 0, splats, kBytesPerSplat, kBytesPerSplatAtStart);
  ASSERT_FALSE(plan.ok());
  const std::string needed = human_bytes(kBaseBytes + splats * kBytesPerSplat);
  EXPECT_NE(plan.error().message.find("would need " + needed), std::string::npos) << plan.error().message;
  EXPECT_GT(kBaseBytes + splats * kBytesPerSplat, uint64_t(double(available) * 0.9));
}

splat::Dataset photos_of(int count, int width, int height) {
  splat::Dataset dataset;
  dataset.views.resize(size_t(count));
  for (splat::DatasetView& view : dataset.views) view.camera.width = width, view.camera.height = height;
  return dataset;
}

splat::BackendInfo gpu(uint64_t total, uint64_t free) {
  splat::BackendInfo info;
  info.name = "hip";
  info.device_total_bytes = total, info.device_free_bytes = free;
  info.device_bytes_per_splat = 1000, info.device_bytes_per_pixel = 70;
  return info;
}

TEST(DeviceMemory, SplatsFillWhatPhotosLeave) {
  const splat::Dataset dataset = photos_of(100, 1600, 1000);
  const uint64_t photo_bytes = 100 * 3 * 1'600'000;
  const auto fit = splats_on_device(gpu(8 * kGigabyte, 7 * kGigabyte), dataset, photo_bytes, 10'000);
  ASSERT_TRUE(fit.ok());
  const uint64_t held = kDeviceBaseBytes + 70 * 1'600'000 + photo_bytes + *fit * 1000;
  EXPECT_LE(held, 7 * kGigabyte * 9 / 10);
  EXPECT_GT(held, 7 * kGigabyte * 9 / 10 - 2000);
  const auto with_many = splats_on_device(gpu(8 * kGigabyte, 7 * kGigabyte), dataset, 1000 * kGigabyte, 10'000);
  ASSERT_TRUE(with_many.ok());
  EXPECT_GT(*with_many, *fit / 2) << "photos never take more than a quarter";
}

TEST(DeviceMemory, PhotosGiveWayToTheStartingSplats) {
  const splat::Dataset dataset = photos_of(10, 1000, 1000);
  const auto fit = splats_on_device(gpu(kGigabyte, kGigabyte), dataset, kGigabyte, 700'000);
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(*fit, 700'000u);
  const auto refused = splats_on_device(gpu(kGigabyte, kGigabyte), dataset, kGigabyte, 800'000);
  ASSERT_FALSE(refused.ok());
  for (const char* part : {"GPU's memory", "800 000 splats", "1.0 GB", "--max-splats", "-r 4", "--backend cpu"})
    EXPECT_NE(refused.error().message.find(part), std::string::npos) << part << " in: " << refused.error().message;
}

TEST(DeviceMemory, PackedMomentsSpareTheirBytesWhereTheyAre) {
  const splat::Dataset dataset;
  splat::TrainConfig config;
  const auto plan = [&](const splat::BackendInfo& device) {
    return plan_run_memory(config, dataset, device, 10, 0).value();
  };
  const RunMemory cpu = plan({}), on_gpu = plan(gpu(kGigabyte, kGigabyte));
  config.bfloat16_moments = 1;
  const RunMemory packed = plan({}), packed_on_gpu = plan(gpu(kGigabyte, kGigabyte));
  EXPECT_EQ(packed.host.bytes_per_splat, cpu.host.bytes_per_splat - 236);
  EXPECT_EQ(packed.host.bytes_at_start, cpu.host.bytes_at_start - 236);
  EXPECT_EQ(packed_on_gpu.host.bytes_per_splat, on_gpu.host.bytes_per_splat) << "they are not in the host";
  EXPECT_NEAR(double(packed_on_gpu.splats_on_device) * (1000 - 236), double(on_gpu.splats_on_device) * 1000, 2000);
}

TEST(DeviceMemory, WithoutMemoryOfItsOwnTheHostsIsCounted) {
  const splat::Dataset dataset = photos_of(10, 1000, 1000);
  EXPECT_EQ(*splats_on_device(gpu(0, 0), dataset, kGigabyte, 800'000), UINT64_MAX);
  EXPECT_EQ(bytes_per_splat_in_host(gpu(0, 0)), 2000u);
  EXPECT_EQ(bytes_per_splat_in_host(gpu(kGigabyte, kGigabyte)), 0u);
  EXPECT_EQ(bytes_per_splat_in_host({}), 0u);
  const auto cpu = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 0, 1000);
  const auto integrated = plan_memory({8 * kGigabyte, 4 * kGigabyte}, kBaseBytes, 0, 1000, kBytesPerSplat + 2000);
  EXPECT_LT(integrated->splats_that_fit, cpu->splats_that_fit / 2);
}

}  // namespace
}  // namespace app
