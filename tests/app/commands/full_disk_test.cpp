// A disk that is full, or files that may not grow: nothing that was there is lost, no half-written file stays, training
// goes on, and the end says in one sentence what could not be written.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

bool any_partial_file(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().find(".part") != std::string::npos) return true;
  return false;
}

// A tmpfs of `bytes` at `path` for the life of the object, where mounting is allowed.
class SmallDisk {
 public:
  SmallDisk(const fs::path& path, const std::string& bytes) : path_(path) {
    fs::create_directories(path);
    mounted_ = mount("tmpfs", path.c_str(), "tmpfs", 0, ("size=" + bytes).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount(path_.c_str());
  }
  bool mounted() const { return mounted_; }

 private:
  fs::path path_;
  bool mounted_ = false;
};

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

}  // namespace
}  // namespace app::test
