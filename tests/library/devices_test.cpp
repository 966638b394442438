#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

hs_device_info description(hs_device* device) {
  hs_device_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(hs_device_describe(device, &info), HS_OK) << hs_error();
  return info;
}

TEST(LibraryDevices, TheProcessorIsListedAndUsable) {
  int32_t count = 0;
  ASSERT_EQ(hs_device_list(nullptr, 0, &count), HS_OK) << hs_error();
  ASSERT_GE(count, 1);
  std::vector<hs_device_info> infos(size_t(count) + 1);
  infos[0].struct_size = sizeof(hs_device_info);
  ASSERT_EQ(hs_device_list(infos.data(), count, nullptr), HS_OK) << hs_error();
  bool cpu = false;
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(infos[size_t(i)].struct_size, sizeof(hs_device_info));
    EXPECT_STRNE(infos[size_t(i)].reason, "");
    if (std::string(infos[size_t(i)].backend) != "cpu") continue;
    cpu = true;
    EXPECT_EQ(infos[size_t(i)].usable, 1);
    EXPECT_STRNE(infos[size_t(i)].name, "");
  }
  EXPECT_TRUE(cpu);
  EXPECT_EQ(infos.back().struct_size, 0u) << "more was written than there was room for";
}

TEST(LibraryDevices, ALaterVersionsListIsFilledAtItsDistance) {
  struct Later {
    hs_device_info info;
    uint64_t added[4];
  };
  int32_t count = 0;
  ASSERT_EQ(hs_device_list(nullptr, 0, &count), HS_OK);
  std::vector<Later> infos(static_cast<size_t>(count));
  infos[0].info.struct_size = sizeof(Later);
  ASSERT_EQ(hs_device_list(&infos[0].info, count, nullptr), HS_OK) << hs_error();
  EXPECT_STREQ(infos.back().info.backend, "cpu");
}

TEST(LibraryDevices, AnOpenDeviceSaysWhyAndProvesThatItDrew) {
  for (const char* backend : {"cpu", "reference"}) {
    const hs_test::Device device = hs_test::open_device(backend);
    ASSERT_NE(device, nullptr) << hs_error();
    const hs_device_info info = description(device.get());
    EXPECT_STREQ(info.backend, backend);
    EXPECT_EQ(info.index, 0);
    EXPECT_EQ(info.usable, 1);
    EXPECT_NE(std::string(info.reason).find("was asked for"), std::string::npos) << info.reason;
    EXPECT_NE(std::string(info.proof).find("a picture of 32x32 differs from the reference's by at most"),
              std::string::npos)
        << info.proof;
  }
}

// The executable is another program's: plugins lie where the library does.
TEST(LibraryDevices, PluginsAreLookedForBesideTheLibrary) {
  unsetenv("HIPSPLAT_PLUGINS");
  std::vector<hs_device_info> infos(16);
  infos[0].struct_size = sizeof(hs_device_info);
  ASSERT_EQ(hs_device_list(infos.data(), 16, nullptr), HS_OK) << hs_error();
  EXPECT_STREQ(infos[0].backend, "hip");
  EXPECT_NE(std::string(infos[0].reason).find("in '" HIPSPLAT_LIBRARY_FOLDER "', "), std::string::npos)
      << infos[0].reason;
}

TEST(LibraryDevices, ByDefaultTheBestIsTaken) {
  hs_device* opened = nullptr;
  ASSERT_EQ(hs_device_open(nullptr, &opened), HS_OK) << hs_error();
  const hs_test::Device device(opened);
  EXPECT_STRNE(description(opened).reason, "");
  EXPECT_GE(description(opened).index, 0) << "the one that was taken, not the one that was asked for";
}

TEST(LibraryDevices, WhatIsNotThereIsRefusedWithASentence) {
  hs_device* device = nullptr;
  hs_device_options options{sizeof options, "cpu", 1, 0};
  EXPECT_EQ(hs_device_open(&options, &device), HS_ERROR_DEVICE);
  EXPECT_STREQ(hs_error(), "the cpu backend has only device 0, not 1");
  options = {sizeof options, "hip", 63, 0};
  EXPECT_EQ(hs_device_open(&options, &device), HS_ERROR_DEVICE);
  EXPECT_NE(std::string(hs_error()).find("the backend 'hip' is not usable here"), std::string::npos) << hs_error();
  options = {sizeof options, "vulkan", 0, 0};
  EXPECT_EQ(hs_device_open(&options, &device), HS_ERROR_ARGUMENT);
  EXPECT_EQ(device, nullptr);
}

}  // namespace
