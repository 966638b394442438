// Checkpoints through the program: resuming gives the bytes of the uninterrupted run, also after Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

const char* const kFinal = "point_cloud/iteration_240/point_cloud.ply";

std::vector<std::string> training(const SceneOnDisk& scene, const fs::path& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"--train", scene.dataset(),
                                     "-o",      out,
                                     "-i",      "240",
                                     "--eval",  "--strategy",
                                     "adc",     "--densify-from",
                                     "50",      "--densify-every",
                                     "50",      "--densify-gradient",
                                     "0.00005", "--densify-until",
                                     "220",     "--opacity-reset-every",
                                     "90"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Resume, GoesOnToTheSameBytes) {
  const SceneOnDisk scene;
  const fs::path whole = scene.output("whole"), resumed = scene.output("resumed");
  const Ran first = run(training(scene, whole, {"--checkpoint-every", "100"}));
  ASSERT_EQ(first.code, 0) << first.err;
  const fs::path checkpoint = whole / "checkpoints/iteration_200.checkpoint";
  ASSERT_TRUE(fs::exists(checkpoint));
  const Ran second = run({"--train", scene.dataset(), "-o", resumed, "--resume", checkpoint, "--threads", "1"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(text_of(whole / kFinal) == text_of(resumed / kFinal));
  const auto metrics = nlohmann::json::parse(text_of(resumed / "metrics.json")),
             original = nlohmann::json::parse(text_of(whole / "metrics.json"));
  EXPECT_EQ(metrics["psnr"], original["psnr"]) << "the checkpoint remembers --eval";
  EXPECT_EQ(metrics["first_iteration"], 200);
  const auto kept = nlohmann::json::parse(text_of(whole / "seconds.json"));
  EXPECT_EQ(kept.size(), 2u) << "of the checkpoints that are there";
  EXPECT_EQ(kept["iteration_240.checkpoint"], original["seconds"]);
  EXPECT_GT(metrics["seconds"], kept["iteration_200.checkpoint"]) << "of all that it was trained for";
  EXPECT_LT(kept["iteration_200.checkpoint"], kept["iteration_240.checkpoint"]);
  const double speed = metrics["iterations_per_second"], seconds = metrics["seconds"];
  EXPECT_GE(speed * seconds, 240 - 1e-6) << "of all of it, too";
  EXPECT_LT(speed * seconds, 480) << "but for the time before the first iteration";
}

TEST(Resume, LeavesTheCheckpointAndTheSettingsOfAnUninterruptedRun) {
  const SceneOnDisk scene;
  const fs::path whole = scene.output("whole"), kept = scene.output("kept.checkpoint");
  const std::vector<std::string> words{"--train", scene.dataset(),      "-o", whole,       "-i",
                                       "60",      "--checkpoint-every", "30", "--threads", "1"};
  ASSERT_EQ(run(words).code, 0);
  const std::string settings = text_of(whole / "config.json"),
                    last = text_of(whole / "checkpoints/iteration_60.checkpoint");
  fs::copy_file(whole / "checkpoints/iteration_30.checkpoint", kept);
  std::vector<std::string> again = words;
  again.insert(again.end(), {"--resume", kept});
  const Ran resumed = run(again);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(text_of(whole / "config.json"), settings);
  EXPECT_TRUE(text_of(whole / "checkpoints/iteration_60.checkpoint") == last);
}

// Cameras that came to rest stay there.
TEST(Resume, WithMoreIterationsKeepsThePlannedSchedules) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out"), on = scene.output("on");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "60", "--poses", "on"}).code, 0);
  const Ran more =
      run({"--train", scene.dataset(), "-o", on, "-i", "120", "--resume", out / "checkpoints/iteration_60.checkpoint"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(nlohmann::json::parse(text_of(on / "metrics.json"))["poses"],
            nlohmann::json::parse(text_of(out / "metrics.json"))["poses"]);
  EXPECT_EQ(nlohmann::json::parse(text_of(on / "config.json"))["planned_iterations"], 60);
}

TEST(Resume, TheNewestTwoCheckpointsAreKept) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run(training(scene, out, {"--checkpoint-every", "50"})).code, 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"iteration_200.checkpoint", "iteration_240.checkpoint"}));
}

// A job that is interrupted again and again does not fill the disk, whatever its earlier processes left.
TEST(Resume, TheNewestTwoCheckpointsAreKeptOverInterruptions) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  std::vector<std::string> kept;
  for (int target = 60; target <= 240; target += 60) {
    std::vector<std::string> words{
        "--train", scene.dataset(), "-o", out, "-i", std::to_string(target), "--checkpoint-every", "30"};
    if (!kept.empty()) words.insert(words.end(), {"--resume", out / "checkpoints" / kept.back()});
    ASSERT_EQ(run(words).code, 0);
    kept = {"iteration_" + std::to_string(target - 30) + ".checkpoint",
            "iteration_" + std::to_string(target) + ".checkpoint"};
    for (const std::string& name : kept) EXPECT_TRUE(fs::exists(out / "checkpoints" / name)) << name;
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "checkpoints"), {}), 2) << target;
  }
  std::ofstream(out / "checkpoints/mine.checkpoint") << "kept by hand";
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "40", "--checkpoint-every", "20"}).code, 0);
  EXPECT_TRUE(fs::exists(out / "checkpoints/iteration_40.checkpoint")) << "the newest, not those of most iterations";
  EXPECT_TRUE(fs::exists(out / "checkpoints/mine.checkpoint"));
  EXPECT_EQ(std::distance(fs::directory_iterator(out / "checkpoints"), {}), 3);
}

TEST(Resume, CanGoPastTheOldTarget) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run(training(scene, out, {})).code, 0);
  const Ran more = run({"--train", scene.dataset(), "-o", out, "--resume", out / "checkpoints/iteration_240.checkpoint",
                        "-i", "260", "--json"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(more.summary()["iterations"], 260);
  EXPECT_TRUE(fs::exists(out / "point_cloud/iteration_260/point_cloud.ply"));
}

// Its learning rates are those of the longer run: taken, as a stop is, but not without a word.
TEST(Resume, EndedEarlierThanPlannedItSaysSo) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "40", "--checkpoint-every", "20"}).code, 0);
  const auto resume = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--train",         scene.dataset(), "-o",
                                   scene.output("x"), "--resume",      out / "checkpoints/iteration_20.checkpoint"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Ran fewer = resume({"-i", "30"});
  EXPECT_EQ(fewer.code, 0);
  EXPECT_NE(fewer.err.find("of a run of 40 iterations"), std::string::npos) << fewer.err;
  EXPECT_EQ(resume({"-i", "40"}).err.find("of a run of"), std::string::npos);
}

TEST(Resume, CtrlCWritesACheckpointThatGoesOnToTheSameBytes) {
  const SceneOnDisk scene;
  const fs::path whole = scene.output("whole"), broken = scene.output("broken");
  ASSERT_EQ(run(training(scene, whole, {})).code, 0);
  for (int signal : {SIGINT, SIGTERM}) {
    RunOptions interrupt;
    interrupt.signal = signal;
    interrupt.when = [&] { return fs::exists(broken / "point_cloud/iteration_30/point_cloud.ply"); };
    const Ran stopped = run(training(scene, broken, {"--save-at", "30"}), interrupt);
    ASSERT_EQ(stopped.code, 130) << stopped.err;
    const std::string path = stopped.out.substr(0, stopped.out.find('\n'));
    EXPECT_NE(stopped.err.find(path), std::string::npos) << "the sentence names the checkpoint too";
    ASSERT_TRUE(fs::exists(path)) << path;
    EXPECT_FALSE(fs::exists(broken / kFinal));
    ASSERT_EQ(run({"--train", scene.dataset(), "-o", broken, "--resume", path}).code, 0);
    EXPECT_TRUE(text_of(whole / kFinal) == text_of(broken / kFinal));
    fs::remove_all(broken);
  }
}

TEST(Resume, AnInterruptedSingleFileHasItsCheckpointBeside) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("long.ply");
  RunOptions interrupt;
  interrupt.signal = SIGINT;
  const auto start = std::chrono::steady_clock::now();
  interrupt.when = [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(700); };
  const Ran stopped = run({"--train", scene.dataset(), "-o", out, "-i", "1000000"}, interrupt);
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_EQ(stopped.out, out.string() + ".checkpoint\n");
  EXPECT_FALSE(fs::exists(out));
}

TEST(Resume, AClosedTerminalWritesACheckpointHoweverOftenItSaysSo) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("long.ply");
  RunOptions closed;
  closed.signal = SIGHUP;
  const auto start = std::chrono::steady_clock::now();
  closed.when = [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(700); };
  closed.again = [] { return true; };
  const Ran stopped = run({"--train", scene.dataset(), "-o", out, "-i", "1000000"}, closed);
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_TRUE(fs::exists(out.string() + ".checkpoint"));
}

bool any_partial_file(const fs::path& folder) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (entry.path().string().find(".part") != std::string::npos) return true;
  return false;
}

TEST(Resume, ASecondCtrlCEndsAtOnceAndLeavesNoPartialFile) {
  const SceneOnDisk scene;
  fs::remove(fs::path(scene.dataset()) / "sparse/0/points3D.txt");
  const fs::path out = scene.output("out"), checkpoints = out / "checkpoints";
  RunOptions impatient;
  impatient.signal = SIGINT;
  impatient.when = [&] { return text_of(out / "log.txt").find("training ") != std::string::npos; };
  impatient.again = [&] { return any_partial_file(checkpoints); };
  for (int attempt = 0; attempt < 5; ++attempt) {  // the second must fall into the writing of 70 MB
    fs::remove_all(out);
    const Ran stopped =
        run({"--train", scene.dataset(), "-o", out, "-i", "1000000", "--random-splats", "100000"}, impatient);
    ASSERT_EQ(stopped.code, 130) << stopped.err;
    EXPECT_FALSE(any_partial_file(checkpoints));
    if (stopped.signalled_again) return;
  }
  ADD_FAILURE() << "the checkpoint was always complete before the second signal";
}

TEST(Resume, RefusesWhatDoesNotFit) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run(training(scene, out, {"--seed", "5"})).code, 0);
  const std::string checkpoint = out / "checkpoints/iteration_240.checkpoint";
  const auto resume = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--train", scene.dataset(), "-o", scene.output("again"), "--resume", checkpoint};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  expect_refused(resume({"--seed", "6"}), 2, {"--seed", "6", "5"});
  expect_refused(resume({"-i", "100"}), 2, {"240", "--iterations"});
  expect_refused(resume({"-r", "2"}), 2, {checkpoint});
  expect_refused(resume({"--test-every", "3"}), 2, {checkpoint});
  expect_refused(resume({"--test-images", "photo_101.png"}), 2, {checkpoint});
  EXPECT_EQ(resume({"--seed", "5"}).code, 0) << "saying the same again is no contradiction";

  const std::string bytes = text_of(checkpoint);
  scene.write("cut.checkpoint", bytes.substr(0, bytes.size() / 2));
  scene.write("noise.checkpoint", "not a checkpoint");
  const auto from = [&](const std::string& path) {
    return run({"--train", scene.dataset(), "-o", scene.output("x"), "--resume", path});
  };
  expect_refused(from(scene.dataset() + "/cut.checkpoint"), 2, {"cut.checkpoint"});
  expect_refused(from(scene.dataset() + "/noise.checkpoint"), 2, {"noise.checkpoint"});
  expect_refused(from(scene.dataset() + "/none.checkpoint"), 2, {"none.checkpoint"});
  EXPECT_FALSE(fs::exists(scene.output("x")));
}

}  // namespace
}  // namespace app::test
