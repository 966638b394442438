// The training loop on the reference backend: schedule, learning, limits, refusals. Same bytes again: determinism_test.
#include "splat/train/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "splat/backend/reference/reference_backend.h"
#include "splat/core/device_error.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

using test::make_tiny_dataset;
using test::TinyDataset;

// Densifies early and often.
TrainConfig busy_config(int iterations) {
  TrainConfig config;
  config.iterations = iterations;
  config.strategy = StrategyKind::kAdc;
  config.seed = 1;
  config.sh_degree = 1;
  config.sh_degree_interval = 20;
  config.adc.from = 10;
  config.adc.until = iterations;
  config.adc.every = 10;
  config.adc.opacity_reset_every = 25;
  config.adc.dense_fraction = 0.03f;
  return config;
}

struct Training {
  explicit Training(const TrainConfig& config, const test::TinyOptions& options = {}, uint64_t splats_in_memory = 0)
      : tiny(make_tiny_dataset(options)),
        backend(make_reference_backend()),
        trainer(config, {tiny.dataset, tiny.images, *backend, 1, splats_in_memory}) {}

  TinyDataset tiny;
  std::unique_ptr<Backend> backend;
  Trainer trainer;
};

TEST(Trainer, RetargetingStretchesTheSchedulesAndKeepsTheState) {
  TrainConfig config;
  config.strategy = StrategyKind::kBudget;
  config.iterations = 1000;
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise().ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.trainer.step().ok());
  Archive before;
  run.trainer.save_state(before);
  config.iterations = 20;
  run.trainer.retarget(config);
  EXPECT_EQ(run.trainer.config().budget.until, 10);
  EXPECT_EQ(run.trainer.config().mean_lr_steps, 20);
  Archive after;
  run.trainer.save_state(after);
  EXPECT_EQ(before.blobs.at("strategy/first_splats"), after.blobs.at("strategy/first_splats"));
  EXPECT_EQ(before.blobs.at("model/means"), after.blobs.at("model/means"));
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
  EXPECT_EQ(run.trainer.iteration(), 20);
  config.iterations = 20;
  run.trainer.retarget(config);
  EXPECT_TRUE(run.trainer.done());
}

TEST(Trainer, StepsFollowTheSchedule) {
  TrainConfig config = busy_config(60);
  config.exposure = ExposureMode::kOff;  // photos are requested for the steps alone
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise().ok());
  EXPECT_EQ(run.trainer.splats(), 120u);
  double ema = 0;
  std::vector<int> views;
  DensifyReport total;
  while (!run.trainer.done()) {
    const Result<StepReport> step = run.trainer.step();
    ASSERT_TRUE(step.ok());
    const StepReport& report = *step;
    const int i = run.trainer.iteration();
    EXPECT_EQ(report.iteration, i);
    EXPECT_EQ(report.sh_degree, i < 20 ? 0 : 1);
    EXPECT_EQ(report.splats, run.backend->size());
    ema = i == 1 ? report.loss.total : 0.4 * report.loss.total + 0.6 * ema;
    EXPECT_DOUBLE_EQ(report.loss_ema, ema);
    EXPECT_EQ(report.densify.densified, i > 11 && i % 10 == 1);  // after 20, 30, 40, 50; not after the last
    EXPECT_EQ(report.densify.opacity_reset, i == 26 || i == 51);
    EXPECT_EQ(run.tiny.images.announced.front(), report.view);
    views.push_back(report.view);
    total.cloned += report.densify.cloned;
    total.split += report.densify.split;
    total.pruned += report.densify.pruned;
  }
  EXPECT_EQ(views.size(), 60u);
  EXPECT_EQ(run.tiny.images.asked, views);
  for (size_t begin = 0; begin + 8 <= views.size(); begin += 8)
    EXPECT_EQ(std::set<int>(&views[begin], &views[begin] + 8), (std::set<int>{1, 2, 3, 4, 6, 7, 8, 9}));
  EXPECT_GT(total.cloned, 0u);
  EXPECT_GT(total.split, 0u);
  EXPECT_EQ(run.trainer.splats(), 120 + total.cloned + total.split - total.pruned);
  EXPECT_EQ(run.trainer.history().size(), 60u);
}

TEST(Trainer, WhatIsSavedWhereAResetIsDueIsTheTrainedModel) {
  TrainConfig config = busy_config(25);
  config.adc.until = 60;
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise().ok());
  auto most_opaque = [&] {
    const Gaussians model = run.trainer.model();
    return math::sigmoid(double(*std::max_element(model.logit_opacities.begin(), model.logit_opacities.end())));
  };
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
  EXPECT_GT(most_opaque(), 0.1);
  EXPECT_TRUE(run.trainer.step()->densify.opacity_reset);
  EXPECT_LT(most_opaque(), 0.012);
}

// Adam's first step is the rate itself, whatever the gradient: each group moves by its own, the means by theirs times
// the scene extent, and coefficients above the active degree not at all.
TEST(Trainer, FirstStepMovesEveryGroupByItsRate) {
  TrainConfig config = busy_config(60);
  config.mean_lr_steps = 60;
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise(run.tiny.truth).ok());  // round splats would not turn
  const Gaussians before = run.trainer.model();
  const Result<StepReport> step = run.trainer.step();
  ASSERT_TRUE(step.ok());
  EXPECT_NEAR(step->loss.total, 0.8 * step->loss.l1 + 0.2 * (1 - step->loss.ssim), 1e-7);
  const Gaussians after = run.trainer.model();
  auto largest_step = [](const std::vector<float>& a, const std::vector<float>& b, size_t width, size_t first,
                         size_t end) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i)
      if (i % width >= first && i % width < end) largest = std::max(largest, std::abs(double(a[i]) - double(b[i])));
    return largest;
  };
  const double mean_step = 1.6e-4 * std::pow(0.01, 1 / 60.0) * run.trainer.extent();
  EXPECT_NEAR(largest_step(before.means, after.means, 3, 0, 3), mean_step, 0.002 * mean_step);
  EXPECT_NEAR(largest_step(before.log_scales, after.log_scales, 3, 0, 3), 0.005, 1e-5);
  EXPECT_NEAR(largest_step(before.quats, after.quats, 4, 0, 4), 0.001, 1e-5);
  EXPECT_NEAR(largest_step(before.logit_opacities, after.logit_opacities, 1, 0, 1), 0.025, 1e-5);
  EXPECT_NEAR(largest_step(before.sh, after.sh, 12, 0, 3), 0.0025, 1e-5);
  EXPECT_EQ(largest_step(before.sh, after.sh, 12, 3, 12), 0);
}

TEST(Trainer, RendersOnTheBackgroundOfTheIteration) {
  TrainConfig config = busy_config(5);
  config.background = BackgroundMode::kRandom;
  Training run(config);
  Gaussians invisible = run.tiny.truth;
  for (float& logit_opacity : invisible.logit_opacities) logit_opacity = -20;
  ASSERT_TRUE(run.trainer.initialise(invisible).ok());
  while (!run.trainer.done()) {
    const Result<StepReport> step = run.trainer.step();
    ASSERT_TRUE(step.ok());
    const TrainingImage& photo = run.tiny.images.photos[size_t(step->view)];
    const std::array<float, 3> background = training_background(config, step->iteration);
    const size_t pixels = photo.rgb.size() / 3;
    double l1 = 0, counted = 0;
    for (size_t i = 0; i < photo.rgb.size(); ++i)
      if (photo.mask.empty() || photo.mask[i % pixels] != 0) {
        l1 += std::abs(background[i / pixels] - photo.rgb[i] / 255.0);
        ++counted;
      }
    EXPECT_NEAR(step->loss.l1, l1 / counted, 1e-9);
  }
}

LearningRates fast_rates() {  // every group has far to go in few iterations
  LearningRates rates;
  rates.mean_first = 2e-3f;
  rates.mean_last = 2e-4f;
  rates.sh0 = 0.02f;
  rates.sh_rest = 0.005f;
  rates.log_scale = 0.02f;
  rates.quat = 0.02f;
  return rates;
}

// Held-out PSNR after training the truth back from a disturbed copy of it.
double psnr_from_a_perturbed_start(const LearningRates& rates, double* before = nullptr) {
  TrainConfig config;
  config.strategy = StrategyKind::kAdc;
  config.iterations = 150;
  config.sh_degree = 1;
  config.sh_degree_interval = 50;
  config.rates = rates;
  Training run(config, {.splats = 30});
  Gaussians start = run.tiny.truth;
  random::Sequence numbers(7, random::kTest);
  for (float& x : start.means) x += 0.04f * numbers.normal();
  for (float& x : start.log_scales) x += 0.25f * numbers.normal();
  for (float& x : start.quats) x += 0.3f * numbers.normal();
  for (float& x : start.logit_opacities) x += 0.8f * numbers.normal();
  for (float& x : start.sh) x += 0.15f * numbers.normal();
  EXPECT_TRUE(run.trainer.initialise(start).ok());
  if (before) *before = run.trainer.evaluate()->psnr;
  while (!run.trainer.done()) EXPECT_TRUE(run.trainer.step().ok());
  return run.trainer.evaluate()->psnr;
}

TEST(Trainer, LearnsFromAPerturbedStart) {
  double before = 0;
  const double after = psnr_from_a_perturbed_start(fast_rates(), &before);
  EXPECT_LT(before, 24);
  EXPECT_GT(after, 37) << "from " << before;
}

TEST(Trainer, EveryParameterGroupLearns) {
  const double all = psnr_from_a_perturbed_start(fast_rates());
  for (float LearningRates::*group : {&LearningRates::mean_first, &LearningRates::sh0, &LearningRates::sh_rest,
                                      &LearningRates::opacity, &LearningRates::log_scale, &LearningRates::quat}) {
    LearningRates rates = fast_rates();
    rates.*group = 0;
    if (group == &LearningRates::mean_first) rates.mean_last = 0;
    EXPECT_LT(psnr_from_a_perturbed_start(rates), all - 0.5);
  }
}

TEST(Trainer, EvaluatesHeldOutViewsWithoutTouchingTheRun) {
  Training run(busy_config(10)), other(busy_config(10));
  ASSERT_TRUE(run.trainer.initialise().ok());
  ASSERT_TRUE(other.trainer.initialise().ok());
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i) {
    names.clear();
    const Result<Evaluation> evaluation =
        run.trainer.evaluate([&](const ViewMetrics& view, const ImageF& render, const TrainingImage& photo) {
          names.push_back(view.name);
          EXPECT_EQ(&photo, &run.tiny.images.photos[size_t(view.view)]);
          EXPECT_EQ(image_metrics(render, photo).psnr, view.psnr);
        });
    ASSERT_EQ(evaluation->views.size(), 2u);
    EXPECT_EQ(names, (std::vector<std::string>{"photo_100.png", "photo_105.png"}));
    EXPECT_DOUBLE_EQ(evaluation->psnr, (evaluation->views[0].psnr + evaluation->views[1].psnr) / 2);
    EXPECT_TRUE(run.trainer.history().back().evaluated);
    EXPECT_EQ(run.trainer.history().back().psnr, evaluation->psnr);
    EXPECT_EQ(run.trainer.history().back().iteration, i);
    EXPECT_EQ(run.trainer.history().size(), size_t(i) + 1) << "entered into the iteration's entry";
    ASSERT_TRUE(run.trainer.step().ok());
    ASSERT_TRUE(other.trainer.step().ok());
  }
  EXPECT_EQ(run.trainer.model().means, other.trainer.model().means);
}

TEST(Trainer, ZeroIterationsLeaveTheInitialModel) {
  TrainConfig config;
  config.iterations = 0;
  config.far_points = config.matched_photos = 0;
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise().ok());
  EXPECT_TRUE(run.trainer.done());
  EXPECT_EQ(run.trainer.model().means, run.tiny.dataset.points.xyz);
  EXPECT_EQ(run.trainer.model().sh_degree, 3);
  EXPECT_TRUE(run.trainer.evaluate().ok());
}

TEST(Trainer, LimitsOfSplatsHold) {
  TrainConfig config = busy_config(45);
  config.max_splats = 130;
  Training limited(config);
  ASSERT_TRUE(limited.trainer.initialise().ok());
  size_t most = 0, withheld = 0;
  while (!limited.trainer.done()) {
    const Result<StepReport> step = limited.trainer.step();
    most = std::max(most, step->splats);
    withheld += step->densify.withheld;
  }
  EXPECT_EQ(most, 130u);
  EXPECT_GT(withheld, 0u);

  Training memory(busy_config(45), {}, 125);
  ASSERT_TRUE(memory.trainer.initialise().ok());
  for (most = 0; !memory.trainer.done();) most = std::max(most, memory.trainer.step()->splats);
  EXPECT_EQ(most, 125u);

  test::TinyOptions small;  // 6 views trained on: 6 x 16 x 16 x 3 values / 23 parameters
  small.views = 8;
  small.width = small.height = 16;
  Training pixels(busy_config(60), small);
  ASSERT_TRUE(pixels.trainer.initialise().ok());
  for (most = 0; !pixels.trainer.done();) most = std::max(most, pixels.trainer.step()->splats);
  EXPECT_EQ(most, 200u);

  config.max_splats = 50;
  Training few(config);
  ASSERT_TRUE(few.trainer.initialise().ok());
  EXPECT_EQ(few.trainer.splats(), 50u);
  EXPECT_EQ(few.trainer.notes().size(), 1u);
}

// What is asked of all cameras of a scene is not asked of a part's alone: a splat that one photo of the part shows
// stays where it is when others of the scene show it, too.
TEST(Trainer, APartAsksTheCamerasOfTheWholeScene) {
  const auto farthest = [](const Gaussians& model) {
    double most = 0;
    for (size_t i = 0; i < model.size(); ++i)
      most = std::max(most, double(std::hypot(model.means[3 * i], model.means[3 * i + 1], model.means[3 * i + 2])));
    return most;
  };
  for (const bool whole : {false, true}) {
    TrainConfig config;
    config.strategy = StrategyKind::kBudget;
    config.iterations = 40;
    config.budget.from = 1;
    config.budget.every = 2;
    config.rates.mean_first = config.rates.mean_last = 0;
    test::TinyDataset tiny = make_tiny_dataset({});
    // Two cameras make the part. The second stands amid the splats: those behind it the first alone has in frame.
    tiny.dataset.views[1].cam_from_world = {{-1, 0, 0, 0, 1, 0, 0, 0, -1}, {0, 0, 0}};
    std::vector<View> all;
    for (DatasetView& view : tiny.dataset.views) {
      all.push_back(view.view());
      view.held_out = all.size() > 2;
    }
    const std::unique_ptr<Backend> backend = make_reference_backend();
    TrainerInputs inputs{tiny.dataset, tiny.images, *backend, 1};
    if (whole) inputs.scene_cameras = all;
    Trainer trainer(config, inputs);
    ASSERT_TRUE(trainer.initialise(tiny.truth).ok());
    while (trainer.iteration() < 5) ASSERT_TRUE(trainer.step().ok());
    if (whole)
      EXPECT_LT(farthest(trainer.model()), 1.3 * farthest(tiny.truth)) << "halves lie apart, no more";
    else
      EXPECT_GT(farthest(trainer.model()), 1.5 * farthest(tiny.truth));
  }
}

TEST(Trainer, ColourBandsAreAllThereFromTheFirstIterationWhereAsked) {
  TrainConfig config = busy_config(3);
  config.sh_degree_interval = 0;
  Training run(config);
  ASSERT_TRUE(run.trainer.initialise().ok());
  EXPECT_EQ(run.trainer.step()->sh_degree, config.sh_degree);
}

TEST(Trainer, StartsWithoutPoints) {
  TrainConfig config = busy_config(3);
  config.random_splats = 150;
  Training run(config);
  run.tiny.dataset.points = {};
  ASSERT_TRUE(run.trainer.initialise().ok());
  EXPECT_EQ(run.trainer.splats(), 150u);
  EXPECT_EQ(run.trainer.notes().size(), 1u);
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
}

TEST(Trainer, OtherDegreesAreAdapted) {
  for (int degree : {0, 3}) {
    TrainConfig config = busy_config(2);
    config.sh_degree = degree;
    Training run(config);
    ASSERT_TRUE(run.trainer.initialise(run.tiny.truth).ok());
    const Gaussians model = run.trainer.model();
    EXPECT_EQ(model.sh_degree, degree);
    EXPECT_EQ(model.sh[3 * size_t(model.coefficients()) + 2], run.tiny.truth.sh[12 + 2]);
    ASSERT_TRUE(run.trainer.step().ok());
  }
}

TEST(Trainer, BrokenPhotosAndSettingsAreSentences) {
  Training run(busy_config(60));
  run.tiny.images.broken_view = 3;
  ASSERT_TRUE(run.trainer.initialise().ok());
  Result<StepReport> step = run.trainer.step();
  while (step) step = run.trainer.step();
  EXPECT_EQ(step.error().message, "the photo is broken");
  EXPECT_LT(run.trainer.iteration(), 8);

  TrainConfig wrong = busy_config(5);
  wrong.sh_degree = 7;
  EXPECT_EQ(Training(wrong).trainer.initialise().error().message, "sh_degree is 7 but must lie between 0 and 3");

  TinyDataset tiny = make_tiny_dataset();
  for (DatasetView& view : tiny.dataset.views) view.held_out = true;
  auto backend = make_reference_backend();
  Trainer trainer(busy_config(5), {tiny.dataset, tiny.images, *backend});
  EXPECT_EQ(trainer.initialise().error().message,
            "'tiny' has no views to train on: every view is held out for evaluation");
  EXPECT_FALSE(trainer.initialise(Gaussians{}).ok());
}

// A device that fails in the middle of an iteration, or whose loss is no number. Iterations count from 1; 0: never.
class FailingBackend : public ReferenceBackend {
 public:
  int fail_at = 0, diverge_at = 0;
  void forward(const View& view, const RenderSettings& settings) override {
    if (++forwards_ == fail_at) throw DeviceError("hipMalloc", "out of memory", 100, 10);
    ReferenceBackend::forward(view, settings);
  }
  LossValue loss(const TrainingImage& target, const LossSettings& settings) override {
    LossValue value = ReferenceBackend::loss(target, settings);
    if (forwards_ == diverge_at) value.total = std::nan("");
    return value;
  }

 private:
  int forwards_ = 0;
};

TEST(Trainer, DivergenceNamesTheView) {
  TinyDataset tiny = make_tiny_dataset();
  FailingBackend backend;
  backend.diverge_at = 4;
  Trainer trainer(busy_config(60), {tiny.dataset, tiny.images, backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(trainer.step().ok());
  EXPECT_FALSE(trainer.diverged());
  const Result<StepReport> step = trainer.step();
  ASSERT_FALSE(step.ok());
  EXPECT_TRUE(trainer.diverged());
  EXPECT_EQ(trainer.iteration(), 3);
  const std::string& name = tiny.dataset.views[size_t(tiny.images.asked.back())].name;
  EXPECT_EQ(step.error().message,
            "training diverged: the loss of " + name + " is not a number in iteration 4; try lower learning rates");
}

// Density control comes first in an iteration. When the rest of it fails, it is done, and not done again.
TEST(Trainer, DensityControlIsNotRepeatedAfterAFailure) {
  TrainConfig config = busy_config(24);
  config.adc.gradient_threshold = 0;  // everything grows, every time
  config.max_splats = 400;
  config.exposure = ExposureMode::kOff;  // calls of the backend are counted
  TinyDataset tiny = make_tiny_dataset();
  std::vector<float> means[2];
  for (bool failing : {false, true}) {
    FailingBackend first, second;
    first.fail_at = failing ? 21 : 0;
    Trainer trainer(config, {tiny.dataset, tiny.images, first, 1}),
        resumed(config, {tiny.dataset, tiny.images, second, 1});
    ASSERT_TRUE(trainer.initialise().ok());
    if (failing) {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(trainer.step().ok());
      const size_t before = trainer.splats();
      EXPECT_THROW((void)trainer.step(), DeviceError);
      EXPECT_EQ(trainer.iteration(), 20);
      EXPECT_GT(trainer.splats(), before) << "otherwise this test shows nothing";
      Archive archive;
      trainer.save_state(archive);
      ASSERT_TRUE(resumed.load_state(archive).ok());
    }
    Trainer& rest = failing ? resumed : trainer;
    while (!rest.done()) ASSERT_TRUE(rest.step().ok());
    means[failing] = rest.model().means;
  }
  ASSERT_EQ(means[0].size(), means[1].size());
  for (size_t i = 0; i < means[0].size(); ++i)  // the checkpoint's floats are not the reference's doubles
    ASSERT_NEAR(means[1][i], means[0][i], 1e-3) << i;
}

TEST(Trainer, FingerprintSeesEveryPartOfTheDataset) {
  const Dataset original = make_tiny_dataset().dataset;
  std::set<uint64_t> prints{dataset_fingerprint(original)};
  auto changed = [&](auto change) {
    Dataset dataset = original;
    change(dataset);
    prints.insert(dataset_fingerprint(dataset));
  };
  changed([](Dataset& d) { d.views[2].name += "x"; });
  changed([](Dataset& d) { d.views[2].camera.fx += 0.01f; });
  changed([](Dataset& d) { d.views[2].camera.height += 1; });
  changed([](Dataset& d) { d.views[2].cam_from_world.translation[1] += 1e-12; });
  changed([](Dataset& d) { d.views[2].held_out = true; });
  changed([](Dataset& d) { d.views.pop_back(); });
  changed([](Dataset& d) { d.points.xyz[7] += 0.1f; });
  changed([](Dataset& d) { d.points.rgb[7] ^= 1; });
  EXPECT_EQ(prints.size(), 9u);
  EXPECT_EQ(dataset_fingerprint(make_tiny_dataset().dataset), dataset_fingerprint(original));
}

TEST(Trainer, ResumingIsRefusedWhereItCannotBeRight) {
  Training run(busy_config(12));
  ASSERT_TRUE(run.trainer.initialise().ok());
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
  Archive archive;
  run.trainer.save_state(archive);

  Training same(*load_config(archive));
  EXPECT_TRUE(same.trainer.load_state(archive).ok());
  Training other(*load_config(archive), {.seed = 2});
  EXPECT_NE(other.trainer.load_state(archive).error().message.find("other data than 'tiny'"), std::string::npos);

  for (const auto& [name, blob] : archive.blobs) {
    if (name.starts_with("config/") || name == "dataset/views") continue;
    Archive without = archive, longer = archive;
    without.blobs.erase(name);
    // Older versions stepped every row, and those after them took today's rates for all before.
    const bool may_be_missing = name == "moments/last_step" || name == "trainer/rates";
    EXPECT_EQ(same.trainer.load_state(without).ok(), may_be_missing) << name;
    longer.blobs[name].resize(blob.size() + (name == "trainer/history" ? 1 : 4));
    EXPECT_FALSE(same.trainer.load_state(longer).ok()) << name;
  }
  archive.put("model/count", uint64_t(1) << 60);
  EXPECT_FALSE(same.trainer.load_state(archive).ok());
}

// Its moments are those after the steps of all iterations, of every row: what comes next is missed from there on.
TEST(Trainer, ACheckpointWithoutLastStepsHasSteppedEveryRow) {
  Training run(busy_config(12));
  ASSERT_TRUE(run.trainer.initialise().ok());
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
  Archive archive;
  run.trainer.save_state(archive);
  ASSERT_EQ(archive.blobs.erase("moments/last_step"), 1u);
  Training resumed(*load_config(archive));
  ASSERT_TRUE(resumed.trainer.load_state(archive).ok());
  AdamMoments moments;
  resumed.backend->download_moments(moments);
  EXPECT_EQ(moments.last_step, std::vector<uint32_t>(resumed.trainer.splats(), 12));
  EXPECT_EQ(resumed.backend->adam_history().rates.size(), 12u);
}

TEST(Trainer, RatesOfACheckpointMustBePossible) {
  Training run(busy_config(12));
  ASSERT_TRUE(run.trainer.initialise().ok());
  while (!run.trainer.done()) ASSERT_TRUE(run.trainer.step().ok());
  Archive archive;
  run.trainer.save_state(archive);
  auto rates = *archive.get_array<math::AdamValues>("trainer/rates");
  ASSERT_EQ(rates.size(), 12u);
  const auto loads = [&] {
    archive.put_array("trainer/rates", std::span<const math::AdamValues>(rates));
    return run.trainer.load_state(archive).ok();
  };
  EXPECT_TRUE(loads());
  rates.push_back(rates.back());
  EXPECT_FALSE(loads());
  rates.pop_back();
  for (const float wrong : {-1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    rates[3].of[2] = wrong;
    EXPECT_FALSE(loads()) << wrong;
  }
}

}  // namespace
}  // namespace splat
