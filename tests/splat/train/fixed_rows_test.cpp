// Training amid splats that stay as they are (backend/with_fixed_rows.h): with every strategy they come out as they
// went in, and the run is as deterministic and as resumable as any.
#include <gtest/gtest.h>

#include <algorithm>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/with_fixed_rows.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/trainer.h"
#include "tests/support/parity.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

constexpr int kIterations = 130;

// What the scene is made of, in two halves: one is fixed, one is trained.
struct Halves {
  test::TinyDataset tiny = test::make_tiny_dataset({.views = 12, .splats = 150, .width = 75, .height = 52});
  Gaussians fixed, start;

  Halves() {
    std::vector<uint32_t> rows[2];
    for (uint32_t i = 0; i < tiny.truth.size(); ++i) rows[i % 2].push_back(i);
    fixed = gather_rows(tiny.truth, rows[0]);
    start = gather_rows(tiny.truth, rows[1]);
    for (float& log_scale : start.log_scales) log_scale += 0.3f;
  }
};

TrainConfig busy_config(StrategyKind strategy) {
  TrainConfig config;
  config.iterations = kIterations;
  config.strategy = strategy;
  config.seed = 11;
  config.sh_degree_interval = 15;
  config.mcmc.from = config.budget.from = config.adc.from = 10;
  config.mcmc.until = config.budget.until = config.adc.until = 115;
  config.mcmc.every = config.budget.every = config.adc.every = 20;
  config.adc.opacity_reset_every = 70;
  config.adc.gradient_threshold = 1e-5f;
  config.adc.dense_fraction = 0.02f;
  config.budget.per_detail = 1000;
  config.max_splats = 400;
  return config;
}

struct Outcome {
  Archive state;
  Gaussians all;  // fixed rows first
  size_t trained = 0;
};

Outcome train(StrategyKind strategy, int threads, const Archive* checkpoint = nullptr, int until = kIterations) {
  Halves halves;
  auto cpu = make_cpu_backend({.threads = threads});
  EXPECT_TRUE(cpu.ok());
  const Backend& inner = **cpu;
  const std::unique_ptr<Backend> backend = with_fixed_rows(std::move(*cpu), halves.fixed);
  Trainer trainer(busy_config(strategy), {halves.tiny.dataset, halves.tiny.images, *backend, threads});
  EXPECT_TRUE((checkpoint ? trainer.load_state(*checkpoint) : trainer.initialise(halves.start)).ok());
  while (trainer.iteration() < until) EXPECT_TRUE(trainer.step().ok());
  Outcome result;
  trainer.save_state(result.state);
  inner.download(result.all);
  result.trained = trainer.splats();
  return result;
}

class FixedRows : public ::testing::TestWithParam<StrategyKind> {};

TEST_P(FixedRows, StayAsTheyAreWhileTheOthersGrow) {
  const Halves halves;
  const Outcome trained = train(GetParam(), 2);
  ASSERT_EQ(trained.all.size(), halves.fixed.size() + trained.trained);
  EXPECT_GT(trained.trained, halves.start.size());
  std::vector<uint32_t> rows(halves.fixed.size());
  for (uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
  test::expect_identical(gather_rows(trained.all, rows), with_sh_degree(halves.fixed, trained.all.sh_degree));
  EXPECT_EQ(trained.state.blobs.at("model/count"), [&] {
    Archive count;
    count.put("model/count", uint64_t(trained.trained));
    return count.blobs.at("model/count");
  }());
}

TEST_P(FixedRows, SameBytesOnAnyThreadsAndWhenResumed) {
  const Outcome whole = train(GetParam(), 1);
  EXPECT_EQ(whole.state.blobs, train(GetParam(), 3).state.blobs);
  const Outcome half = train(GetParam(), 2, nullptr, 60);
  EXPECT_EQ(whole.state.blobs, train(GetParam(), 2, &half.state).state.blobs);
}

// What is fixed hides what lies behind it and is seen: training that knows of it starts from a smaller error.
TEST(FixedRowsInTraining, AreSeen) {
  Halves halves;
  double loss[2];
  for (const bool with : {false, true}) {
    auto cpu = make_cpu_backend({.threads = 1});
    std::unique_ptr<Backend> backend = std::move(*cpu);
    if (with) backend = with_fixed_rows(std::move(backend), halves.fixed);
    Trainer trainer(busy_config(StrategyKind::kBudget), {halves.tiny.dataset, halves.tiny.images, *backend, 1});
    ASSERT_TRUE(trainer.initialise(halves.start).ok());
    loss[with] = trainer.step()->loss.total;
  }
  EXPECT_LT(loss[1], 0.7 * loss[0]);
}

// Looks are those of the rows that are trained.
TEST(FixedRowsInTraining, HidingTheOthersLeavesThePictureOfTheFixedRows) {
  const Halves halves;
  const View view = halves.tiny.dataset.views[0].view();
  auto alone = make_cpu_backend({.threads = 1}), amid = make_cpu_backend({.threads = 1});
  const std::unique_ptr<Backend> backend = with_fixed_rows(std::move(*amid), halves.fixed);
  (*alone)->upload(halves.fixed);
  backend->upload(halves.start);
  const std::vector<uint8_t> hidden(halves.start.size(), math::kNotDrawn);
  backend->set_looks({hidden, {}});
  ImageF expected, image;
  (*alone)->forward(view, {});
  (*alone)->read_image(expected);
  backend->forward(view, {});
  backend->read_image(image);
  EXPECT_EQ(image.rgb, expected.rgb);
}

INSTANTIATE_TEST_SUITE_P(Strategies, FixedRows,
                         ::testing::Values(StrategyKind::kAdc, StrategyKind::kMcmc, StrategyKind::kBudget),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace splat
