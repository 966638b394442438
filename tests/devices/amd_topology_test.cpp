// AMD's GPUs as the kernel lists them, on recorded machines, and the packages of the distributions.
#include "devices/amd_topology.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "devices/distribution.h"
#include "tests/support/amd_machines.h"

namespace splat {
namespace {

using test::AmdMachine;

std::vector<std::string> architectures(const std::vector<AmdGpu>& gpus) {
  std::vector<std::string> names;
  for (const AmdGpu& gpu : gpus) names.push_back(gpu.architecture);
  return names;
}

TEST(AmdTopology, ADesktopWithTheProcessorsGpuBesideACard) {
  const AmdMachine machine(test::desktop());
  const std::vector<AmdGpu> gpus = amd_gpus(machine.nodes());
  ASSERT_EQ(architectures(gpus), (std::vector<std::string>{"gfx1100", "gfx1036"}));
  EXPECT_EQ(gpus[0].memory_bytes, 25753026560u);
  EXPECT_EQ(gpus[0].node, 1);
  EXPECT_NE(gpus[0].unique_id, 0u);
  EXPECT_FALSE(gpus[0].processors_own);
  EXPECT_TRUE(gpus[1].processors_own);
  EXPECT_EQ(architectures(without_code(gpus, "gfx1030 gfx1100")), (std::vector<std::string>{"gfx1036"}));
  EXPECT_TRUE(without_code(gpus, "gfx1036 gfx1100").empty());
}

TEST(AmdTopology, PartitionsOfOneChipInTheirOrder) {
  const AmdMachine machine(test::mi300_in_partitions());
  const std::vector<AmdGpu> gpus = amd_gpus(machine.nodes());
  ASSERT_EQ(gpus.size(), 16u);
  for (size_t i = 0; i < gpus.size(); ++i) {
    EXPECT_EQ(gpus[i].node, int(i) + 2) << "2 comes before 10";
    EXPECT_EQ(gpus[i].architecture, "gfx942");
    EXPECT_EQ(gpus[i].unique_id, gpus[i < 8 ? 0 : 8].unique_id);
  }
  EXPECT_NE(gpus[0].unique_id, gpus[8].unique_id);
}

TEST(AmdTopology, WhatIsNotThereIsNoGpu) {
  EXPECT_TRUE(amd_gpus("/no/such/folder").empty());
  EXPECT_TRUE(amd_gpus(AmdMachine(test::processor_alone()).nodes()).empty());
}

// GPUs without code are hidden from the runtime, where others have code and the user has not chosen.
class Hiding : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : kVariables) unsetenv(name);
  }
  static constexpr const char* kVariables[] = {"HIPSPLAT_AMD_NODES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                               "HSA_OVERRIDE_GFX_VERSION"};
  static std::string visible() {
    const char* const value = std::getenv("ROCR_VISIBLE_DEVICES");
    return value ? value : "all";
  }
};

TEST_F(Hiding, TheProcessorsGpuBesideACard) {
  const AmdMachine machine(test::desktop());
  setenv("HIPSPLAT_AMD_NODES", machine.nodes().c_str(), 1);
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(architectures(hide_amd_gpus_without_code("gfx1030 gfx1100")), (std::vector<std::string>{"gfx1036"}));
    EXPECT_EQ(visible(), "0");
  }
}

TEST_F(Hiding, NothingWhereAllOrNoneHaveCode) {
  const AmdMachine machine(test::desktop());
  setenv("HIPSPLAT_AMD_NODES", machine.nodes().c_str(), 1);
  for (const char* targets : {"gfx1036 gfx1100", "gfx906"}) {
    EXPECT_TRUE(hide_amd_gpus_without_code(targets).empty());
    EXPECT_EQ(visible(), "all");
  }
}

TEST_F(Hiding, WhatTheUserChoseStays) {
  const AmdMachine machine(test::desktop());
  setenv("HIPSPLAT_AMD_NODES", machine.nodes().c_str(), 1);
  setenv("ROCR_VISIBLE_DEVICES", "1", 1);
  EXPECT_TRUE(hide_amd_gpus_without_code("gfx1030 gfx1100").empty());
  EXPECT_EQ(visible(), "1");
  unsetenv("ROCR_VISIBLE_DEVICES");
  for (const char* name : {"HIP_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION"}) {
    setenv(name, "0", 1);
    EXPECT_TRUE(hide_amd_gpus_without_code("gfx1030 gfx1100").empty()) << name;
    EXPECT_EQ(visible(), "all") << name;
    unsetenv(name);
  }
}

TEST(Distributions, NameTheirPackages) {
  const test::TempFolder folder;
  const auto of = [&](const char* text) { return Distribution::of(folder.write("os-release", text)); };
  EXPECT_EQ(of("ID=ubuntu\nID_LIKE=debian\n").install_hip_runtime({6}), "sudo apt install libamdhip64-6");
  EXPECT_EQ(of("NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n").install_hip_compiler(),
            "sudo apt install hipcc librocprim-dev");
  EXPECT_EQ(of("ID=fedora\n").install_hip_runtime({6}), "sudo dnf install rocm-hip");
  EXPECT_EQ(of("ID=cachyos\nID_LIKE=arch\n").install_hip_runtime({6}), "sudo pacman -S hip-runtime-amd");
  for (const char* name : {"Fedora", "Arch", "libamdhip64-7"})
    EXPECT_NE(of("ID=nixos\n").install_hip_runtime({7}).find(name), std::string::npos) << name;
}

// A package that a release does not have is not named: Debian 13 knows no libamdhip64-6.
TEST(Distributions, NameTheRuntimeThatTheReleaseHas) {
  const test::TempFolder folder;
  const auto of = [&](const char* text) { return Distribution::of(folder.write("os-release", text)); };
  const char* const trixie = "VERSION_CODENAME=trixie\nID=debian\n";
  EXPECT_EQ(of(trixie).install_hip_runtime({7, 6, 5}), "sudo apt install libamdhip64-5");
  EXPECT_EQ(of("VERSION_CODENAME=forky\nID=debian\n").install_hip_runtime({7, 6, 5}), "sudo apt install libamdhip64-6");
  EXPECT_EQ(of("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_CODENAME=xia\nUBUNTU_CODENAME=\"noble\"\n")
                .install_hip_runtime({6, 5}),
            "sudo apt install libamdhip64-5");
  EXPECT_EQ(of(trixie).install_hip_runtime({7, 6}),
            "from AMD's own packages of ROCm 10 or 7 or 6; this release has only libamdhip64-5");
  EXPECT_EQ(of("VERSION_CODENAME=jammy\nID=ubuntu\nID_LIKE=debian\n").install_hip_runtime({6}),
            "from AMD's own packages of ROCm 6; this release has none");
  EXPECT_EQ(of("VERSION_CODENAME=resolute\nID=ubuntu\nID_LIKE=debian\n").install_hip_runtime({7, 6, 5}),
            "sudo apt install libamdhip64-7");
  EXPECT_EQ(of("VERSION_CODENAME=duke\nID=debian\n").install_hip_runtime({7, 6}),
            "sudo apt install libamdhip64-7 or sudo apt install libamdhip64-6");
}

}  // namespace
}  // namespace splat
