// Training kept to a box: what grows, what is the result, and that such a run is as deterministic and as resumable as
// any, with every strategy.
#include "splat/train/region.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/reference/reference_backend.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/init.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

constexpr int kRunLength = 130;

// Half of what there is, cut across the middle of the points.
Box half_of(const Dataset& dataset) {
  std::vector<float> x;
  for (size_t i = 0; i < dataset.points.size(); ++i) x.push_back(dataset.points.xyz[3 * i]);
  std::sort(x.begin(), x.end());
  return {{-100, -100, -100}, {double(x[x.size() / 2]) + 1e-4, 100, 100}};
}

struct Region : public ::testing::TestWithParam<StrategyKind> {
  test::TinyDataset tiny = test::make_tiny_dataset({.views = 12, .splats = 120, .width = 60, .height = 44});
  const Box box = half_of(tiny.dataset);

  TrainConfig config(bool alone = false) const {
    TrainConfig config;
    config.iterations = kRunLength;
    config.strategy = GetParam();
    config.seed = 11;
    config.sh_degree_interval = 15;
    config.mcmc.from = config.budget.from = config.adc.from = 10;
    config.mcmc.until = config.budget.until = config.adc.until = 115;
    config.mcmc.every = config.budget.every = config.adc.every = 20;
    config.adc.gradient_threshold = 1e-5f;
    config.adc.dense_fraction = 0.02f;
    config.budget.per_detail = 1000;
    config.max_splats = 900;
    config.region = box;
    config.region_alone = alone;
    return config;
  }
  struct Outcome {
    Archive state;
    Gaussians all, result;
    size_t first_inside = 0, first_around = 0;
  };
  Outcome train(const TrainConfig& config, int threads, const Archive* checkpoint = nullptr, int until = kRunLength) {
    auto cpu = make_cpu_backend({.threads = threads});
    Trainer trainer(config, {tiny.dataset, tiny.images, **cpu, threads});
    EXPECT_TRUE((checkpoint ? trainer.load_state(*checkpoint) : trainer.initialise()).ok());
    Outcome outcome;
    outcome.first_inside = trainer.result_rows().size();
    outcome.first_around = trainer.splats() - outcome.first_inside;
    while (trainer.iteration() < until) EXPECT_TRUE(trainer.step().ok());
    trainer.save_state(outcome.state);
    (*cpu)->download(outcome.all);
    outcome.result = trainer.model();
    return outcome;
  }
  static size_t inside(const Box& box, const Gaussians& model) { return rows_inside(box, model).size(); }
};

TEST(KeepRowsInside, GoesByWhereTheyAreAlone) {
  struct ColoursStay : ReferenceBackend {
    void download_rows(size_t, size_t, Gaussians&) const override { ADD_FAILURE() << "colours are not needed"; }
  } backend;
  const Gaussians model = test::make_tiny_dataset().truth;
  const Box box{{-100, -100, -100}, {0, 100, 100}};
  backend.upload(model);
  EXPECT_EQ(keep_rows_inside(box, backend), model.size() - rows_inside(box, model).size());
  EXPECT_EQ(backend.size(), rows_inside(box, model).size());
}

TEST_P(Region, WhatLiesAroundIsTrainedAndDoesNotGrow) {
  const Outcome trained = train(config(), 2);
  const size_t result = trained.result.size(), around = trained.all.size() - result;
  EXPECT_EQ(result, inside(box, trained.all));
  EXPECT_EQ(result, inside(box, trained.result)) << "nothing else is the result";
  EXPECT_GT(trained.first_around, 50u);
  EXPECT_GT(double(result), 1.3 * double(trained.first_inside)) << "mcmc grows by a twentieth a step";
  // Splats drift across the border, and halves of split ones fall beyond it.
  EXPECT_LT(around, trained.first_around + trained.first_around / 3);
  Outcome start = train(config(), 2, nullptr, 0);
  EXPECT_NE(start.all.means, trained.all.means);
}

TEST_P(Region, AloneNothingElseIsKept) {
  const Outcome start = train(config(true), 2, nullptr, 0);
  EXPECT_EQ(start.first_around, 0u);
  EXPECT_GT(start.all.size(), 50u);
  // The last step of every strategy here is after iteration 100; what drifts out later is no result either.
  const Outcome trained = train(config(true), 2, nullptr, 102);
  EXPECT_LE(trained.all.size() - inside(box, trained.all), 3u);
  EXPECT_GT(trained.result.size(), start.all.size());
}

TEST_P(Region, SameBytesOnAnyThreadsAndWhenResumed) {
  for (const bool alone : {false, true}) {
    const Outcome whole = train(config(alone), 1);
    EXPECT_EQ(whole.state.blobs, train(config(alone), 3).state.blobs);
    const Outcome half = train(config(alone), 2, nullptr, 60);
    const auto stored = load_config(half.state);
    ASSERT_TRUE(stored.ok());
    EXPECT_EQ(stored->region, box);
    EXPECT_EQ(whole.state.blobs, train(*stored, 2, &half.state).state.blobs);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Region,
                         testing::Values(StrategyKind::kAdc, StrategyKind::kMcmc, StrategyKind::kBudget));

TEST(RegionStart, IsFilledWhereNoPointLiesInIt) {
  const test::TinyDataset tiny = test::make_tiny_dataset();
  TrainConfig config = resolve_config({});
  config.random_splats = 500;
  config.region = box_about({0.5, 40, 0.25}, {0.2, 0.1, 0.3}, {0.8, 0, 0.6, 0});
  const InitialModel beside = initial_model(tiny.dataset, config, 1);
  EXPECT_EQ(rows_inside(config.region, beside.splats).size(), 500u);
  EXPECT_EQ(beside.splats.size(), 500 + tiny.dataset.points.size());
  ASSERT_EQ(beside.notes.size(), 1u);
  EXPECT_NE(beside.notes[0].find("No point of the dataset lies in the region"), std::string::npos);
  config.region_alone = true;
  EXPECT_EQ(initial_model(tiny.dataset, config, 1).splats.size(), 500u);
  config.region = {{-100, -100, -100}, {100, 100, 100}};
  const InitialModel all = initial_model(tiny.dataset, config, 1);
  EXPECT_EQ(all.splats.size(), tiny.dataset.points.size());
  EXPECT_TRUE(all.notes.empty());
}

TEST(RegionStart, SplatsToStartFromMustLieInIt) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  TrainConfig config;
  config.iterations = 5;
  config.region = {{50, 50, 50}, {51, 51, 51}};
  auto cpu = make_cpu_backend({.threads = 1});
  Trainer trainer(config, {tiny.dataset, tiny.images, **cpu, 1});
  const Status status = trainer.initialise(tiny.truth);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("region"), std::string::npos);
}

}  // namespace
}  // namespace splat
