// --region through the program: what is written, said and refused.
#include <gtest/gtest.h>

#include <cmath>

#include "io/box_file.h"
#include "io/io.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

const char* const kFinal = "point_cloud/iteration_120/point_cloud.ply";

std::vector<std::string> training(const SceneOnDisk& scene, const fs::path& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"--train", scene.dataset(), "-o", out, "-i", "120", "--eval"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

splat::Gaussians splats_of(const fs::path& file) {
  auto read = io::read_splat_file(file);
  EXPECT_TRUE(read.ok());
  return read.ok() ? std::move(read->gaussians) : splat::Gaussians();
}

size_t count_inside(const splat::Box& box, const splat::Gaussians& model) {
  size_t inside = 0;
  for (size_t i = 0; i < model.size(); ++i)
    inside += box.contains({model.means[3 * i], model.means[3 * i + 1], model.means[3 * i + 2]});
  return inside;
}

TEST(Region, OnlyWhatLiesInItIsWritten) {
  const SceneOnDisk scene;
  const fs::path whole = scene.output("whole"), part = scene.output("part"), again = scene.output("again");
  ASSERT_EQ(run(training(scene, whole, {})).code, 0);
  const splat::Gaussians all = splats_of(whole / kFinal);
  const splat::Box half{{-50, -50, -50}, {0, 50, 50}};
  ASSERT_GT(count_inside(half, all), all.size() / 5);
  ASSERT_LT(count_inside(half, all), all.size() * 4 / 5);
  const Ran ran = run(training(scene, part, {"--region", "0,50,50,-50,-50,-50", "--json", "--checkpoint-every", "60"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const splat::Gaussians written = splats_of(part / kFinal);
  EXPECT_GT(written.size(), 20u);
  EXPECT_EQ(count_inside(half, written), written.size());
  const auto metrics = nlohmann::json::parse(text_of(part / "metrics.json"));
  EXPECT_EQ(metrics["splats"], written.size());
  EXPECT_GT(metrics["region"]["splats_around"], 0);
  EXPECT_EQ(metrics["region"]["high"], (nlohmann::json{0, 50, 50}));
  EXPECT_NE(text_of(part / "report.html").find("kept to a box"), std::string::npos);
  const auto config = nlohmann::json::parse(text_of(part / "config.json"));
  EXPECT_EQ(config["region"], "-50,-50,-50,0,50,50");
  // The checkpoint has the region and what lies around it.
  const Ran resumed = run({"--train", scene.dataset(), "-o", again, "--resume",
                           part / "checkpoints/iteration_60.checkpoint", "--threads", "1"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(text_of(again / kFinal) == text_of(part / kFinal));
}

TEST(Region, AFileOfTheWindowIsOneTooForTrainingAndConverting) {
  const SceneOnDisk scene;
  splat::Box box = splat::box_about({0, 0, 0}, {0.6, 3, 3}, {std::cos(0.3), 0, std::sin(0.3), 0});
  const fs::path file = fs::path(scene.output("box.json"));
  ASSERT_TRUE(io::write_box_file(file, box).ok());
  const auto back = io::read_box_file(file);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, box);
  const fs::path out = scene.output("out"), cropped = scene.output("cropped.ply");
  const Ran ran = run(training(scene, out, {"--region", file, "--region-alone"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const splat::Gaussians written = splats_of(out / kFinal);
  EXPECT_GT(written.size(), 0u);
  EXPECT_EQ(count_inside(box, written), written.size());
  box = splat::box_about({0, 0, 0}, {0.3, 3, 3}, box.rotation);
  ASSERT_TRUE(io::write_box_file(file, box).ok());
  ASSERT_EQ(run({"--convert", out / kFinal, cropped, "--crop-box", file}).code, 0);
  const splat::Gaussians kept = splats_of(cropped);
  EXPECT_EQ(kept.size(), count_inside(box, written));
  EXPECT_LT(kept.size(), written.size());
}

TEST(Region, OneFarBeyondWhatThePhotosShowIsSaid) {
  const SceneOnDisk scene;
  const Ran beyond =
      run({"--train", scene.dataset(), "-o", scene.output("a"), "-i", "1", "--region", "-900,-900,100,900,900,900"});
  ASSERT_EQ(beyond.code, 0) << beyond.err;
  EXPECT_NE(beyond.err.find("times as far from the cameras"), std::string::npos) << beyond.err;
  const Ran inside =
      run({"--train", scene.dataset(), "-o", scene.output("b"), "-i", "1", "--region", "-1,-1,-1,1,1,1"});
  ASSERT_EQ(inside.code, 0) << inside.err;
  EXPECT_EQ(inside.err.find("times as far from the cameras"), std::string::npos) << inside.err;
}

TEST(Region, BadOnesAreRefused) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& parts) {
    expect_refused(run(training(scene, out, more)), 2, parts);
    EXPECT_FALSE(fs::exists(out)) << "nothing is written";
  };
  refused({"--region", "1,2,3"}, {"--region", "corners"});
  refused({"--region", "0,0,0,1,1,0"}, {"--region", "longer than 0"});
  refused({"--region", scene.output("none.json")}, {"--region", "none.json"});
  scene.write_beside("wrong.json", R"({"low": [0, 0, 0], "high": [1, 1]})");
  refused({"--region", scene.output("wrong.json")}, {"wrong.json", "holds no box"});
  refused({"--region", "900,900,900,901,901,901"}, {"--region", "sees it"});
  refused({"--region-alone"}, {"--region-alone", "--region"});
}

}  // namespace
}  // namespace app::test
