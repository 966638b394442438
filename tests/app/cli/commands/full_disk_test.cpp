// A disk that is full, or files that may not grow: nothing that was there is lost, no half-written file stays, training
// goes on, and the end says in one sentence what could not be written.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/small_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using splat::test::SmallDisk;

bool any_partial_file(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().find(".part") != std::string::npos) return true;
  return false;
}

TEST(FullDisk, ACheckpointThatDoesNotFitKeepsTheOlderOneAndTheRun) {
  const SceneOnDisk scene;
  const fs::path disk = scene.output("disk");
  const SmallDisk small(disk, "300k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here: " << std::strerror(errno);
  // The first checkpoint (85 kB) fits; those after growth (280 kB) do not.
  const Ran ran = run({"--train",
                       scene.dataset(),
                       "-o",
                       disk / "run",
                       "-i",
                       "200",
                       "--checkpoint-every",
                       "50",
                       "--strategy",
                       "adc",
                       "--densify-from",
                       "60",
                       "--densify-every",
                       "20",
                       "--densify-gradient",
                       "0.00001",
                       "--densify-until",
                       "190",
                       "--opacity-reset-every",
                       "0",
                       "--max-splats",
                       "400"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.err.find("warning: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("training goes on"), std::string::npos) << ran.err;
  ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
  EXPECT_NE(ran.error_lines()[0].find("No space left"), std::string::npos) << ran.err;
  EXPECT_FALSE(any_partial_file(disk));
  std::vector<fs::path> checkpoints;
  for (const auto& entry : fs::directory_iterator(disk / "run/checkpoints")) checkpoints.push_back(entry.path());
  ASSERT_FALSE(checkpoints.empty()) << ran.err;
  const Ran resumed = run({"--train", scene.dataset(), "-o", scene.output("elsewhere"), "--resume",
                           *std::max_element(checkpoints.begin(), checkpoints.end())});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
}

TEST(FullDisk, FilesThatMayNotGrowEndInASentence) {
  const SceneOnDisk scene;
  RunOptions limited;
  limited.largest_file_bytes = 25'000;  // the small files fit, splats and checkpoint do not
  const fs::path out = scene.output("out");
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "60", "--checkpoint-every", "20"}, limited);
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(ran.error_lines().size(), 1u) << ran.err;
  EXPECT_NE(ran.err.find("point_cloud.ply"), std::string::npos) << ran.err;
  EXPECT_FALSE(any_partial_file(out));
  EXPECT_FALSE(fs::exists(out / "point_cloud/iteration_60/point_cloud.ply"));
}

TEST(FullDisk, AnOlderSplatFileSurvivesAFailedWrite) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("splats.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "0", "--sh-degree", "0"}).code, 0);
  const std::string before = text_of(out);
  RunOptions limited;
  limited.largest_file_bytes = 4'000;
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "5"}, limited).code, 1);
  EXPECT_TRUE(text_of(out) == before);
  EXPECT_FALSE(any_partial_file(scene.folder()));
}

TEST(FullDisk, WhatCannotFitIsRefusedBeforeAnythingIsWritten) {
  const SceneOnDisk scene;
  const fs::path disk = scene.output("disk");
  const SmallDisk small(disk, "100k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here: " << std::strerror(errno);
  for (const char* out : {"run", "splats.ply"}) {
    const Ran ran = run({"--train", scene.dataset(), "-o", disk / out, "-i", "20", "--random-splats", "1000",
                         "--far-points", "0", "--matched-photos", "0"});
    if (std::string(out) == "splats.ply") {
      EXPECT_EQ(ran.code, 0) << "30 kB alone do fit: " << ran.err;
      continue;
    }
    expect_refused(ran, 2, {"disk", (disk / out).string(), "free"});
    EXPECT_TRUE(fs::is_empty(disk)) << "exit code 2: nothing is written";
  }
}

// The disk is full when training ends: the splats are not lost.
TEST(FullDisk, TheResultIsKeptElsewhere) {
  const SceneOnDisk scene;
  const fs::path disk = scene.output("disk");
  const SmallDisk small(disk, "48k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here: " << std::strerror(errno);
  RunOptions options;
  options.state_home = scene.output("state");
  const std::vector<std::string> growth{"-i",
                                        "100",
                                        "--densify-from",
                                        "10",
                                        "--densify-every",
                                        "10",
                                        "--densify-gradient",
                                        "0.00001",
                                        "--densify-until",
                                        "95",
                                        "--opacity-reset-every",
                                        "0",
                                        "--max-splats",
                                        "600"};
  std::vector<std::string> words{"--train", scene.dataset(),    "-o", disk / "splats.ply", "--far-points",
                                 "0",       "--matched-photos", "0"};
  words.insert(words.end(), growth.begin(), growth.end());
  const Ran ran = run(words, options);
  EXPECT_EQ(ran.code, 1) << ran.err;
  ASSERT_EQ(ran.error_lines().size(), 1u) << ran.err;
  const std::string sentence = ran.error_lines()[0];
  EXPECT_NE(sentence.find("No space left"), std::string::npos) << sentence;
  const size_t at = sentence.rfind("kept in '");
  ASSERT_NE(at, std::string::npos) << sentence;
  const std::string kept = sentence.substr(at + 9, sentence.rfind('\'') - at - 9);
  EXPECT_TRUE(kept.starts_with(options.state_home + "/hipsplat/splats.ply-")) << kept;
  EXPECT_EQ(run({"--info", kept}).code, 0) << kept;
  EXPECT_FALSE(fs::exists(disk / "splats.ply"));
}

// A checkpoint that does not fit is written elsewhere, the run goes on, and later ones that fit again take its place.
TEST(FullDisk, TheStateIsKeptElsewhereMeanwhile) {
  const SceneOnDisk scene;
  const fs::path disk = scene.output("disk");
  const SmallDisk small(disk, "400k");
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here: " << std::strerror(errno);
  RunOptions options;
  options.state_home = scene.output("state");
  options.signal = SIGTERM;
  options.when = [&, filled = false]() mutable {
    if (!filled && fs::exists(disk / "run/input.ply")) {
      std::ofstream(disk / "filler") << std::string(1'000'000, 'x');  // the rest of the disk
      filled = true;
    }
    std::error_code code;
    return filled && fs::exists(options.state_home + "/hipsplat", code);
  };
  const Ran ran = run({"--train", scene.dataset(), "-o", disk / "run", "-i", "1000000", "--checkpoint-every", "50",
                       "--far-points", "0", "--matched-photos", "0"},
                      options);
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find("training goes on"), std::string::npos) << ran.err;
  const std::string path = ran.out.substr(0, ran.out.find('\n'));
  EXPECT_TRUE(path.starts_with(options.state_home)) << path;
  fs::remove(disk / "filler");
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", scene.output("b"), "--resume", path, "-i", "1"}).code, 2)
      << "it can be read: only the number of iterations is refused";
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(options.state_home)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1u) << "of those kept elsewhere only the newest stays";
}

TEST(FullDisk, AVanishedFolderIsMadeAnew) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out"), moved = scene.output("moved");
  RunOptions options;
  options.signal = SIGTERM;
  options.when = [&, renamed = false]() mutable {
    if (!renamed && fs::exists(out / "checkpoints/iteration_40.checkpoint")) {
      fs::rename(out, moved);
      renamed = true;
    }
    std::error_code code;
    return renamed && fs::is_directory(out / "checkpoints", code) && !fs::is_empty(out / "checkpoints", code);
  };
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "1000000", "--checkpoint-every", "20"}, options);
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find("made anew"), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(moved / "input.ply"));
}

}  // namespace
}  // namespace app::test
