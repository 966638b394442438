// Choosing a backend and a SIMD level: what is asked for is what comes, or one sentence why not.
#include "devices/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "splat/backend/cpu/cpu_backend.h"

namespace splat {
namespace {

class SimdVariable {
 public:
  explicit SimdVariable(const char* value) { setenv("HIPSPLAT_SIMD", value, 1); }
  ~SimdVariable() { unsetenv("HIPSPLAT_SIMD"); }
};

// Also on a machine with a GPU; tests/emulator has a plugin that works.
[[maybe_unused]] const bool kWithoutPlugins = (setenv("HIPSPLAT_PLUGINS", "/no/plugins", 1), true);

TEST(Registry, ListsEveryBackendWithAReason) {
  const std::vector<BackendStatus> all = list_backends(2);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "hip");
  EXPECT_EQ(all[1].name, "cuda");
  EXPECT_EQ(all[2].name, "cpu");
  for (int gpu : {0, 1}) {
    EXPECT_FALSE(all[gpu].usable);
    EXPECT_NE(all[gpu].reason.find("plugin"), std::string::npos) << all[gpu].reason;
  }
  EXPECT_TRUE(all[2].usable);
  ASSERT_EQ(all[2].devices.size(), 1u);
  EXPECT_NE(all[2].devices[0].find("2 threads"), std::string::npos);
}

TEST(Registry, AutoSaysWhyItTookTheCpu) {
  const auto choice = make_backend("auto", -1, 1);
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice.value().backend->info().name, "cpu");
  EXPECT_NE(choice.value().reason.find("no GPU"), std::string::npos);
}

TEST(Registry, WhatIsNotUsableIsNeverReplaced) {
  for (const char* name : {"hip", "cuda"}) {
    const auto choice = make_backend(name, -1, 1);
    ASSERT_FALSE(choice.ok());
    EXPECT_NE(choice.error().message.find(name), std::string::npos);
  }
  EXPECT_FALSE(make_backend("opencl", -1, 1).ok());
  EXPECT_FALSE(make_backend("cpu", 1, 1).ok());
}

TEST(SimdLevels, TheVariableChooses) {
  for (cpu::SimdLevel level : cpu::usable_simd_levels()) {
    const SimdVariable variable(cpu::simd_level_option(level));
    const auto backend = make_cpu_backend({1, cpu::SimdLevel::kAuto});
    ASSERT_TRUE(backend.ok());
    const std::string device = backend.value()->info().device, name = cpu::simd_level_name(level);
    EXPECT_EQ(device.substr(device.size() - name.size()), name);
  }
}

TEST(SimdLevels, AnUnknownOrMissingLevelIsAnError) {
  {
    const SimdVariable variable("mmx");
    const auto level = cpu::choose_simd_level(cpu::SimdLevel::kAuto);
    ASSERT_FALSE(level.ok());
    EXPECT_NE(level.error().message.find("'mmx'"), std::string::npos);
    EXPECT_NE(level.error().message.find(cpu::simd_level_option(cpu::usable_simd_levels()[0])), std::string::npos);
  }
  const std::vector<cpu::SimdLevel> usable = cpu::usable_simd_levels();
  for (cpu::SimdLevel level :
       {cpu::SimdLevel::kSse4, cpu::SimdLevel::kAvx2, cpu::SimdLevel::kAvx512, cpu::SimdLevel::kNeon}) {
    const bool here = std::find(usable.begin(), usable.end(), level) != usable.end();
    EXPECT_EQ(cpu::choose_simd_level(level).ok(), here);
  }
}

}  // namespace
}  // namespace splat
