// Several plugins, each for one major version of AMD's runtime or of CUDA: which is taken, with runtimes of these names
// that do nothing. Each choice is made in a process of its own, since runtimes stay loaded.
#include "devices/plugin_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "devices/plugins.h"
#include "tests/support/temp_folder.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

const fs::path kPlugins = HIPSPLAT_TEST_PLUGINS;

// The folder of plugins with these majors, and a ROCm folder with these runtimes.
class Machine {
 public:
  Machine(const std::string& name, const std::set<int>& plugins, const std::set<int>& runtimes) {
    for (const int major : plugins) link(name + std::to_string(major), plugin_folder());
    fs::create_directories(folder_.path() / "rocm/lib");
    for (const int major : runtimes) {
      const std::string file = "libamdhip64.so." + std::to_string(major);
      fs::create_symlink(kPlugins / "runtimes" / std::to_string(major) / file, folder_.path() / "rocm/lib" / file);
    }
    setenv("ROCM_PATH", (folder_.path() / "rocm").c_str(), 1);
  }
  ~Machine() { unsetenv("ROCM_PATH"); }
  fs::path plugin_folder() const { return folder_.path() / "plugins"; }
  const test::TempFolder& folder() const { return folder_; }

 private:
  static void link(const std::string& plugin, const fs::path& folder) {
    const std::string file = "libhipsplat-" + plugin + ".so";
    fs::create_directories(folder);
    fs::create_symlink(kPlugins / "majors" / file, folder / file);
  }
  test::TempFolder folder_;
};

std::string loaded_runtimes() {
  std::set<std::string> names;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const size_t at = line.find("libamdhip64.so."); at != std::string::npos) names.insert(line.substr(at, 16));
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

// For the parent, which reads it from stderr.
[[noreturn]] void report(const GpuPlugin& plugin) {
  std::cerr << "device=" << (plugin.devices.empty() ? "none" : plugin.devices[0].name) << "; problem=" << plugin.problem
            << "; cure=" << plugin.cure << "; loaded=" << loaded_runtimes();
  for (const PluginTry& one : plugin.tried)
    std::cerr << "; " << one.file.filename().string() << " " << (one.refusal.empty() ? "taken" : one.refusal);
  std::_Exit(0);
}

#define EXPECT_REPORT(plugin, text) EXPECT_EXIT(report(plugin), testing::ExitedWithCode(0), text)

TEST(PluginFilesDeathTest, TheNewestWhoseRuntimeIsThereIsTaken) {
  for (const int newest : {7, 6}) {
    const std::string name = std::to_string(newest);
    std::set<int> runtimes{6};
    runtimes.insert(newest);
    const Machine machine("hip", {5, 6, 7}, runtimes);
    EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder()}),
                  "device=GPU of hip " + name + "; problem=; cure=; loaded=libamdhip64.so." + name + " ;");
  }
}

TEST(PluginFilesDeathTest, WhatWasTriedIsSaid) {
  const Machine machine("hip", {6, 7}, {6});
  EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder()}),
                "libhipsplat-hip7.so needs libamdhip64.so.7, which is not installed; libhipsplat-hip6.so taken");
}

// Debian 12 has a runtime of version 5, which may be installed where this test runs.
TEST(PluginFilesDeathTest, OneOfVersionFive) {
  const Machine machine("hip", {5}, {5});
  EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder()}),
                "device=GPU of hip 5; problem=; .*loaded=libamdhip64.so.5 ");
}

TEST(PluginFilesDeathTest, WithoutARuntimeItsNamesAndPackagesAreNamed) {
  const Machine machine("hip", {6, 7}, {});
  EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder()}),
                "device=none; problem=AMD's runtime is not installed: the plugin needs libamdhip64.so.7 or "
                "libamdhip64.so.6; cure=install ROCm's HIP runtime .*; loaded=;");
}

TEST(PluginFilesDeathTest, ARuntimeThatDoesNotOpenIsPassedOver) {
  const Machine machine("hip", {6, 7}, {6});
  machine.folder().write("rocm/lib/libamdhip64.so.7", "no library");
  EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder()}),
                "device=GPU of hip 6;.*hip7.so needs libamdhip64.so.7, which does not open: .*hip6.so taken");
  const Machine alone("hip", {7}, {});
  alone.folder().write("rocm/lib/libamdhip64.so.7", "no library");
  EXPECT_REPORT(load_plugin("hip", {alone.plugin_folder()}),
                "device=none; problem=the plugin '.*hip7.so' needs .*not open");
}

// --doctor looks twice.
TEST(PluginFilesDeathTest, ASecondLookSaysTheSame) {
  const Machine machine("hip", {6, 7}, {6});
  const auto second = [&] {
    load_plugin("hip", {machine.plugin_folder()});
    return load_plugin("hip", {machine.plugin_folder()});
  };
  EXPECT_REPORT(second(),
                "device=GPU of hip 6;.*hip7.so needs libamdhip64.so.7, which is not installed.*hip6.so taken");
}

TEST(PluginFilesDeathTest, OneProcessNeverUsesTwoRuntimes) {
  const Machine six("hip", {6}, {});
  const Machine machine("hip", {7}, {6, 7});
  const auto second = [&] {
    load_plugin("hip", {machine.plugin_folder()});
    return load_plugin("hip", {six.plugin_folder()});
  };
  EXPECT_REPORT(second(), "device=none;.*loaded=libamdhip64.so.7 ;.*this process uses libamdhip64.so.7 already");
}

TEST(PluginFilesDeathTest, AFolderBeforeAnotherCountsMoreThanTheNumber) {
  const Machine newer("hip", {7}, {});
  const Machine machine("hip", {6}, {6, 7});
  EXPECT_REPORT(load_plugin("hip", {machine.plugin_folder(), newer.plugin_folder()}), "device=GPU of hip 6;");
}

TEST(PluginFilesDeathTest, OfCudaTheNewestThatTheDriverIsFor) {
  const Machine machine("cuda", {12, 13}, {});
  for (const auto& [driver, taken] : {std::pair("13", "13"), std::pair("12", "12"), std::pair("11", "12")}) {
    setenv("HIPSPLAT_STUB_DRIVER", driver, 1);
    EXPECT_REPORT(load_plugin("cuda", {machine.plugin_folder()}), std::string("device=GPU of cuda ") + taken + ";");
  }
  setenv("HIPSPLAT_STUB_DRIVER", "12", 1);
  EXPECT_REPORT(load_plugin("cuda", {machine.plugin_folder()}),
                "cuda13.so was built for CUDA 13, and the driver is for 12; libhipsplat-cuda12.so taken");
  unsetenv("HIPSPLAT_STUB_DRIVER");
}

TEST(PluginFiles, AreInOrderWithWhatTheyNeed) {
  const Machine machine("hip", {5, 7}, {});
  const test::TempFolder other;
  for (const char* name : {"libhipsplat-hip.so", "libhipsplat-hip6.so", "libhipsplat-hipx.so",
                           "libhipsplat-hip6.so.old", "libhipsplat-cuda12.so"})
    other.write(name,
                "\x7f"
                "ELF and nothing that follows from it");
  std::string text;
  for (const PluginFile& file : plugin_files("hip", {other.path(), other.path() / "none", machine.plugin_folder()}))
    text += file.path.filename().string() + "(" + file.runtime + ") ";
  EXPECT_EQ(text,
            "libhipsplat-hip6.so() libhipsplat-hip.so() libhipsplat-hip7.so(libamdhip64.so.7) "
            "libhipsplat-hip5.so(libamdhip64.so.5) ");
}

TEST(PluginFiles, RuntimesAreLookedForInTheNewestRocmFirst) {
  const test::TempFolder root;
  const char* const there[] = {"opt/rocm-6.4.1",
                               "opt/rocm-7.10.0",
                               "opt/rocm-7.9.2",
                               "opt/rocm/core-10.1",
                               "opt/rocm/core-10.0",
                               "opt/rocm/core-9.2",
                               "opt/other",
                               "opt/rocm/extras-10",
                               "opt/rocmcore-11",
                               "me/.local/lib/python3.9/site-packages/_rocm_sdk_core",
                               "me/.local/lib/python3.12/site-packages/_rocm_sdk_core",
                               "me/.local/lib/python3.12/site-packages/numpy"};
  for (const char* name : there) fs::create_directories(root.path() / name);
  const std::string home = (root.path() / "me").string();
  std::vector<fs::path> expected;
  for (const char* name :
       {"opt/rocm", "opt/rocm/core", "opt/rocm/core-10.1", "opt/rocm/core-10.0", "opt/rocm/core-9.2", "opt/rocm-7.10.0",
        "opt/rocm-7.9.2", "opt/rocm-6.4.1", "me/.local/lib/python3.12/site-packages/_rocm_sdk_core",
        "me/.local/lib/python3.9/site-packages/_rocm_sdk_core"})
    expected.push_back(root.path() / name / "lib");
  std::map<std::string, std::string> set{{"HOME", home}};
  const Variables variables = [&](const char* name) { return set.contains(name) ? set[name].c_str() : nullptr; };
  EXPECT_EQ(runtime_folders(variables, root.path()), expected);

  set = {{"HOME", home}, {"ROCM_PATH", "/mine"}, {"ROCM_HOME", ""}, {"HIP_PATH", "/theirs"}};
  expected.insert(expected.begin(), {"/mine/lib", "/theirs/lib"});
  EXPECT_EQ(runtime_folders(variables, root.path()), expected);
}

}  // namespace
}  // namespace splat
