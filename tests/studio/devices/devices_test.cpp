// Who is lent which backend in the window.
#include "studio/devices/devices.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "splat/backend/reference/reference_backend.h"

namespace app {
namespace {

class WithMemory final : public splat::ReferenceBackend {
 public:
  explicit WithMemory(uint64_t bytes) { info_.device_total_bytes = bytes; }
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
  devices.end_run();
  EXPECT_TRUE(devices.lend().ok());
  EXPECT_EQ(asked, (std::vector<std::string>{"hip 1, said", "hip 1", "cpu -1", "hip 1"}));
}

}  // namespace
}  // namespace app
