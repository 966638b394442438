#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

constexpr int kWide = 48;

std::vector<float> draw(hs_device* device, const hs_test::Arrays& arrays, uint64_t identity) {
  hs_splats splats = arrays.splats();
  splats.identity = identity;
  const hs_camera camera = hs_test::camera(kWide, kWide);
  const hs_render_settings settings = hs_test::settings(kWide, kWide);
  std::vector<float> rgb(size_t(3) * kWide * kWide);
  EXPECT_EQ(hs_render(device, &splats, &camera, 1, &settings, rgb.data(), nullptr, nullptr), HS_OK) << hs_error();
  return rgb;
}

// Two threads, each with splats of its own.
void draw_side_by_side(hs_device* first, hs_device* second) {
  const hs_test::Arrays a = hs_test::some_splats(200, 1, 1), b = hs_test::some_splats(300, 2, 2);
  const std::vector<float> of_a = draw(first, a, 0), of_b = draw(first, b, 0);
  std::atomic<int> wrong{0};
  const auto work = [&](hs_device* device, const hs_test::Arrays& arrays, const std::vector<float>& expected,
                        uint64_t identity) {
    for (int i = 0; i < 40; ++i) wrong += draw(device, arrays, identity) != expected;
  };
  std::thread other([&] { work(second, b, of_b, 2); });
  work(first, a, of_a, 1);
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LibraryThreads, TwoThreadsShareADevice) {
  const hs_test::Device device = hs_test::open_device("cpu", 2);
  draw_side_by_side(device.get(), device.get());
}

TEST(LibraryThreads, TwoThreadsHaveADeviceEach) {
  const hs_test::Device first = hs_test::open_device("cpu", 2), second = hs_test::open_device("cpu", 2);
  draw_side_by_side(first.get(), second.get());
}

TEST(LibraryThreads, ADeviceDoesNotWaitForAnother) {
  const hs_test::Device slow = hs_test::open_device("reference"), quick = hs_test::open_device("cpu");
  const hs_test::Arrays many = hs_test::some_splats(2000, 3), few = hs_test::some_splats(10, 0);
  std::atomic<bool> done{false};
  std::thread other([&] {
    draw(slow.get(), many, 0);
    done = true;
  });
  int pictures = 0;
  for (; !done; ++pictures) draw(quick.get(), few, 0);
  other.join();
  EXPECT_GT(pictures, 0);
}

}  // namespace
