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

TEST(Init, ACloudOfPointsStandsForTheDatasetsPoints) {
  const SceneOnDisk scene;
  const std::string rows = "0 0 0 255 0 0\n0.5 0 0 0 255 0\n0 0.5 0.1 0 0 255\n";
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n";
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"scan.ply", head + rows},
                                   {"scan.xyz", rows},
                                   {"scan.pts", "3\n0 0 0 7 255 0 0\n0.5 0 0 7 0 255 0\n0 0.5 0.1 7 0 0 255\n"}}) {
    scene.write_beside(name, text);
    const fs::path out = scene.output(name + ".out.ply");
    const Ran ran = run({"--train", scene.dataset(), "-o", out, "-i", "0", "--init", scene.output(name)});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("the points to start from are the 3 of '"), std::string::npos) << ran.err;
    const auto made = io::read_splat_file(out);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_GE(made->gaussians.size(), 3u) << name;
  }
  scene.write_beside("scan.las", "LASF");
  const Ran las =
      run({"--train", scene.dataset(), "-o", scene.output("x"), "-i", "0", "--init", scene.output("scan.las")});
  EXPECT_EQ(las.code, 2);
  EXPECT_NE(las.err.find("CloudCompare or PDAL"), std::string::npos) << las.err;
}

TEST(Init, TheFolderOfARunOffersItsDataset) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("a run");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "5"}).code, 0);
  const Ran again = run({"--train", out, "-o", scene.output("other"), "-i", "5"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(
      again.err.find("is the folder of a training run, and no dataset: train its dataset again, '" + scene.dataset()),
      std::string::npos)
      << again.err;
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
