// --train through the program: what it writes, what it says, and that the same seed gives the same bytes.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>

#include "io/cameras_json.h"
#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

// Density control within 300 iterations, so that every part of training takes part.
const std::vector<std::string> kBusySchedule{"--strategy",         "adc",     "--densify-from",        "50",
                                             "--densify-every",    "50",      "--densify-until",       "250",
                                             "--densify-gradient", "0.00005", "--opacity-reset-every", "120"};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Train, AFolderGetsTheWholeLayout) {
  const SceneOnDisk scene("scene with ü");
  const fs::path out = scene.output("out put ä/run");
  fs::create_directory(out.parent_path());
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "40", "--eval", "--test-every", "5", "--save-at",
                       "20", "--threads", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"point_cloud/iteration_40/point_cloud.ply", "point_cloud/iteration_20/point_cloud.ply",
                           "cameras.json", "input.ply", "cfg_args", "metrics.json", "config.json",
                           "checkpoints/iteration_40.checkpoint", "report.html", "log.txt"})
    EXPECT_GT(text_of(out / name).size(), 0u) << name;
  EXPECT_NE(ran.out.find((out / "point_cloud/iteration_40/point_cloud.ply").string()), std::string::npos);
  EXPECT_NE(ran.out.find((out / "report.html").string()), std::string::npos);
  EXPECT_NE(ran.out.find("PSNR"), std::string::npos);

  const auto cameras = io::read_cameras_json(out / "cameras.json");
  ASSERT_TRUE(cameras.ok()) << cameras.error().message;
  EXPECT_EQ(cameras->size(), 10u);
  const auto points = io::read_point_cloud_ply(out / "input.ply");
  ASSERT_TRUE(points.ok()) << points.error().message;
  EXPECT_EQ(points->size(), 120u);

  const std::string cfg = text_of(out / "cfg_args");
  EXPECT_TRUE(cfg.starts_with("Namespace(") && cfg.ends_with(")")) << cfg;
  for (const std::string& part :
       {"source_path='" + scene.dataset() + "'", "model_path='" + out.string() + "'", std::string("sh_degree=3"),
        std::string("images='images'"), std::string("resolution=-1"), std::string("white_background=False"),
        std::string("eval=True")})
    EXPECT_NE(cfg.find(part), std::string::npos) << part << " in " << cfg;

  for (const auto& entry : fs::recursive_directory_iterator(out))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

TEST(Train, ASplatFileIsWrittenAlone) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("only/splats.ply");
  fs::create_directory(out.parent_path());
  const Ran ran =
      run({"--train", scene.dataset(), "-o", out, "-i", "10", "--far-points", "0", "--matched-photos", "0"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto file = io::read_splat_file(out);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->gaussians.size(), 120u);
  EXPECT_EQ(std::distance(fs::directory_iterator(out.parent_path()), {}), 1);
}

TEST(Train, NoIterationsWriteTheInitialSplats) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("start.ply");
  const Ran ran =
      run({"--train", scene.dataset(), "-o", out, "-i", "0", "--far-points", "0", "--matched-photos", "0", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json summary = ran.summary();
  EXPECT_EQ(summary["iterations"], 0);
  EXPECT_EQ(summary["splats"], 120);
  const auto file = io::read_splat_file(out);
  ASSERT_TRUE(file.ok());
  EXPECT_NEAR(1 / (1 + std::exp(-file->gaussians.logit_opacities[0])), 0.1, 1e-6);
}

TEST(Train, PhotosAreMatchedForMoreSplatsByBudgetAndWhereAsked) {
  const SceneOnDisk scene;
  const auto starting = [&](std::vector<std::string> more) {
    std::vector<std::string> words{
        "--train", scene.dataset(), "-o", scene.output("start.ply"), "-i", "0", "--far-points", "0", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const int splats = ran.summary()["splats"];
    EXPECT_EQ(ran.err.find(" splats start where photos look alike") != std::string::npos, splats > 120) << ran.err;
    return splats;
  };
  EXPECT_GT(starting({}), 120);
  EXPECT_EQ(starting({"--matched-photos", "0"}), 120);
  EXPECT_EQ(starting({"--strategy", "adc"}), 120);
  EXPECT_GT(starting({"--strategy", "adc", "--matched-photos", "10"}), 120);
  expect_refused(run({"--train", scene.dataset(), "-o", scene.output("no.ply"), "--matched-photos", "-2"}), 2,
                 {"matched"});
}

TEST(Train, JsonLinesParseAndTheSummaryHasItsNames) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  const Ran ran =
      run({"--train", scene.dataset(), "-o", out, "-i", "60", "--eval", "--seed", "7", "--json", "--quiet"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const std::vector<nlohmann::json> lines = ran.json_lines();
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines.front()["type"], "start");
  EXPECT_EQ(lines.back()["type"], "summary");
  const nlohmann::json& summary = lines.back();
  for (const char* name : {"backend", "device", "reason", "seed", "iterations", "seconds", "iterations_per_second",
                           "splats", "psnr", "ssim", "flip", "views", "peak_rss_bytes", "history"})
    EXPECT_TRUE(summary.contains(name)) << name;
  EXPECT_EQ(summary["backend"], "cpu");
  EXPECT_EQ(summary["seed"], 7);
  EXPECT_EQ(summary["iterations"], 60);
  EXPECT_EQ(summary["views"].size(), 2u);  // 0 and 8 of 10
  EXPECT_GT(summary["psnr"].get<double>(), 10.0);
  EXPECT_GT(summary["peak_rss_bytes"].get<uint64_t>(), 1'000'000u);
  EXPECT_FALSE(summary["history"].empty());

  nlohmann::json metrics = nlohmann::json::parse(text_of(out / "metrics.json"));
  for (const auto& [name, value] : metrics.items()) EXPECT_EQ(summary[name], value) << name;
}

TEST(Train, WithoutHeldOutViewsThereAreNoFigures) {
  const SceneOnDisk scene;
  const Ran ran = run({"--train", scene.dataset(), "-o", scene.output("o.ply"), "-i", "5", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.summary()["psnr"].is_null());
  EXPECT_TRUE(ran.summary()["ssim"].is_null());
  EXPECT_TRUE(ran.summary()["flip"].is_null());
  EXPECT_TRUE(ran.summary()["views"].empty());
}

TEST(Train, TrainingImprovesTheHeldOutViews) {
  const SceneOnDisk scene;
  const std::vector<std::string> base{"--train", scene.dataset(), "-o", scene.output("o.ply"),
                                      "--eval",  "--json",        "-i"};
  const double before = run(joined(base, {"0"})).summary()["psnr"],
               after = run(joined(base, {"400"})).summary()["psnr"];
  EXPECT_GT(after, before + 3) << "dB";
}

TEST(Train, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  const SceneOnDisk scene;
  std::vector<std::string> files;
  for (const char* threads : {"1", "2", "5"}) {
    const fs::path out = scene.output(std::string("t") + threads + ".ply");
    const Ran ran =
        run(joined({"--train", scene.dataset(), "-o", out, "-i", "300", "--seed", "3", "--threads", threads, "--json"},
                   kBusySchedule));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(ran.summary()["splats"].get<int>(), 130) << "density control took part";
    files.push_back(text_of(out));
  }
  EXPECT_GT(files[0].size(), 10'000u);
  EXPECT_TRUE(files[0] == files[1]) << "2 threads";
  EXPECT_TRUE(files[0] == files[2]) << "5 threads";
  const fs::path other = scene.output("other.ply");
  ASSERT_EQ(run(joined({"--train", scene.dataset(), "-o", other, "-i", "300", "--seed", "4"}, kBusySchedule)).code, 0);
  EXPECT_FALSE(files[0] == text_of(other)) << "another seed";
}

TEST(Train, GrowthStopsAtTheLimit) {
  const SceneOnDisk scene;
  const Ran ran = run(
      joined({"--train", scene.dataset(), "-o", scene.output("o.ply"), "-i", "300", "--max-splats", "150", "--json"},
             kBusySchedule));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(ran.summary()["splats"].get<int>(), 150);
}

TEST(Train, ConfigJsonRepeatsTheRun) {
  const SceneOnDisk scene;
  const fs::path first = scene.output("first"), second = scene.output("second");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", first, "-i", "30", "--seed", "9", "--sh-degree", "1", "--background",
                 "white", "--eval"})
                .code,
            0);
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", second, "--config", first / "config.json"}).code, 0);
  const char* file = "point_cloud/iteration_30/point_cloud.ply";
  EXPECT_TRUE(text_of(first / file) == text_of(second / file));
  EXPECT_EQ(text_of(first / "config.json"), text_of(second / "config.json"));
}

TEST(Train, ConfigJsonRepeatsWhatWasHeldOut) {
  const SceneOnDisk scene;
  const std::vector<std::vector<std::string>> splits{{}, {"--test-images", "photo_101.png,photo_105.png"}};
  for (const auto& split : splits) {
    const fs::path first = scene.output("first"), second = scene.output("second");
    const Ran ran = run(joined({"--train", scene.dataset(), "-o", first, "-i", "5", "--json"}, split));
    const Ran again = run({"--train", scene.dataset(), "-o", second, "--config", first / "config.json", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.summary()["views"], ran.summary()["views"]);
    EXPECT_EQ(again.summary()["views"].size(), split.empty() ? 0u : 2u);
  }
}

TEST(Train, PlainLinesWhereThereIsNoTerminal) {
  const SceneOnDisk scene;
  const Ran ran = run({"--train", scene.dataset(), "-o", scene.output("out"), "-i", "30", "--eval"});
  EXPECT_EQ(ran.err.find('\r'), std::string::npos);
  EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
  EXPECT_NE(ran.err.find("backend cpu"), std::string::npos) << "the choice is said out loud";
  EXPECT_NE(text_of(scene.output("out") + "/log.txt").find("held-out PSNR"), std::string::npos);
}

TEST(Train, AnEarlierRunIsReplacedFileByFileAndTheRestStays) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "10"}).code, 0);
  std::ofstream(out / "notes.txt") << "mine";
  const Ran again = run({"--train", scene.dataset(), "-o", out, "-i", "12"});
  ASSERT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("earlier run"), std::string::npos);
  EXPECT_EQ(text_of(out / "notes.txt"), "mine");
  EXPECT_TRUE(fs::exists(out / "point_cloud/iteration_10/point_cloud.ply"));
  EXPECT_EQ(nlohmann::json::parse(text_of(out / "metrics.json"))["iterations"], 12);
}

// The process that this one has started; 0: none.
pid_t child_of_this() {
  pid_t child = 0;
  std::ifstream("/proc/thread-self/children") >> child;
  return child;
}

bool handles_interrupts(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;)
    if (word == "SigCgt:") return status >> word && (std::stoull(word, nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

// README: exit code 130 after a checkpoint was written, or before there was anything to keep.
TEST(Train, InterruptedWhileItLoadsItWritesNothing) {
  const SceneOnDisk scene;
  std::filesystem::remove(fs::path(scene.dataset()) / "sparse/0/points3D.txt");
  RunOptions options;
  options.signal = SIGINT;
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(5);  // where the system names no children
  options.when = [&] {
    const pid_t child = child_of_this();
    return (child > 0 && handles_interrupts(child)) || std::chrono::steady_clock::now() > latest;
  };
  const fs::path out = scene.output("out");
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "1000000", "--random-splats", "400000"}, options);
  EXPECT_EQ(ran.code, 130) << ran.err;
  const bool before = ran.err.find("nothing was written") != std::string::npos;
  EXPECT_EQ(fs::exists(out), !before) << ran.err;
  EXPECT_EQ(ran.out.find(".checkpoint") != std::string::npos, !before) << ran.out;
}

// By counts, not by the clock: equal runs have equal histories, and equal bytes in their checkpoints.
TEST(Train, WhichIterationsAreScoredDoesNotDependOnTime) {
  const SceneOnDisk scene;
  std::vector<std::string> checkpoints;
  for (const char* name : {"a", "b"}) {
    const fs::path out = scene.output(name);
    ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "100", "--eval", "--threads", "2"}).code, 0);
    std::vector<int> scored;
    const auto metrics = nlohmann::json::parse(text_of(out / "metrics.json"));
    for (const auto& entry : metrics["history"])
      if (entry.contains("psnr")) scored.push_back(entry["iteration"]);
    // Two held-out views cost 0.7 iterations, of which 5 % of 100 may be spent: 7 times.
    EXPECT_EQ(scored, (std::vector<int>{14, 28, 42, 56, 70, 84, 98, 100}));
    checkpoints.push_back(text_of(out / "checkpoints/iteration_100.checkpoint"));
  }
  EXPECT_TRUE(checkpoints[0] == checkpoints[1]);
}

}  // namespace
}  // namespace app::test
