// Who is lent which backend in the window.
#include "studio/devices/devices.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "splat/backend/reference/reference_backend.h"
#include "tests/support/test_paths.h"

namespace studio {
namespace {

class WithMemory final : public splat::ReferenceBackend {
 public:
  explicit WithMemory(uint64_t bytes, uint64_t free = 0) {
    info_.name = bytes > 0 ? "hip" : "cpu";
    info_.device_total_bytes = bytes;
    info_.device_free_bytes = free;
    info_.device_bytes_per_splat = 1000;
  }
  const splat::BackendInfo& info() const override { return info_; }

 private:
  splat::BackendInfo info_;
};

TEST(Devices, WhileARunHasTheDevicesMemoryOthersAreLentTheProcessor) {
  std::vector<std::string> asked;
  Devices devices({.backend = "hip", .index = 1}, [&](const DeviceOptions& wanted, bool says) {
    asked.push_back(wanted.backend + " " + std::to_string(wanted.index) + (says ? ", said" : ""));
    const uint64_t bytes = wanted.backend == "cpu" ? 0 : 1 << 30;
    return splat::Result(splat::BackendChoice{std::make_unique<WithMemory>(bytes), "as was asked for"});
  });
  EXPECT_TRUE(devices.lend().ok());
  EXPECT_TRUE(devices.lend().ok());
  devices.begin_run();
  EXPECT_TRUE(devices.lend().ok());
  devices.begin_run();  // before the one that is left has ended
  devices.end_run();
  EXPECT_TRUE(devices.lend().ok());
  devices.end_run();
  EXPECT_TRUE(devices.lend().ok());
  EXPECT_EQ(asked, (std::vector<std::string>{"hip 1, said", "hip 1", "cpu -1", "cpu -1", "hip 1"}));
}

constexpr uint64_t kGigabyte = 1'000'000'000;

// For a device with four gigabytes, this part of them free.
Devices devices_with(uint64_t free) {
  return Devices({.backend = "hip"}, [free](const DeviceOptions& wanted, bool) {
    const uint64_t bytes = wanted.backend == "cpu" ? 0 : 4 * kGigabyte;
    return splat::Result(splat::BackendChoice{std::make_unique<WithMemory>(bytes, free), "as was asked for"});
  });
}
constexpr Devices::Work kOneGigabyte{1'000'000, 0};

TEST(Devices, WorkForWhichThereIsNoRoomIsTheProcessors) {
  Devices devices = devices_with(2 * kGigabyte);
  const auto fits = devices.lend(kOneGigabyte), large = devices.lend({3'000'000, 0});
  ASSERT_TRUE(fits.ok() && large.ok());
  EXPECT_EQ(fits->backend->info().name, "hip");
  EXPECT_EQ(large->backend->info().name, "cpu");
}

TEST(Devices, WhatIsPromisedIsTakenUntilItIsGivenBack) {
  Devices devices = devices_with(4 * kGigabyte);  // nobody has taken of it yet what was promised
  {
    const auto first = devices.lend(kOneGigabyte), second = devices.lend(kOneGigabyte);
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(second->backend->info().name, "hip");
    auto third = devices.lend({2'000'000, 0});
    ASSERT_TRUE(third.ok());
    EXPECT_EQ(third->backend->info().name, "cpu");
  }
  const auto later = devices.lend({2'000'000, 0});
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->backend->info().name, "hip");
}

TEST(Devices, ALoanOfOneDeviceIsOfNoOtherWhileARunTrainsToo) {
  Devices devices = devices_with(2 * kGigabyte);
  ASSERT_TRUE(devices.lend().ok());
  devices.begin_run();
  const auto drawer = devices.lend_exactly({.backend = "hip"}, kOneGigabyte);
  ASSERT_TRUE(drawer.ok()) << drawer.error().message;
  EXPECT_EQ(drawer->backend->info().name, "hip");
  const auto large = devices.lend_exactly({.backend = "hip"}, {3'000'000, 0});
  ASSERT_FALSE(large.ok());
  EXPECT_NE(large.error().message.find("not enough memory"), std::string::npos) << large.error().message;
}

// Else its memory is not planned for.
TEST(Devices, NobodyElseInTheWindowMakesABackend) {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::recursive_directory_iterator(test_paths::source() / "studio")) {
    if (!entry.is_regular_file() || entry.path().parent_path().filename() == "devices") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const char* call : {"make_backend(", "open_backend("})
      EXPECT_EQ(text.find(call), std::string::npos) << entry.path() << " has " << call;
  }
}

}  // namespace
}  // namespace studio
