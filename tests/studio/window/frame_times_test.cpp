// The window's thread never does the work of others: the longest frame while a large file is loaded, sorted and
// exported and while a run starts, trains, grows, writes and ends, in the built program by real input.
// A frame's time is that of viewer/shell/frame_clock.h. "own" must never exceed the limit; with OpenGL's drawing
// ("busy") it must not where the engine draws the splats. Where software OpenGL is made to draw a million of them,
// drawing takes what it takes. A machine stands still now and then: what is too long must be so in each of three
// attempts. These share the driver's cache of compiled programs, so that only the first of them compiles what the scene
// is drawn with (software OpenGL: 50 ms).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::LongestFrames;
using test::WindowRun;
using test::WindowState;

constexpr double kMostMs = 100;
constexpr int kAttempts = 3;
constexpr size_t kSplats = 1'000'000;
constexpr int kRunning = 2, kStopped = 6;  // studio::RunStatus
constexpr int kFirstDensityControl = 600;  // iterations: the default is every 100 after 500
const fs::path kDemo = test_paths::source() / "assets/demo";

// Of a kind of work; waited: its longest frame took as long as work that another thread does meanwhile.
struct Seen {
  LongestFrames frames;
  bool waited = false;
};

// Each kind of work in one attempt.
class Kinds {
 public:
  // Whatever was traced since the last call belongs to `kind`, but for the first frame of all, in which
  // software OpenGL compiles its programs.
  void note(WindowRun& run, const std::string& kind) {
    run.finish_frame();
    if (from_ == 0) from_ = end_of_first_frame(run.trace_text());
    seen_[kind].frames = run.longest_frames(from_);
    from_ = run.trace_text().size();
  }
  void must_be_shorter(const std::string& kind, double ms) {
    seen_[kind].waited = ms > 0 && seen_[kind].frames.own >= ms;
  }
  const std::map<std::string, Seen>& seen() const { return seen_; }

 private:
  static size_t end_of_first_frame(const std::string& trace) {
    return std::min(trace.find('\n', trace.find("frame own")), trace.size());
  }

  size_t from_ = 0;
  std::map<std::string, Seen> seen_;
};

template <class Drive>
void expect_short_frames(bool drawing_counts, const Drive& drive) {
  std::map<std::string, Seen> best;
  const auto fine = [&] {
    return std::all_of(best.begin(), best.end(), [&](const auto& kind) {
      return !kind.second.waited && kind.second.frames.own <= kMostMs &&
             (!drawing_counts || kind.second.frames.busy <= kMostMs);
    });
  };
  for (int attempt = 0; attempt < kAttempts && (attempt == 0 || !fine()); ++attempt) {
    Kinds kinds;
    drive(kinds);
    if (testing::Test::HasFailure() || testing::Test::IsSkipped()) return;
    for (const auto& [kind, seen] : kinds.seen()) {
      const LongestFrames& frames = seen.frames;
      std::printf("%-28s own %6.1f ms, with drawing %7.1f ms\n", kind.c_str(), frames.own, frames.busy);
      const auto [known, fresh] = best.emplace(kind, seen);
      if (fresh) continue;
      LongestFrames& least = known->second.frames;
      least = {std::min(least.own, frames.own), std::min(least.busy, frames.busy)};
      known->second.waited = known->second.waited && seen.waited;
    }
  }
  for (const auto& [kind, seen] : best) {
    const LongestFrames& frames = seen.frames;
    EXPECT_LE(frames.own, kMostMs) << kind;
    EXPECT_FALSE(seen.waited) << kind << ": a frame took as long as what must not be waited for";
    EXPECT_LE(drawing_counts ? frames.busy : 0, kMostMs) << kind << " with drawing";
  }
}

double distance(const WindowState& a, const WindowState& b) {
  return std::hypot(a.position[0] - b.position[0], a.position[1] - b.position[1], a.position[2] - b.position[2]);
}

void orbit(WindowRun& run) {
  const WindowState s = *run.state();
  const int x = s.x + s.width / 2, y = s.y + s.height / 2;
  run.drag(1, x, y, x + 120, y + 30);
}

// Loads, orbits around and exports a million splats; `renderer` as window.json has it.
void drive_a_million(const fs::path& file, const char* renderer, Kinds& kinds) {
  const fs::path folder = file.parent_path(), copy = folder / "scene-copy.ply";
  fs::remove(copy);
  WindowRun run({file.string()}, {{"MESA_SHADER_CACHE_DIR", (folder / "compiled").string()}},
                std::string("{\"renderer\": ") + renderer + ", \"last_folder\": \"" + folder.string() + "\"}");
  if (!run.can_run()) GTEST_SKIP() << "there is no Xvfb or no xdotool here";
  ASSERT_TRUE(run.wait([](const auto& s) { return s.splats == kSplats && s.settled; }, 120));
  kinds.note(run, "loading");
  const WindowState before = *run.state();
  orbit(run);
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, before) > 0.1 && s.settled; }, 120));
  kinds.note(run, "the view moves");
  kinds.must_be_shorter("the view moves", run.state()->sorted_ms);
  run.input("key ctrl+s");
  for (int i = 0; i < 40 && !fs::exists(copy); ++i) run.input("sleep 0.7 key Return");  // the format, then the file
  ASSERT_TRUE(run.wait([&](const auto&) { return fs::exists(copy); }, 5));
  EXPECT_EQ(fs::file_size(copy), fs::file_size(file));
  kinds.note(run, "exporting");
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

class FrameTimes : public testing::Test {
 protected:
  fs::path million() {
    fs::path path = folder_.path() / "scene.ply";
    EXPECT_TRUE(io::write_splat_file(path, splat::bench::make_scene({kSplats, 1280, 720}).model).ok());
    return path;
  }
  splat::test::TempFolder folder_;
};

TEST_F(FrameTimes, AMillionSplatsByOpenGl) {
  const fs::path file = million();
  expect_short_frames(false, [&](Kinds& kinds) { drive_a_million(file, "1", kinds); });
}

TEST_F(FrameTimes, AMillionSplatsByTheEngine) {
  const fs::path file = million();
  expect_short_frames(true, [&](Kinds& kinds) { drive_a_million(file, "2", kinds); });
}

bool has_checkpoint(const fs::path& folder) {
  if (!fs::exists(folder)) return false;
  return std::any_of(fs::directory_iterator(folder), {},
                     [](const auto& entry) { return entry.path().extension() == ".checkpoint"; });
}

void drive_a_run(const fs::path& compiled, Kinds& kinds) {
  const splat::test::TempFolder folder;  // results go beside the dataset
  const fs::path dataset = folder.path() / "demo", checkpoints = folder.path() / "demo_splats/checkpoints";
  fs::copy(kDemo, dataset, fs::copy_options::recursive);
  WindowRun run({dataset.string()}, {{"MESA_SHADER_CACHE_DIR", compiled.string()}});
  if (!run.can_run()) GTEST_SKIP() << "there is no Xvfb or no xdotool here";
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  kinds.note(run, "opening a dataset");
  run.input("key ctrl+t");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120));
  kinds.note(run, "training starts");
  const size_t at_first = run.state()->trained;
  for (int i = 0; i < 200 && run.state()->iteration < kFirstDensityControl - 100; ++i) orbit(run);
  kinds.note(run, "training, the view moves");
  ASSERT_TRUE(
      run.wait([&](const auto& s) { return s.iteration >= kFirstDensityControl + 20 && s.trained > at_first; }, 120));
  kinds.note(run, "density control");
  run.click("Checkpoint");
  ASSERT_TRUE(run.wait([&](const auto&) { return has_checkpoint(checkpoints); }));
  kinds.note(run, "checkpoint");
  run.click("Stop");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kStopped && s.splats > 0 && s.settled; }, 120));
  kinds.note(run, "stopping");
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(FrameTimes, ATrainingRun) {
  expect_short_frames(true, [&](Kinds& kinds) { drive_a_run(folder_.path() / "compiled", kinds); });
}

}  // namespace
