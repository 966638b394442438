#include "app/jobs/training/run_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/jobs/training/training_run.h"
#include "devices/registry.h"
#include "io/dataset/load_dataset.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace app {
namespace {

constexpr double kFactor = 2.5;  // between the predicted time and the time taken, either way
constexpr int kAttempts = 3;     // a machine stands still now and then

Options demo_run(const splat::test::TempFolder& folder) {
  Options options;
  options.input = test_paths::source() / "assets/demo";
  options.output = folder.path() / "run";
  options.dataset.eval = true;
  options.dataset.resolution = 160;
  options.train.iterations = 500;
  options.device.backend = "cpu";
  options.device.threads = 2;
  options.console.quiet = true;
  return options;
}

splat::Result<std::optional<RunEstimate>> estimated(
    const Options& options, const splat::Dataset& dataset, const std::function<bool()>& stop = [] { return false; }) {
  SPLAT_ASSIGN_OR_RETURN(const splat::BackendChoice chosen, splat::make_backend("cpu", -1, options.device.threads));
  return estimate_run(options, dataset, *chosen.backend, stop);
}

// The factor between both times, 1 and above.
double check_what_the_run_takes(const Options& options, const splat::Dataset& dataset) {
  const auto estimate = estimated(options, dataset);
  if (!estimate.ok() || !*estimate) throw std::runtime_error("there is no estimate");
  TrainingRun run(options);
  Outcome outcome = run.prepare();
  if (outcome) outcome = run.train();
  if (!outcome.ok()) throw std::runtime_error(outcome.sentence);
  const RunEstimate& said = **estimate;
  EXPECT_NEAR(double(said.splats) / double(run.trainer().splats()), 1, 0.3);
  EXPECT_EQ(said.result_bytes, 248 * said.splats);
  EXPECT_GT(said.memory_bytes, 20'000'000u);
  testing::Test::RecordProperty("predicted_seconds", std::to_string(said.seconds));
  testing::Test::RecordProperty("seconds", std::to_string(run.training_seconds()));
  return std::exp(std::abs(std::log(said.seconds / run.training_seconds())));
}

void expect_what_the_run_takes(Options options) {
  const auto dataset = io::load_dataset(options.input, options.dataset);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  double factor = INFINITY;
  for (int attempt = 0; attempt < kAttempts && factor > kFactor; ++attempt) {
    options.output += std::to_string(attempt);
    factor = std::min(factor, check_what_the_run_takes(options, *dataset));
  }
  EXPECT_LT(factor, kFactor);
}

TEST(RunEstimate, OfTheDemoIsWhatTheRunThenTakes) {
  const splat::test::TempFolder folder;
  expect_what_the_run_takes(demo_run(folder));
}

TEST(RunEstimate, OfPhotosThatStartSmallToo) {
  const splat::test::TempFolder folder;
  Options options = demo_run(folder);
  options.dataset.resolution = 384;  // their sides begin at a third
  options.train.iterations = 600;
  expect_what_the_run_takes(options);
}

TEST(RunEstimate, KnowsWhatSmallPhotosSave) {
  const splat::test::TempFolder folder;
  Options options = demo_run(folder);
  options.dataset.resolution = 384;
  options.train.progressive_until = options.train.iterations;
  const auto dataset = io::load_dataset(options.input, options.dataset);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  // Other work on the machine makes single estimates longer, none shorter: of each kind the least of several counts,
  // taken in turns.
  constexpr int kTurns = 3;
  double whole = INFINITY, small = INFINITY;
  for (int turn = 0; turn < kTurns; ++turn)
    for (const int divisor : {1, 3}) {
      options.train.progressive_divisor = divisor;
      const auto estimate = estimated(options, *dataset);
      ASSERT_TRUE(estimate.ok() && *estimate);
      double& least = divisor == 1 ? whole : small;
      least = std::min(least, (*estimate)->seconds);
    }
  EXPECT_LT(small, 0.8 * whole);
}

TEST(RunEstimate, IsGivenUpWhenItIsToStop) {
  const splat::test::TempFolder folder;
  const Options options = demo_run(folder);
  const auto dataset = io::load_dataset(options.input, options.dataset);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  int asked = 0;
  const auto estimate = estimated(options, *dataset, [&] { return ++asked > 3; });
  ASSERT_TRUE(estimate.ok()) << estimate.error().message;
  EXPECT_FALSE(*estimate);
  EXPECT_EQ(asked, 4);
}

TEST(RunEstimate, WithoutPhotosToTrainOnThereIsASentence) {
  const splat::test::TempFolder folder;
  splat::Dataset empty;
  const auto estimate = estimated(demo_run(folder), empty);
  ASSERT_FALSE(estimate.ok());
  EXPECT_NE(estimate.error().message.find("no photo"), std::string::npos) << estimate.error().message;
}

}  // namespace
}  // namespace app
