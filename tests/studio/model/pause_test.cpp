// Runs that are paused: what is on disk then, and that the pause changes nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "app/cli/commands/commands.h"
#include "studio/documents/training_choices.h"
#include "tests/studio/live_window.h"
#include "tests/studio/model/live_choices.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;
using studio::RunStatus;

constexpr int kLength = 1000, kEvery = 300;  // iterations
constexpr int kThreads = 2;

class Paused : public testing::Test {
 protected:
  void start(int iterations) {
    window_.send(studio::OpenPath{scene_.dataset()});
    ASSERT_TRUE(window_.wait([&] { return window_.dataset.has_value(); })) << window_.all_notices();
    window_.send(studio::StartTraining{kept_choices(run_, iterations)});
  }

  static studio::TrainingChoices kept_choices(const fs::path& output, int iterations) {
    studio::TrainingChoices c = choices(output, iterations);
    c.save.checkpoint_every = kEvery;
    return c;
  }

  // The iteration that it is kept at; -1: it was not.
  int pause_after(int iteration) {
    if (!window_.wait([&] { return window_.training.iteration > iteration; })) return -1;
    window_.send(studio::PauseTraining{});
    const auto& now = window_.training;
    return window_.wait([&] { return now.status == RunStatus::kPaused && now.kept == now.iteration; }) ? now.kept : -1;
  }

  fs::path checkpoint(int iteration) const { return in(run_, iteration); }
  static fs::path in(const fs::path& run, int iteration) {
    return run / "checkpoints" / ("iteration_" + std::to_string(iteration) + ".checkpoint");
  }

  const SceneOnDisk scene_;
  const fs::path run_ = scene_.output("run");
  LiveWindow window_{kThreads};
};

// A file that is written anew is another one.
uint64_t number_of(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? uint64_t(status.st_ino) : 0;
}

TEST_F(Paused, TwiceEndsInTheBytesOfARunThatWasNot) {
  const fs::path never = scene_.output("never");
  auto options = options_of(scene_.dataset(), kept_choices(run_, kLength));
  ASSERT_TRUE(options.ok()) << options.error().message;
  options->device.threads = kThreads;
  ASSERT_TRUE(run_train(*options).ok());
  fs::rename(run_, never);  // checkpoints name the folder that they were written into

  start(kLength);
  for (const int after : {20, kEvery / 2}) {
    const int kept = pause_after(after);
    ASSERT_GT(kept, after) << window_.all_notices();
    EXPECT_EQ(window_.training.last_checkpoint, checkpoint(kept));
    EXPECT_TRUE(fs::exists(checkpoint(kept)));
    window_.send(studio::ResumeTraining{});
  }
  ASSERT_TRUE(window_.wait_for(RunStatus::kFinished)) << window_.all_notices();
  const fs::path splats = fs::path("point_cloud") / ("iteration_" + std::to_string(kLength)) / "point_cloud.ply";
  ASSERT_GT(text_of(run_ / splats).size(), 1000u);
  EXPECT_TRUE(text_of(run_ / splats) == text_of(never / splats));
  for (const int iteration : {kLength / kEvery * kEvery, kLength}) {
    ASSERT_GT(text_of(checkpoint(iteration)).size(), 1000u) << iteration;
    EXPECT_TRUE(text_of(checkpoint(iteration)) == text_of(in(never, iteration))) << iteration;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(run_ / "checkpoints"), {}), 2) << "the newest, as always";
}

TEST_F(Paused, OneCheckpointIsWrittenAndQuittingThenNone) {
  start(100'000);
  const int kept = pause_after(10);
  ASSERT_GT(kept, 0) << window_.all_notices();
  const uint64_t written = number_of(checkpoint(kept));
  ASSERT_NE(written, 0u);
  window_.send(studio::PauseTraining{});  // it is
  window_.send(studio::Quit{});
  ASSERT_TRUE(window_.wait([&] { return window_.quit_done; }));
  EXPECT_EQ(number_of(checkpoint(kept)), written);
}

TEST_F(Paused, OneThatIsGoneIsWrittenAgain) {
  start(100'000);
  const int kept = pause_after(10);
  ASSERT_GT(kept, 0) << window_.all_notices();
  fs::remove(checkpoint(kept));
  window_.send(studio::Quit{});
  ASSERT_TRUE(window_.wait([&] { return window_.quit_done; }));
  EXPECT_TRUE(fs::exists(checkpoint(kept)));
}

// While the object lives no file of this process may become longer: as on a full disk, wherever it is.
class NoRoom {
 public:
  NoRoom() : before_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{4096, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoRoom() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, before_);
  }

 private:
  sighandler_t before_;
  rlimit limit_{};
};

TEST_F(Paused, WhereThereIsNoRoomItSaysSoStaysPausedAndGoesOn) {
  start(100'000);
  ASSERT_TRUE(window_.wait([&] { return window_.training.iteration > 10; })) << window_.all_notices();
  {
    const NoRoom full;
    window_.send(studio::PauseTraining{});
    ASSERT_TRUE(window_.wait([&] { return window_.noticed("the run stays paused", NoticeKind::kWarning); }))
        << window_.all_notices();
    ASSERT_TRUE(window_.wait([&] { return !window_.training.sentence.empty(); }));
  }
  EXPECT_EQ(window_.training.status, RunStatus::kPaused);
  EXPECT_LT(window_.training.kept, window_.training.iteration);
  const int paused_at = window_.training.iteration;
  window_.send(studio::ResumeTraining{});
  ASSERT_TRUE(window_.wait([&] { return window_.training.iteration > paused_at; }));
  EXPECT_EQ(window_.training.sentence, "");
  EXPECT_GT(pause_after(paused_at), paused_at) << window_.all_notices();
}

}  // namespace
}  // namespace studio::test
