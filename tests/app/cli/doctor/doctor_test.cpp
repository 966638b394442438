// What --doctor makes of the system's files and variables.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "app/cli/doctor/gpu_checks.h"
#include "app/jobs/host/gpu_system.h"
#include "tests/support/amd_machines.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

class GpuSystemTest : public testing::Test {
 protected:
  GpuSystemTest() {
    system_.cards = folder_.path() / "drm";
    system_.topology = folder_.path() / "nodes";
    system_.kfd = folder_.path() / "kfd";
    system_.dri = folder_.path() / "dri";
    system_.nvidia = folder_.path() / "nvidiactl";
  }
  void add_amd_card() {
    folder_.write("drm/card0/device/vendor", "0x1002\n");
    folder_.write("nodes/0/properties", "cpu_cores_count 16\ngfx_target_version 0\n");
    folder_.write("nodes/1/properties", "simd_count 96\ngfx_target_version 110001\nvendor_id 4098\n");
    folder_.write("nodes/2/properties", "gfx_target_version 90010\n");
  }

  splat::test::TempFolder folder_;
  GpuSystem system_;
};

TEST_F(GpuSystemTest, NothingIsNothing) {
  const VisibleGpus gpus = visible_gpus(system_);
  EXPECT_FALSE(gpus.amd);
  EXPECT_FALSE(gpus.nvidia);
  EXPECT_TRUE(driver_checks(system_).empty());
}

TEST_F(GpuSystemTest, CardsAreToldApart) {
  folder_.write("drm/card0/device/vendor", "0x10de\n");
  EXPECT_TRUE(visible_gpus(system_).nvidia);
  EXPECT_FALSE(visible_gpus(system_).amd);
  add_amd_card();
  const VisibleGpus gpus = visible_gpus(system_);
  EXPECT_TRUE(gpus.amd);
  EXPECT_EQ(gpus.architectures, (std::vector<std::string>{"gfx1101", "gfx90a"}));
}

TEST_F(GpuSystemTest, ACardWithoutItsDriver) {
  add_amd_card();
  const Checks checks = driver_checks(system_);
  ASSERT_EQ(checks.size(), 2u);
  for (const Check& check : checks) {
    EXPECT_FALSE(check.ok) << check.name;
    EXPECT_NE(check.cure.find("--device=/dev/kfd"), std::string::npos) << check.cure;
  }
}

TEST_F(GpuSystemTest, ADriverThatThisUserMayNotOpen) {
  add_amd_card();
  folder_.write("kfd", "");
  folder_.write("dri/renderD128", "");
  EXPECT_TRUE(driver_checks(system_)[0].ok);
  EXPECT_NE(driver_checks(system_)[0].detail.find("gfx1101"), std::string::npos);
  EXPECT_TRUE(driver_checks(system_)[1].ok);
  if (geteuid() == 0) GTEST_SKIP() << "the administrator may open everything";
  chmod(system_.kfd.c_str(), 0);
  const Check check = driver_checks(system_)[0];
  EXPECT_FALSE(check.ok);
  EXPECT_NE(check.cure.find("usermod -aG"), std::string::npos) << check.cure;
}

TEST_F(GpuSystemTest, ARefusalTellsWhatIsWrongWithTheDriver) {
  EXPECT_EQ(driver_advice(system_), "");
  add_amd_card();
  EXPECT_EQ(driver_advice(system_).substr(0, 24), "; an AMD GPU is there, b");
  folder_.write("kfd", "");
  folder_.write("dri/renderD128", "");
  EXPECT_EQ(driver_advice(system_), "");
}

// "amd gpus" and "hip runtime" on a recorded machine.
std::map<std::string, Check> amd_checks_of(const std::vector<splat::test::AmdNode>& nodes, splat::GpuPlugin plugin) {
  static const splat::gpu::Plugin table{};
  plugin.name = "hip";
  plugin.table = &table;
  const splat::test::TempFolder folder;
  const splat::Distribution debian = splat::Distribution::of(folder.write("os-release", "ID=debian\n"));
  std::map<std::string, Check> checks;
  for (const Check& check : amd_checks(plugin, splat::amd_gpus(splat::test::AmdMachine(nodes).nodes()), debian))
    checks[check.name] = check;
  return checks;
}

TEST(AmdChecks, RecordedMachines) {
  splat::GpuPlugin plugin;
  plugin.targets = "gfx1030 gfx1100 gfx1151 gfx1201 gfx942";
  plugin.hidden = {{2, "gfx1036", 0, 0, true}};
  EXPECT_EQ(amd_checks_of(splat::test::desktop(), plugin)["amd gpus"].detail,
            "gfx1100 with 26 GB; gfx1036 with 537 MB (the processor's own), hidden: the plugin has no code for it");
  plugin.hidden = {};
  EXPECT_EQ(amd_checks_of(splat::test::processors_gpu_alone(), plugin)["amd gpus"].detail,
            "gfx1151 with 4.3 GB (the processor's own)");
  EXPECT_EQ(amd_checks_of(splat::test::two_cards(), plugin)["amd gpus"].detail,
            "gfx1030 with 17 GB; gfx1201 with 17 GB");
  EXPECT_EQ(amd_checks_of(splat::test::mi300_in_partitions(), plugin)["amd gpus"].detail,
            "8 partitions of one chip, each gfx942 with 206 GB; 8 partitions of one chip, each gfx942 with 206 GB");
  EXPECT_TRUE(amd_checks_of(splat::test::processor_alone(), plugin).empty());
}

TEST(AmdChecks, NoGpuHasCode) {
  splat::GpuPlugin plugin;
  plugin.targets = "gfx906";
  const Check check = amd_checks_of(splat::test::processors_gpu_alone(), plugin)["amd gpus"];
  EXPECT_FALSE(check.ok);
  EXPECT_NE(check.cure.find("-DHIPSPLAT_HIP_TARGETS=gfx1151"), std::string::npos) << check.cure;
}

TEST(AmdChecks, ARuntimeOlderThanThePlugin) {
  splat::GpuPlugin plugin;
  plugin.built_for = 60443484, plugin.installed = 60200000;
  const Check older = amd_checks_of({}, plugin)["hip runtime"];
  EXPECT_FALSE(older.ok);
  EXPECT_EQ(older.detail, "HIP 6.2; the plugin was built for HIP 6.4");
  EXPECT_NE(older.cure.find("sudo apt install libamdhip64-6"), std::string::npos) << older.cure;
  plugin.installed = 60500001;
  EXPECT_TRUE(amd_checks_of({}, plugin)["hip runtime"].ok);
}

TEST(Variables, ThoseThatHideOrRenameADevice) {
  for (const char* name :
       {"HSA_OVERRIDE_GFX_VERSION", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
    unsetenv(name);
  EXPECT_TRUE(variables_check().ok);
  setenv("HIP_VISIBLE_DEVICES", "0", 1);
  EXPECT_TRUE(variables_check().ok);
  EXPECT_NE(variables_check().detail.find("HIP_VISIBLE_DEVICES=0"), std::string::npos);
  setenv("HIP_VISIBLE_DEVICES", "-1", 1);
  EXPECT_FALSE(variables_check().ok);
  EXPECT_NE(variables_check().cure.find("unset HIP_VISIBLE_DEVICES"), std::string::npos);
  unsetenv("HIP_VISIBLE_DEVICES");
  setenv("HSA_OVERRIDE_GFX_VERSION", "10.3.0", 1);
  EXPECT_FALSE(variables_check().ok);
  EXPECT_NE(variables_check().cure.find("HSA_OVERRIDE_GFX_VERSION"), std::string::npos);
  unsetenv("HSA_OVERRIDE_GFX_VERSION");
}

splat::GpuPlugin plugin_with(const std::vector<splat::GpuDevice>& devices) {
  splat::GpuPlugin plugin;
  plugin.name = "hip";
  plugin.maker = "AMD";
  plugin.targets = "gfx1030 gfx1100";
  plugin.devices = devices;
  return plugin;
}

TEST(DeviceChecks, SayWhatIsWrongAndWhatToDo) {
  const splat::GpuDevice good{"Radeon A", "gfx1100", 24'000'000'000, 23'000'000'000, 32, false, true};
  const splat::GpuDevice unknown{"Radeon B", "gfx1036", 24'000'000'000, 23'000'000'000, 32, true, false};
  const splat::GpuDevice full{"Radeon C", "gfx1030", 16'000'000'000, 1'000'000'000, 32, false, true};
  const Checks checks = device_checks(plugin_with({good, unknown, full}));
  ASSERT_EQ(checks.size(), 3u);
  EXPECT_TRUE(checks[0].ok);
  EXPECT_EQ(checks[0].name, "hip 0");
  EXPECT_FALSE(checks[1].ok);
  EXPECT_NE(checks[1].detail.find("gfx1030 gfx1100"), std::string::npos) << checks[1].detail;
  EXPECT_NE(checks[1].cure.find("HIPSPLAT_HIP_TARGETS=gfx1036"), std::string::npos) << checks[1].cure;
  EXPECT_FALSE(checks[2].ok);
  EXPECT_NE(checks[2].cure.find("close"), std::string::npos) << checks[2].cure;
  EXPECT_NE(checks[1].cure.find("HSA_OVERRIDE_GFX_VERSION=10.3.0"), std::string::npos) << checks[1].cure;
  const splat::GpuDevice older{"Radeon D", "gfx1012", 8'000'000'000, 7'000'000'000, 32, false, false};
  EXPECT_EQ(device_checks(plugin_with({older}))[0].cure.find("OVERRIDE"), std::string::npos) << "it has other code";
  EXPECT_EQ(integrated_check({plugin_with({good, unknown})}).size(), 1u);
  EXPECT_TRUE(integrated_check({plugin_with({good, full})}).empty());
}

TEST(PluginChecks, AMissingOneMattersWhereItsHardwareIs) {
  splat::GpuPlugin plugin = plugin_with({});
  plugin.problem = "the plugin is not there";
  plugin.cure = "build it";
  EXPECT_FALSE(plugin_check(plugin, true).ok);
  EXPECT_TRUE(plugin_check(plugin, false).ok);
  EXPECT_NE(plugin_check(plugin, false).detail.find("no AMD GPU is visible"), std::string::npos);
  EXPECT_EQ(plugin_check(plugin, true).cure, "build it");
  const splat::gpu::Plugin table{};
  plugin.table = &table;  // it loads, and finds nothing
  EXPECT_NE(plugin_check(plugin, true).cure.find("'amd driver'"), std::string::npos);
}

TEST(PluginChecks, SayWhichOfSeveralFilesIsTaken) {
  splat::GpuPlugin plugin = plugin_with({});
  plugin.tried = {{"/p/libhipsplat-hip6.so", "libamdhip64.so.6", ""}};
  EXPECT_TRUE(tried_checks(plugin).empty()) << "there was no choice";
  plugin.tried.insert(plugin.tried.begin(),
                      {"/p/libhipsplat-hip7.so", "libamdhip64.so.7", "needs libamdhip64.so.7, which is not installed"});
  const Checks checks = tried_checks(plugin);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].name, "hip files");
  EXPECT_EQ(
      checks[0].detail,
      "'/p/libhipsplat-hip7.so' needs libamdhip64.so.7, which is not installed; '/p/libhipsplat-hip6.so' is taken");
}

}  // namespace
}  // namespace app
