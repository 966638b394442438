// --leave-out through the program: a run goes on without some photos.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

TEST(LeaveOut, ARunGoesOnWithoutSomePhotosAndWithAllAgain) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "60", "--eval"}).code, 0);
  const auto photos = [&](const fs::path& folder) {
    std::vector<std::string> names;
    const nlohmann::json metrics = nlohmann::json::parse(text_of(folder / "metrics.json"));
    for (const auto& photo : metrics["training_fit"]["photos"]) names.push_back(photo["name"]);
    return names;
  };
  const std::vector<std::string> all = photos(out);
  ASSERT_GT(all.size(), 3u);
  const std::string left_out = all[1] + "," + all[2];
  const auto resume = [&](const fs::path& from, const fs::path& to, int until, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--train", scene.dataset(),      "-o", to, "--resume", from,
                                       "-i",      std::to_string(until)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
  };
  const fs::path second = scene.output("second"), third = scene.output("third"), fourth = scene.output("fourth");
  resume(out / "checkpoints/iteration_60.checkpoint", second, 90, {"--leave-out", left_out});
  const std::vector<std::string> fewer = photos(second);
  EXPECT_EQ(fewer.size(), all.size() - 2);
  EXPECT_EQ(std::count(fewer.begin(), fewer.end(), all[1]), 0);
  EXPECT_EQ(nlohmann::json::parse(text_of(second / "metrics.json"))["photos_left_out"].size(), 2u);
  resume(second / "checkpoints/iteration_90.checkpoint", third, 100, {});
  EXPECT_EQ(photos(third).size(), all.size() - 2) << "the checkpoint remembers";
  resume(second / "checkpoints/iteration_90.checkpoint", fourth, 100, {"--leave-out", ""});
  EXPECT_EQ(photos(fourth).size(), all.size());
  expect_refused(run({"--train", scene.dataset(), "-o", scene.output("x"), "--leave-out", "nobody.png"}), 2,
                 {"nobody.png", "--leave-out"});
}

}  // namespace
}  // namespace app::test
