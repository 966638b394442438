// The real plugins, loaded on whatever machine the tests run on.
#include <gtest/gtest.h>

#include "devices/plugins.h"

namespace splat {
namespace {

void expect_loads_or_explains(const std::string& name, const std::string& least_target) {
  const GpuPlugin plugin = load_plugin(name, {HIPSPLAT_BUILT_PLUGINS});
  EXPECT_TRUE(plugin.present);
  std::printf("%s: %s\n", name.c_str(), plugin.problem.empty() ? plugin.targets.c_str() : plugin.problem.c_str());
  EXPECT_EQ(plugin.problem.find("another version"), std::string::npos) << plugin.problem;
  EXPECT_EQ(plugin.problem.find("cannot be loaded"), std::string::npos) << plugin.problem;
  if (plugin.table) {
    EXPECT_NE(plugin.targets.find(least_target), std::string::npos) << plugin.targets;
  } else {
    EXPECT_NE(plugin.problem.find("runtime is not installed"), std::string::npos) << plugin.problem;
  }
  EXPECT_EQ(plugin.problem.empty(), plugin.cure.empty());
  if (plugin.devices.empty()) {
    EXPECT_FALSE(plugin.problem.empty());
  }
}

TEST(BuiltPlugins, OfAmd) {
  if (!HIPSPLAT_WITH_HIP) GTEST_SKIP() << "hipcc is not installed";
  expect_loads_or_explains("hip", "gfx");
}

TEST(BuiltPlugins, OfNvidia) {
  if (!HIPSPLAT_WITH_CUDA) GTEST_SKIP() << "nvcc is not installed";
  expect_loads_or_explains("cuda", "compute_");
}

}  // namespace
}  // namespace splat
