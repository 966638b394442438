// --init: training that starts from a splat file.
#include <gtest/gtest.h>

#include "io/io.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

TEST(Init, StartsFromTheSplatsOfTheFile) {
  const SceneOnDisk scene;
  const fs::path trained = scene.output("trained.ply"), same = scene.output("same.ply"),
                 spz = scene.output("trained.spz");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", trained, "-i", "60", "--eval"}).code, 0);
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", same, "-i", "0", "--init", trained}).code, 0);
  // Training sorts the rows in space; the splats are the same.
  const fs::path sorted = scene.output("sorted.ply"), sorted_same = scene.output("sorted_same.ply");
  ASSERT_EQ(run({"--convert", trained, sorted, "--morton"}).code, 0);
  ASSERT_EQ(run({"--convert", same, sorted_same, "--morton"}).code, 0);
  EXPECT_TRUE(text_of(sorted_same) == text_of(sorted));

  // From another format, at another SH degree, and better than from the points.
  ASSERT_EQ(run({"--convert", trained, spz}).code, 0);
  const fs::path further = scene.output("further"), anew = scene.output("anew");
  for (const auto& [out, more] : {std::pair{further, true}, {anew, false}}) {
    std::vector<std::string> words{"--train", scene.dataset(), "-o", out, "-i", "20", "--eval", "--sh-degree", "1"};
    if (more) words.insert(words.end(), {"--init", spz.string()});
    ASSERT_EQ(run(words).code, 0);
  }
  const auto psnr = [](const fs::path& out) {
    return nlohmann::json::parse(text_of(out / "metrics.json"))["psnr"].get<double>();
  };
  EXPECT_GT(psnr(further), psnr(anew) + 0.5);
}

TEST(Init, BeginsWithTheColourBandsOfItsSplats) {
  const SceneOnDisk scene;
  const fs::path trained = scene.output("trained.ply"), placed = scene.output("placed.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", trained, "-i", "60"}).code, 0);
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", placed, "-i", "0"}).code, 0);
  const auto interval = [&](const fs::path& splats, const std::vector<std::string>& more) {
    const fs::path out = scene.output("out");
    std::vector<std::string> words{"--train", scene.dataset(), "-o", out, "-i", "20", "--init", splats};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err.find("colour bands") != std::string::npos, more.empty() && splats == trained);
    return nlohmann::json::parse(text_of(out / "config.json"))["sh_degree_interval"].get<int>();
  };
  EXPECT_EQ(interval(trained, {}), 0);
  EXPECT_EQ(interval(placed, {}), 5) << "their bands are all zero";
  EXPECT_EQ(interval(trained, {"--sh-degree-interval", "7"}), 7);
}

TEST(Init, WhatCannotBeStartedFromIsRefused) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out.ply"), points = scene.output("points");
  const auto refusal = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--train", scene.dataset(), "-o", out.string(), "-i", "5"});
    const Ran ran = run(more);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_FALSE(fs::exists(out));
    return ran.err;
  };
  EXPECT_NE(refusal({"--init", scene.output("nothing.ply")}).find("nothing.ply"), std::string::npos);
  EXPECT_NE(refusal({"--init", "a.ply", "--resume", "b"}).find("leave out --init"), std::string::npos);
  const fs::path splats = scene.output("splats.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", splats, "-i", "0"}).code, 0);
  EXPECT_NE(refusal({"--init", splats.string(), "--max-splats", "3"}).find("more than --max-splats 3"),
            std::string::npos);
}

}  // namespace
}  // namespace app::test
