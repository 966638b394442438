// One run at a time in an output folder, and what killed runs leave is tidied up by the next.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/support/dead_process.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

// A long training run in the background, until it trains; killed at the end.
class RunInTheBackground {
 public:
  RunInTheBackground(const SceneOnDisk& scene, const fs::path& out, const fs::path& sign) {
    pid_ = fork();
    if (pid_ == 0) {
      setenv("HIPSPLAT_PLUGINS", "/no/plugins", 0);
      execl(HIPSPLAT_PROGRAM, HIPSPLAT_PROGRAM, "--train", scene.dataset().c_str(), "-o", out.c_str(), "-i", "1000000",
            "--quiet", nullptr);
      _exit(127);
    }
    while (!fs::exists(sign) && waitpid(pid_, nullptr, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~RunInTheBackground() { kill_now(); }
  void kill_now() {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

TEST(TwoRuns, TheSecondIntoAFolderIsRefusedAndNamesTheFirst) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  RunInTheBackground first(scene, out, out / "input.ply");
  const std::vector<std::string> words{"--train", scene.dataset(), "-o", out, "-i", "3"};
  const std::string log = text_of(out / "log.txt");
  expect_refused(run(words), 2, {"'" + out.string() + "'", "process " + std::to_string(first.pid())});
  EXPECT_TRUE(fs::exists(out / ".hipsplat.lock"));
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", scene.output("other"), "-i", "3"}).code, 0);
  first.kill_now();
  const Ran after = run(words);
  EXPECT_EQ(after.code, 0) << "a killed run holds nothing: " << after.err;
  EXPECT_FALSE(fs::exists(out / ".hipsplat.lock"));
}

TEST(TwoRuns, TheSecondIntoASplatFileIsRefused) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("splats.ply"), lock = scene.output(".splats.ply.lock");
  RunInTheBackground first(scene, out, lock);
  const std::vector<std::string> words{"--train", scene.dataset(), "-o", out, "-i", "3"};
  expect_refused(run(words), 2, {std::to_string(first.pid())});
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", scene.output("b.ply"), "-i", "3"}).code, 0);
  first.kill_now();
  EXPECT_EQ(run(words).code, 0);
  EXPECT_FALSE(fs::exists(lock));
}

TEST(TwoRuns, TemporaryFilesOfDeadProcessesAreRemoved) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  const std::string dead = ".hipsplat.part" + std::to_string(splat::test::dead_process()) + "-3",
                    alive = ".hipsplat.part" + std::to_string(getpid()) + "-0";  // which holds its lock
  const std::vector<fs::path> old{out / ("metrics.json" + dead),
                                  out / "checkpoints" / ("iteration_5.checkpoint" + dead),
                                  out / "point_cloud/iteration_7" / ("point_cloud.ply" + dead)};
  const std::vector<fs::path> others{out / ("config.json" + alive), out / "report.html.partial", out / "notes.part12"};
  for (const auto& files : {old, others})
    for (const fs::path& file : files) {
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "half";
    }
  const int held = ::open(others[0].c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "2"}).code, 0);
  ::close(held);
  for (const fs::path& file : old) EXPECT_FALSE(fs::exists(file)) << file;
  for (const fs::path& file : others) EXPECT_TRUE(fs::exists(file)) << file << ": not a dead process's";

  const fs::path ply = scene.output("splats.ply"), part = ply.string() + dead, neighbour = scene.output("x.ply" + dead);
  std::ofstream(part) << "half";
  std::ofstream(neighbour) << "half";
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", ply, "-i", "2"}).code, 0);
  EXPECT_FALSE(fs::exists(part));
  EXPECT_TRUE(fs::exists(neighbour)) << "beside a single file only its own are removed";
}

TEST(TwoRuns, AFolderThatIsNotThereIsNoPlaceForOutput) {
  const SceneOnDisk scene;
  for (const char* out : {"typo/more/out", "typo/splats.ply"}) {
    expect_refused(run({"--train", scene.dataset(), "-o", scene.output(out), "-i", "2"}), 2,
                   {"there is no folder", scene.output("typo")});
    EXPECT_FALSE(fs::exists(scene.output("typo")));
  }
  const fs::path out = scene.output("out");
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", out.string() + "/", "-i", "2"}).code, 0);
}

}  // namespace
}  // namespace app::test
