// Plugins: a working one (the emulated device), and each way in which one can be of no use.
#include "devices/plugins.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "devices/distribution.h"
#include "devices/registry.h"
#include "splat/backend/gpu/targets.h"
#include "tests/support/temp_folder.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = HIPSPLAT_TEST_PLUGINS;

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(Plugins, OneThatIsNotThere) {
  const GpuPlugin plugin = load_plugin("cuda", {kFolder / "working"});
  EXPECT_FALSE(plugin.present);
  EXPECT_EQ(plugin.table, nullptr);
  expect_parts(plugin.problem, {"NVIDIA", "libhipsplat-cuda.so"});
  expect_parts(plugin.cure, {"nvcc"});
}

TEST(Plugins, TheyAreLookedForBesideTheProgramAndWherePackagesPutThem) {
  const auto folders = plugin_folders("/opt/hipsplat/bin/hipsplat", nullptr);
  ASSERT_EQ(folders.size(), 3u);
  EXPECT_EQ(folders[0], "/opt/hipsplat/bin");
  EXPECT_EQ(folders[1].parent_path().parent_path(), "/opt/hipsplat/lib");
  EXPECT_EQ(folders[1].filename(), "hipsplat");
  EXPECT_EQ(folders[2], "/opt/hipsplat/lib/hipsplat");
  EXPECT_EQ(plugin_folders("/usr/bin/hipsplat", "/mine"), (std::vector<fs::path>{"/mine"}));
  EXPECT_EQ(plugin_folders("/usr/bin/hipsplat", "").size(), 3u);
}

TEST(Plugins, TheFirstOneIsTaken) {
  const GpuPlugin plugin = load_plugin("hip", {kFolder / "nothing", kFolder / "working", kFolder / "no_library"});
  EXPECT_EQ(plugin.file, kFolder / "working/libhipsplat-hip.so");
  EXPECT_EQ(plugin.problem, "");
  const GpuPlugin none = load_plugin("hip", {kFolder / "nothing", "/elsewhere"});
  EXPECT_FALSE(none.present);
  expect_parts(none.problem, {"nothing'", "'/elsewhere'"});
}

// share/hipsplat beside bin/ says that the program was installed.
TEST(Plugins, OnAnInstalledSystemAMissingOneIsAPackage) {
  const test::TempFolder folder;
  folder.write("share/hipsplat/demo/README.md", "");
  const GpuPlugin plugin = load_plugin("hip", plugin_folders(folder.path() / "bin/hipsplat", nullptr));
  EXPECT_EQ(plugin.cure, "install the package hipsplat-hip, of the same version as hipsplat");
}

TEST(Plugins, OneWhoseRuntimeIsNotInstalled) {
  const GpuPlugin plugin = load_plugin("hip", {kFolder / "no_runtime"});
  EXPECT_TRUE(plugin.present);
  EXPECT_EQ(plugin.table, nullptr);
  expect_parts(plugin.problem, {"AMD's runtime is not installed", "libabsent_runtime.so"});
  expect_parts(plugin.cure, {"install ROCm's HIP runtime (", Distribution::of().install_hip_runtime({5})});
}

// By the name that it has on this system, if it has one: Debian 13 has libamdhip64-5, the next one libamdhip64-6.
TEST(Plugins, TheMissingRuntimesPackageIsNamed) {
  const std::string library = "libamdhip64.so.6";
  const GpuPlugin plugin = load_plugin("hip", {kFolder / "no_runtime_6"});
  EXPECT_EQ(plugin.table, nullptr);
  expect_parts(plugin.problem, {"AMD's runtime is not installed", library});
  expect_parts(plugin.cure, {"install ROCm's HIP runtime (" + Distribution::of().install_hip_runtime({6}) + ")"});
}

TEST(Plugins, OneOfAnotherVersion) {
  for (const char* folder : {"other_stamp", "no_entry"}) {
    const GpuPlugin plugin = load_plugin("hip", {kFolder / folder});
    EXPECT_EQ(plugin.table, nullptr) << folder;
    expect_parts(plugin.problem, {"another version"});
  }
}

TEST(Plugins, OneThatIsNoLibrary) {
  const GpuPlugin plugin = load_plugin("hip", {kFolder / "no_library"});
  EXPECT_TRUE(plugin.present);
  expect_parts(plugin.problem, {"cannot be loaded", "libhipsplat-hip.so"});
}

TEST(Plugins, OneThatWorksListsItsDevices) {
  const GpuPlugin plugin = load_plugin("hip", {kFolder / "working"});
  EXPECT_EQ(plugin.problem, "");
  EXPECT_EQ(plugin.targets, "emulated gfx1030");
  ASSERT_EQ(plugin.devices.size(), 1u);
  EXPECT_EQ(plugin.devices[0].architecture, "emulated");
  EXPECT_EQ(plugin.devices[0].wave_size, 32);
  EXPECT_TRUE(plugin.devices[0].compiled);
  EXPECT_GT(plugin.devices[0].free_bytes, 0u);
  EXPECT_LE(plugin.devices[0].free_bytes, plugin.devices[0].total_bytes);
}

// What a choice comes to, with the working plugin.
class Choices : public testing::Test {
 protected:
  void SetUp() override { setenv("HIPSPLAT_PLUGINS", (kFolder / "working").c_str(), 1); }
  void TearDown() override { unsetenv("HIPSPLAT_PLUGINS"); }
};

TEST_F(Choices, AutoTakesTheGpuAndSaysSo) {
  auto choice = make_backend("auto", -1, 1);
  ASSERT_TRUE(choice.ok()) << choice.error().message;
  EXPECT_EQ(choice->backend->info().name, "hip");
  EXPECT_EQ(choice->backend->size(), 0u);
  expect_parts(choice->reason, {"the only GPU", "GB"});
}

TEST_F(Choices, ByNameAndNumber) {
  auto choice = make_backend("hip", 0, 1);
  ASSERT_TRUE(choice.ok()) << choice.error().message;
  expect_parts(choice->reason, {"hip", "device 0"});
  auto missing = make_backend("hip", 3, 1);
  ASSERT_FALSE(missing.ok());
  expect_parts(missing.error().message, {"'hip' is not usable", "no device 3"});
  EXPECT_FALSE(make_backend("auto", 3, 1).ok());
  EXPECT_FALSE(make_backend("cuda", -1, 1).ok());
}

// One splat in the middle of 9 x 9 px, at its centre.
float alpha_of_a_splat(raster::Rasteriser<float>& rasteriser) {
  const float mean[] = {0, 0, 2}, quat[] = {1, 0, 0, 0}, scale[] = {1, 1, 1}, opacity = 0.5f;
  std::vector<float> alpha(81);
  raster::Camera camera;
  camera.fx = camera.fy = 9, camera.cx = camera.cy = 4.5;
  raster::Call<float> call;
  call.scene.splats = 1, call.scene.channels = 0;
  call.scene.means = mean, call.scene.quats = quat, call.scene.scales = scale, call.scene.opacities = &opacity;
  call.cameras = {&camera, 1};
  call.settings.width = call.settings.height = 9;
  call.pictures.alpha = alpha.data();
  rasteriser.forward(call);
  return alpha[40];
}

TEST_F(Choices, ARasteriserIsChosenLikewise) {
  for (const auto& [name, backend] :
       {std::pair("auto", "hip"), {"hip", "hip"}, {"cpu", "cpu"}, {"reference", "reference"}}) {
    auto choice = make_rasteriser(name, -1, 1);
    ASSERT_TRUE(choice.ok()) << choice.error().message;
    EXPECT_EQ(choice->backend, backend);
    EXPECT_FALSE(choice->reason.empty());
    EXPECT_FLOAT_EQ(alpha_of_a_splat(*choice->rasteriser), 0.5f) << name;
  }
  EXPECT_FALSE(make_rasteriser("hip", 3, 1).ok());
  EXPECT_FALSE(make_rasteriser("cuda", -1, 1).ok());
}

TEST_F(Choices, TheListNamesTheDevice) {
  for (const BackendStatus& status : list_backends(1)) {
    EXPECT_EQ(status.usable, status.name != "cuda") << status.reason;
    EXPECT_FALSE(status.reason.empty());
    if (status.name == "hip") expect_parts(status.devices.at(0), {"emulated GPU of wave size 32", "4.3 GB"});
  }
}

TEST(Targets, AmdCodeRunsOnItsOwnArchitecture) {
  EXPECT_TRUE(gpu::has_code_for("gfx906 gfx90a gfx1030", "gfx90a"));
  EXPECT_TRUE(gpu::has_code_for("gfx906", "gfx906"));
  EXPECT_FALSE(gpu::has_code_for("gfx906 gfx90a gfx1030", "gfx90"));
  EXPECT_FALSE(gpu::has_code_for("gfx906 gfx90a gfx1030", "gfx1031"));
  EXPECT_FALSE(gpu::has_code_for("", "gfx1031"));
  EXPECT_FALSE(gpu::has_code_for("gfx11-generic", "gfx1100")) << "rocPRIM's kernels are made for one name";
}

TEST(Targets, ProcessorsOwnGpusAreKnownByTheirArchitecture) {
  for (const char* own : {"gfx90c", "gfx1036", "gfx1103", "gfx1151"}) EXPECT_TRUE(gpu::is_processors_own(own)) << own;
  for (const char* card : {"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "sm_90"})
    EXPECT_FALSE(gpu::is_processors_own(card)) << card;
}

TEST(Targets, NvidiaCodeRunsOnItsMajorNumberAndPtxFromItOn) {
  const char* const targets = "sm_75 sm_80 sm_90 compute_90";
  EXPECT_TRUE(gpu::has_code_for(targets, "sm_75"));
  EXPECT_TRUE(gpu::has_code_for(targets, "sm_86"));
  EXPECT_TRUE(gpu::has_code_for(targets, "sm_90"));
  EXPECT_TRUE(gpu::has_code_for(targets, "sm_120")) << "by its PTX";
  EXPECT_FALSE(gpu::has_code_for(targets, "sm_70"));
  EXPECT_FALSE(gpu::has_code_for("sm_86", "sm_80"));
  EXPECT_FALSE(gpu::has_code_for("sm_90", "sm_100"));
}

}  // namespace
}  // namespace splat
