// What a finished run takes out of the air (splat/densify/veil_rows.h), from the start to the written file.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <optional>

#include "app/jobs/training/training_run.h"
#include "io/bytes.h"
#include "io/dataset/load_dataset.h"
#include "io/io.h"
#include "splat/math/activation.h"
#include "splat/model/pixel.h"
#include "splat/train/init.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace app {
namespace {

using Point = std::array<double, 3>;

int cameras_with(const splat::Dataset& dataset, const Point& point) {
  const std::vector<int> views = dataset.training_views();
  return int(std::count_if(views.begin(), views.end(), [&](int index) {
    const splat::View view = dataset.views[size_t(index)].view();
    const auto pixel = splat::pixel_of(view, point);
    return pixel && splat::is_in_frame(view.camera, *pixel);
  }));
}

// Close to a camera, the only one that has it in frame.
std::optional<Point> place_seen_by_one(const splat::Dataset& dataset) {
  for (const int index : dataset.training_views()) {
    const splat::View view = dataset.views[size_t(index)].view();
    for (const double across : {0.1, 0.5, 0.9})
      for (const double down : {0.9, 0.5, 0.1}) {
        const Point place = splat::point_at(view, {across * view.camera.width, down * view.camera.height, 0.3});
        if (cameras_with(dataset, place) == 1) return place;
      }
  }
  return std::nullopt;
}

struct VeilRun {
  splat::test::TempFolder folder;
  Options options;
  size_t splats = 0;  // to start from, one of them in mid-air
};

// One iteration from the demo's points, made opaque, and something nearly transparent before a camera.
void prepare(VeilRun& s) {
  s.options.input = test_paths::source() / "assets/demo";
  s.options.output = s.folder.path() / "run";
  s.options.init = s.folder.path() / "start.ply";
  s.options.dataset.eval = true;
  s.options.dataset.resolution = 80;
  s.options.train.iterations = 1;
  s.options.device.backend = "cpu";
  s.options.device.threads = 2;
  s.options.console.quiet = true;
  const auto dataset = io::load_dataset(s.options.input, s.options.dataset);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  const auto place = place_seen_by_one(*dataset);
  ASSERT_TRUE(place);
  splat::TrainConfig config;
  config.initial_opacity = 0.95f;
  config.far_points = 0;
  splat::Gaussians start = splat::initial_model(*dataset, config).splats;
  const size_t veil = start.size();
  start.resize(veil + 1);
  for (size_t axis = 0; axis < 3; ++axis) {
    start.means[3 * veil + axis] = float((*place)[axis]);
    start.log_scales[3 * veil + axis] = std::log(0.02f);
  }
  start.quats[4 * veil] = 1;
  start.logit_opacities[veil] = float(splat::math::logit(0.1));
  s.splats = start.size();
  const auto written = io::write_splat_file(s.options.init, start);
  ASSERT_TRUE(written.ok()) << written.error().message;
}

void expect_splats_written(const Options& options, size_t splats) {
  TrainingRun run(options);
  Outcome outcome = run.prepare();
  if (outcome) outcome = run.train();
  if (outcome) outcome = run.finish();
  ASSERT_TRUE(outcome.ok()) << outcome.sentence;
  const auto file = io::read_splat_file(run.splat_file());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->gaussians.size(), splats);
}

TEST(Veils, AreNotInTheFileOfAFinishedRun) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  expect_splats_written(s.options, s.splats - 1);
}

TEST(Veils, StayWhereThatIsWanted) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  s.options.train.budget.veil_photos = 0;
  expect_splats_written(s.options, s.splats);
}

TEST(Veils, StayInARunThatStopsEarly) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  s.options.train.iterations = 10;
  TrainingRun run(s.options);
  Outcome outcome = run.prepare();
  if (outcome) outcome = run.advance();
  if (outcome) outcome = run.finish();
  ASSERT_TRUE(outcome.ok()) << outcome.sentence;
  EXPECT_EQ(run.trainer().splats(), s.splats);
}

// ---- a run that is to stop while it looks for them

TEST(Veils, StayWhereTheWindowStopsTheRun) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  std::atomic<bool> stop{false};
  TrainingRun run(s.options);
  run.stop_where([&] { return stop.load(); });
  Outcome outcome = run.prepare();
  if (outcome) outcome = run.train();
  stop = true;
  if (outcome) outcome = run.finish();
  ASSERT_TRUE(outcome.ok()) << outcome.sentence;
  EXPECT_TRUE(run.splats_written());
  EXPECT_EQ(run.trainer().splats(), s.splats);
}

TEST(Veils, AStoppedRunIsNotBegun) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  s.options.init.clear();
  TrainingRun run(s.options);
  run.stop_where([] { return true; });
  EXPECT_EQ(run.prepare().code, ExitCode::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(s.options.output));
}

class Ending final : public Monitor {
 public:
  bool cancelled() override { return ends; }
  std::atomic<bool> ends{false};
};

TEST(Veils, AnInterruptedSearchGoesOnToTheSameFile) {
  VeilRun s;
  ASSERT_NO_FATAL_FAILURE(prepare(s));
  {
    Ending monitor;
    TrainingRun run(s.options);
    run.watched_by(monitor);
    ASSERT_TRUE(run.prepare().ok());
    ASSERT_TRUE(run.train().ok());
    monitor.ends = true;
    EXPECT_EQ(run.finish().code, ExitCode::kInterrupted);
    EXPECT_FALSE(run.splats_written());
  }
  Options resumed = s.options;
  resumed.init.clear();
  resumed.resume = s.options.output / "checkpoints/iteration_1.checkpoint";
  ASSERT_TRUE(std::filesystem::exists(resumed.resume));
  expect_splats_written(resumed, s.splats - 1);
  Options whole = s.options;
  whole.output = s.folder.path() / "whole";
  expect_splats_written(whole, s.splats - 1);
  const auto file = std::filesystem::path("point_cloud/iteration_1/point_cloud.ply");
  EXPECT_EQ(*io::read_file(resumed.output / file), *io::read_file(whole.output / file));
}

}  // namespace
}  // namespace app
