// --minutes: training by the clock.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

TEST(Minutes, TrainingEndsOnTimeWithItsSchedulesDone) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = run({"--train", scene.dataset(), "-o", out, "--minutes", "0.1", "--eval", "--strategy", "adc"});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GE(seconds, 6);
  EXPECT_LT(seconds, 60);  // on a machine that does much else; writing included
  EXPECT_NE(ran.err.find("need not give the same bytes"), std::string::npos);
  const auto metrics = nlohmann::json::parse(text_of(out / "metrics.json"));
  EXPECT_GE(metrics["seconds"].get<double>(), 4);
  EXPECT_LT(metrics["seconds"].get<double>(), 8);
  const int iterations = metrics["iterations"];
  EXPECT_GT(iterations, 50);
  EXPECT_NE(iterations, 30000);
  // Density control was over at half of what it came to, give or take what the machine did meanwhile.
  uint64_t late = 0;
  for (const auto& entry : metrics["history"])
    if (entry["iteration"] > iterations * 3 / 4 && late == 0) late = entry["splats"];
  EXPECT_EQ(metrics["splats"], late);
}

TEST(Minutes, SecondsCountWhatComesBeforeTheFirstIteration) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "0"}).code, 0);
  const auto metrics = nlohmann::json::parse(text_of(out / "metrics.json"));
  EXPECT_GT(metrics["seconds"].get<double>(), 0);
  EXPECT_EQ(metrics["iterations_per_second"].get<double>(), 0);
}

TEST(Minutes, ContradictionsAreNamed) {
  const SceneOnDisk scene;
  const std::string out = scene.output("out");
  expect_refused(run({"--train", scene.dataset(), "-o", out, "--minutes", "1", "-i", "5"}), 2,
                 {"leave out --iterations"});
  expect_refused(run({"--train", scene.dataset(), "-o", out, "--minutes", "1", "--resume", "x"}), 2,
                 {"leave out --minutes"});
  for (const char* text : {"0", "-1", "nan", "soon", "99999999"})
    expect_refused(run({"--train", scene.dataset(), "-o", out, "--minutes", text}), 2, {"--minutes wants a time"});
}

}  // namespace
}  // namespace app::test
