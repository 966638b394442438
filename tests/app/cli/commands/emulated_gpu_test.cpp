// The program on a GPU, emulated: from --backend to the files, and what it says where the GPU fails it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "tests/support/amd_machines.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

const fs::path kPlugins = HIPSPLAT_TEST_PLUGINS;

class Program : public testing::Test {
 protected:
  void SetUp() override { use("working", ""); }
  void TearDown() override { use("", ""); }
  static void use(const std::string& plugin, const std::string& device) {
    setenv("HIPSPLAT_PLUGINS", (kPlugins / plugin).c_str(), 1);
    setenv("HIPSPLAT_EMULATOR", device.c_str(), 1);
    if (plugin.empty()) unsetenv("HIPSPLAT_PLUGINS"), unsetenv("HIPSPLAT_EMULATOR");
  }
  static std::vector<std::string> training(const SceneOnDisk& scene, const std::string& out,
                                           const std::vector<std::string>& more) {
    std::vector<std::string> words{"--train", scene.dataset(), "-o", scene.output(out), "-i", "40", "--eval"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static nlohmann::json metrics(const SceneOnDisk& scene, const std::string& out) {
    return nlohmann::json::parse(text_of(fs::path(scene.output(out)) / "metrics.json"));
  }
};

TEST_F(Program, TrainsAsWellAsOnTheCpu) {
  const SceneOnDisk scene;
  const Ran gpu = run(training(scene, "gpu", {}));
  ASSERT_EQ(gpu.code, 0) << gpu.err;
  EXPECT_NE(gpu.err.find("backend hip (emulated GPU of wave size 32): the only GPU"), std::string::npos) << gpu.err;
  ASSERT_EQ(run(training(scene, "cpu", {"--backend", "cpu"})).code, 0);
  const nlohmann::json on_gpu = metrics(scene, "gpu"), on_cpu = metrics(scene, "cpu");
  EXPECT_EQ(on_gpu["backend"], "hip");
  EXPECT_EQ(on_cpu["backend"], "cpu");
  EXPECT_NEAR(on_gpu["psnr"].get<double>(), on_cpu["psnr"].get<double>(), 0.05);
  EXPECT_GT(on_gpu["psnr"].get<double>(), 15);
}

TEST_F(Program, ACheckpointOfOneBackendGoesOnOnAnother) {
  const SceneOnDisk scene;
  for (const auto& [first, second] : {std::pair("cpu", "hip"), std::pair("hip", "cpu")}) {
    const std::string half = std::string("half_") + first, rest = std::string("rest_") + second;
    ASSERT_EQ(run(training(scene, half, {"--backend", first, "--checkpoint-every", "20"})).code, 0);
    const std::string checkpoint = scene.output(half) + "/checkpoints/iteration_20.checkpoint";
    const Ran resumed =
        run({"--train", scene.dataset(), "-o", scene.output(rest), "--resume", checkpoint, "--backend", second});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(metrics(scene, rest)["backend"], second);
    EXPECT_NEAR(metrics(scene, rest)["psnr"].get<double>(), metrics(scene, half)["psnr"].get<double>(), 0.05);
  }
}

TEST_F(Program, DeterministicRunsAreTheSameBytes) {
  const SceneOnDisk scene;
  for (const char* out : {"one.ply", "two.ply"}) ASSERT_EQ(run(training(scene, out, {"--deterministic"})).code, 0);
  EXPECT_TRUE(text_of(scene.output("one.ply")) == text_of(scene.output("two.ply")));
}

TEST_F(Program, ADeviceWithoutCodeIsRefusedByName) {
  use("working", "architecture=gfx1036");
  const SceneOnDisk scene;
  expect_refused(run(training(scene, "x.ply", {"--backend", "hip"})), 3, {"gfx1036", "emulated gfx1030"});
  EXPECT_FALSE(fs::exists(scene.output("x.ply")));
  const Ran fallen_back = run(training(scene, "x.ply", {"-i", "1"}));
  EXPECT_EQ(fallen_back.code, 0);
  EXPECT_NE(fallen_back.err.find("backend cpu"), std::string::npos);
  EXPECT_NE(fallen_back.err.find("gfx1036"), std::string::npos) << "auto says why: " << fallen_back.err;
}

TEST_F(Program, WithoutAPluginThereIsNoSilentFallback) {
  use("no_such_folder", "");
  const SceneOnDisk scene;
  for (const char* name : {"hip", "cuda"})
    expect_refused(run(training(scene, "x.ply", {"--backend", name})), 3, {name, "plugin"});
}

TEST_F(Program, OneOfTwoDevices) {
  use("working", "devices=2 wave=64");
  const SceneOnDisk scene;
  const Ran second = run(training(scene, "x.ply", {"--device", "1", "-i", "2"}));
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_NE(second.err.find("wave size 64"), std::string::npos);
  expect_refused(run(training(scene, "y.ply", {"--backend", "hip", "--device", "2"})), 3, {"no device 2", "only 2"});
}

TEST_F(Program, ALostDeviceEndsTheRunWithTheLastCheckpoint) {
  use("working", "lost_after=600");
  const SceneOnDisk scene;
  const Ran ran = run(training(scene, "out", {"-i", "500", "--checkpoint-every", "10"}));
  EXPECT_EQ(ran.code, 1);
  ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
  const std::string sentence = ran.error_lines()[0];
  EXPECT_NE(sentence.find("device lost"), std::string::npos) << sentence;
  const size_t at = sentence.find("the last checkpoint is '");
  ASSERT_NE(at, std::string::npos) << sentence;
  const std::string path = sentence.substr(at + 24, sentence.find('\'', at + 24) - at - 24);
  use("working", "");
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", scene.output("rest.ply"), "--resume", path, "-i", "60"}).code, 0);
}

// Runtimes abort the process where a kernel faults: that must not be this process.
TEST_F(Program, AGpuThatEndsTheProcessIsReplacedByTheCpuOrRefused) {
  use("working", "aborts_after=1");
  const SceneOnDisk scene;
  const Ran fallen_back = run(training(scene, "x.ply", {"-i", "1"}));
  EXPECT_EQ(fallen_back.code, 0) << fallen_back.err;
  EXPECT_NE(fallen_back.err.find("backend cpu"), std::string::npos) << fallen_back.err;
  const std::string sentence = "emulated GPU of wave size 32 ends the process that uses it (Aborted)";
  EXPECT_NE(fallen_back.err.find(sentence), std::string::npos) << fallen_back.err;
  expect_refused(run(training(scene, "y.ply", {"--backend", "hip"})), 3, {"'hip' is not usable here", sentence});
  EXPECT_FALSE(fs::exists(scene.output("y.ply")));
  const Ran doctor = run({"--doctor"});
  EXPECT_EQ(doctor.code, 0) << doctor.err;
  EXPECT_NE(doctor.out.find(sentence), std::string::npos) << doctor.out;
}

// AMD's runtimes before ROCm 6.2 run nothing while they see a GPU that a program has no code for.
TEST_F(Program, TheProcessorsGpuWithoutCodeIsHidden) {
  const splat::test::AmdMachine machine({{16, 0, 0, 0, 0}, {0, 160, 100300, 1, 0}, {0, 4, 100306, 0, 0}});
  use("working", "architecture=gfx1030 beside=gfx1036");
  const SceneOnDisk scene;
  const std::vector<std::string> words = training(scene, "x.ply", {"--backend", "hip", "-i", "1"});
  expect_refused(run(words), 3, {"ends the process that uses it"});
  setenv("HIPSPLAT_AMD_NODES", machine.nodes().c_str(), 1);
  const Ran ran = run(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Ran doctor = run({"--doctor"});
  EXPECT_NE(doctor.out.find("gfx1036 (the processor's own), hidden"), std::string::npos) << doctor.out;
  unsetenv("HIPSPLAT_AMD_NODES");
}

TEST_F(Program, AGpuThatHangsIsGivenUp) {
  use("working", "hangs_after=1");
  setenv("HIPSPLAT_GPU_TEST_SECONDS", "1", 1);
  const SceneOnDisk scene;
  expect_refused(run(training(scene, "x.ply", {"--backend", "hip"})), 3, {"does not finish a first test within 1 s"});
  unsetenv("HIPSPLAT_GPU_TEST_SECONDS");
}

TEST_F(Program, TooLittleMemoryIsForeseen) {
  use("working", "memory=100000000");
  const SceneOnDisk scene;
  const Ran ran = run(training(scene, "x.ply", {}));
  expect_refused(ran, 2, {"GPU's memory", "-r 4", "--backend cpu"});
  EXPECT_EQ(ran.err.find("--max-splats"), std::string::npos) << "fewer splats than 120 would not help";
}

// Nobody named a number: the GPU's free memory does.
TEST_F(Program, GrowthStopsAtTheGpusMemory) {
  use("working", "memory=111500000");
  const SceneOnDisk scene;
  const Ran ran = run(training(
      scene, "out", {"--strategy", "adc", "--densify-gradient", "0", "--densify-from", "5", "--densify-every", "10"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("memory of the GPU: 112 MB free of 112 MB; room for 2"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("Memory is enough for about"), std::string::npos) << ran.err;
  const int splats = metrics(scene, "out")["splats"];
  EXPECT_GT(splats, 150);
  EXPECT_LT(splats, 300);
}

// The driver gives less than it promised.
TEST_F(Program, RefusedMemoryMeansLessGrowth) {
  use("working", "memory=100000000 reported=8000000000");
  const SceneOnDisk scene;
  const Ran ran = run(training(scene, "out", {"--max-splats", "1000000"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("has no room for 1000000 splats: growth will stop at"), std::string::npos) << ran.err;
}

TEST_F(Program, OutOfMemoryIsOneSentenceWithTheBytes) {
  const SceneOnDisk scene;
  bool failed = false, finished = false;
  for (int allocations : {5, 20, 40, 50, 55, 60, 65, 70, 80, 100}) {
    SCOPED_TRACE(allocations);
    use("working", "full_after=" + std::to_string(allocations));
    const Ran ran = run(training(scene, "out" + std::to_string(allocations), {"--backend", "hip", "-i", "20"}));
    finished |= ran.code == 0;
    failed |= ran.code == 1;
    if (ran.code == 0) continue;
    EXPECT_TRUE(ran.code == 1 || ran.code == 3) << ran.code;
    ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
    EXPECT_NE(ran.error_lines()[0].find("were wanted"), std::string::npos) << ran.err;
  }
  EXPECT_TRUE(finished) << "photos need not stay on the device";
  EXPECT_TRUE(failed);
}

TEST_F(Program, DoctorLooksAtEveryDevice) {
  use("working", "devices=2");
  const Ran ran = run({"--doctor", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json doctor = ran.json_lines().at(0);
  for (const auto& backend : doctor["backends"])
    if (backend["name"] == "hip") {
      EXPECT_TRUE(backend["usable"].get<bool>());
      EXPECT_EQ(backend["devices"].size(), 2u);
    }
  std::map<std::string, nlohmann::json> checks;
  for (const auto& check : doctor["checks"]) checks[check["name"]] = check;
  for (const char* name : {"hip plugin", "hip 0", "hip 1", "render hip 0", "render hip 1", "variables"}) {
    ASSERT_TRUE(checks.contains(name)) << name;
    EXPECT_FALSE(checks[name]["detail"].get<std::string>().empty());
  }
  EXPECT_TRUE(checks["render hip 1"]["ok"].get<bool>()) << checks["render hip 1"];
  EXPECT_NE(checks["hip 0"]["detail"].get<std::string>().find("waves of 32"), std::string::npos) << checks["hip 0"];
}

TEST_F(Program, DoctorNamesTheCure) {
  use("working", "architecture=gfx1036");
  const Ran ran = run({"--doctor"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"look here", "gfx1036", "-DHIPSPLAT_HIP_TARGETS=gfx1036"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

}  // namespace
}  // namespace app::test
