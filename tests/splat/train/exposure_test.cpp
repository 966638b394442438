#include "splat/train/terms/exposure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "tests/support/tiny_run.h"

namespace splat {
namespace {

std::vector<MeasuredExposure> with_stops(const std::vector<double>& stops) {
  std::vector<MeasuredExposure> measured;
  for (size_t i = 0; i < stops.size(); ++i) {
    const double gain = std::exp2(stops[i] / 2.2);
    measured.push_back({int(i), {gain, gain, gain}});
  }
  return measured;
}

// Cameras on a circle, in the order of their names.
Dataset ring(size_t views) {
  Dataset dataset;
  for (size_t i = 0; i < views; ++i) {
    DatasetView& view = dataset.views.emplace_back();
    const double angle = 2 * M_PI * double(i) / double(views);
    view.cam_from_world.translation = {5 * std::cos(angle), 5 * std::sin(angle), 0};
  }
  return dataset;
}

TEST(Exposures, AreTrainedWherePhotosDifferFromThoseBesideThem) {
  const Dataset dataset = ring(24);
  std::vector<double> jumping, slow;
  for (int i = 0; i < 24; ++i) {
    jumping.push_back(i % 3 == 0 ? 0.4 : -0.2);
    slow.push_back(0.6 * std::sin(2 * M_PI * i / 24));
  }
  Exposures exposures(ExposureMode::kAuto, dataset.training_views(), 24);
  EXPECT_TRUE(exposures.decide(dataset, with_stops(jumping)));
  EXPECT_FALSE(exposures.decide(dataset, with_stops(slow))) << "larger, but the same as next to it";
  EXPECT_LT(exposures.deviation_stops(), 0.1);
  EXPECT_TRUE(Exposures(ExposureMode::kOn, dataset.training_views(), 24).decide(dataset, with_stops(slow)));
  EXPECT_EQ(deviation_from_neighbours(dataset, with_stops({0.5, -0.5})), 0);
}

// A video that goes around twice, brighter the second time: next to each place is one of the other round.
TEST(Exposures, OfAVideoThatComesBackAreThoseOfItsOwnFrames) {
  Dataset dataset = ring(24);
  const Dataset second = ring(24);
  dataset.views.insert(dataset.views.end(), second.views.begin(), second.views.end());
  std::vector<double> rounds(48, -0.5), jumping;
  std::fill(rounds.begin() + 24, rounds.end(), 0.5);
  for (int i = 0; i < 48; ++i) jumping.push_back(rounds[size_t(i)] + (i % 3 == 0 ? 0.4 : -0.2));
  Exposures exposures(ExposureMode::kAuto, dataset.training_views(), 48);
  EXPECT_FALSE(exposures.decide(dataset, with_stops(rounds)));
  EXPECT_LT(exposures.deviation_stops(), 0.15);
  EXPECT_TRUE(exposures.decide(dataset, with_stops(jumping)));
  EXPECT_NEAR(exposures.deviation_stops(), 0.36, 0.03);
}

TEST(Exposures, AreMeasuredOnceAndEarly) {
  const Dataset dataset = ring(24);
  Exposures exposures(ExposureMode::kAuto, dataset.training_views(), 24);
  EXPECT_FALSE(exposures.due(50, 1000));
  EXPECT_TRUE(exposures.due(51, 1000));
  EXPECT_FALSE(exposures.due(24, 100)) << "some photos may not have been seen";
  EXPECT_TRUE(exposures.due(25, 100));
  EXPECT_FALSE(exposures.due(100, 30000));
  EXPECT_TRUE(exposures.due(101, 30000)) << "splats learn what differs";
  const Dataset many = ring(200);
  EXPECT_FALSE(Exposures(ExposureMode::kAuto, many.training_views(), 200).due(500, 30000));
  EXPECT_TRUE(Exposures(ExposureMode::kAuto, many.training_views(), 200).due(501, 30000));
  EXPECT_EQ(exposures.first_views(100).size(), 8u);
  EXPECT_EQ(exposures.first_views(300).size(), 17u) << "a fiftieth of the run";
  EXPECT_EQ(exposures.first_views(7000).size(), 24u);
  exposures.decide(dataset, with_stops({0, 0, 0}));
  EXPECT_FALSE(exposures.due(51, 1000));
  EXPECT_FALSE(Exposures(ExposureMode::kOff, dataset.training_views(), 24).due(51, 1000));
}

// Haze before what is empty is no exposure.
TEST(Exposures, AreMeasuredWhereAPhotoShowsSomething) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  const std::unique_ptr<Backend> backend = make_reference_backend();
  backend->upload(tiny.truth);
  const std::vector<int> views{1};
  TrainingImage& photo = tiny.images.photos[1];
  const size_t pixels = photo.rgb.size() / 3;
  const auto gain = [&] {
    return measure_exposures(*backend, tiny.dataset, tiny.images, views, {}).value()[0].gain[1];
  };
  EXPECT_NEAR(gain(), 1, 0.02);
  photo.alpha.assign(pixels, 255);
  for (size_t p = 0; p < pixels; ++p) {
    if (p % 3 != 0) continue;
    photo.alpha[p] = 0;
    for (size_t c = 0; c < 3; ++c) photo.rgb[c * pixels + p] = 0;
  }
  EXPECT_NEAR(gain(), 1, 0.02);
  photo.alpha.clear();
  EXPECT_LT(gain(), 0.9) << "the same without alpha";
}

TEST(Exposures, KeepTheMeanOfThePhotos) {
  const Dataset dataset = ring(3);
  Exposures exposures(ExposureMode::kOn, dataset.training_views(), 3);
  exposures.decide(dataset, with_stops({1, 2, 3}));
  exposures.start(with_stops({1, 2, 3}));
  EXPECT_NEAR(stops_of(exposures.colour(0)), -1, 1e-9);
  EXPECT_NEAR(stops_of(exposures.colour(1)), 0, 1e-9);
  EXPECT_NEAR(stops_of(exposures.colour(2)), 1, 1e-9);
  for (int i = 1; i <= 3; ++i) exposures.step(i - 1, {{{-1, 2}, {-1, 2}, {-1, 2}}}, i, 100);
  double stops = 0, bias = 0;
  for (int i = 0; i < 3; ++i) stops += stops_of(exposures.colour(i)), bias += exposures.colour(i)[1].bias;
  EXPECT_NEAR(stops, 0, 1e-9);
  EXPECT_NEAR(bias, 0, 1e-12);
  exposures.step(1, {{{-1, 0}, {0, 0}, {0, 0}}}, 4, 100);
  EXPECT_GT(exposures.colour(1)[0].gain, exposures.colour(1)[1].gain) << "against the gradient";
}

// Photos of the even views are darker than those of the odd ones, between which they lie.
struct Trained : test::TinyRun {
  explicit Trained(ExposureMode mode, double dark_gain, int threads = 1)
      : TinyRun({.views = 12, .splats = 150, .width = 60, .height = 48}) {
    for (size_t i = 0; i < tiny.images.photos.size(); i += 2)
      for (uint8_t& value : tiny.images.photos[i].rgb) value = uint8_t(value * dark_gain);
    config.iterations = 300;
    config.exposure = mode;
    make_trainer(threads);
  }
};

Trained trained(ExposureMode mode, double dark_gain, int threads = 1) {
  Trained run(mode, dark_gain, threads);
  EXPECT_TRUE(run.trainer->initialise().ok());
  run.train(300);
  return run;
}

TEST(TrainedExposures, FindTheDarkPhotosAndFitThemAllBetter) {
  Trained with = trained(ExposureMode::kAuto, 0.7), without = trained(ExposureMode::kOff, 0.7);
  EXPECT_TRUE(with.trainer->exposures().active());
  EXPECT_FALSE(without.trainer->exposures().decided());
  double even = 0, odd = 0;
  for (int view : with.tiny.dataset.training_views())
    (view % 2 == 0 ? even : odd) = with.trainer->exposures().colour(view)[1].gain;
  EXPECT_NEAR(even / odd, 0.7, 0.1);
  EXPECT_GT(with.trainer->measure_fit(100)->psnr, without.trainer->measure_fit(100)->psnr + 1);
  const auto score = [](Trained& run) { return *run.trainer->evaluate({}, Metrics::kAll)->psnr_fitted; };
  EXPECT_GT(score(with), score(without));
}

TEST(TrainedExposures, WherePhotosAreAlikeTheRunIsTheSameToTheByte) {
  Trained with = trained(ExposureMode::kAuto, 1), without = trained(ExposureMode::kOff, 1);
  EXPECT_TRUE(with.trainer->exposures().decided());
  EXPECT_FALSE(with.trainer->exposures().active());
  const Gaussians a = with.trainer->model(), b = without.trainer->model();
  EXPECT_TRUE(a.means == b.means && a.sh == b.sh && a.logit_opacities == b.logit_opacities);
}

TEST(TrainedExposures, AShortRunOfPhotosThatAreAlikeNeedsNone) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  TrainConfig config;
  config.iterations = 60;
  config.matched_photos = 0;  // at this size most matches are chance
  Trainer trainer(config, {tiny.dataset, tiny.images, *backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  while (!trainer.done()) ASSERT_TRUE(trainer.step().ok());
  EXPECT_TRUE(trainer.exposures().decided());
  EXPECT_FALSE(trainer.exposures().active()) << trainer.exposures().deviation_stops();
}

TEST(TrainedExposures, SameBytesOnAnyNumberOfThreadsAndWhenResumed) {
  const Archive whole = trained(ExposureMode::kOn, 0.8).state();
  EXPECT_TRUE(trained(ExposureMode::kOn, 0.8, 3).state().blobs == whole.blobs);
  for (const int stop : {15, 16, 200}) {  // just before the measurement, just after it, and later
    SCOPED_TRACE(stop);
    Trained first(ExposureMode::kOn, 0.8), second(ExposureMode::kOn, 0.8);
    ASSERT_TRUE(first.trainer->initialise().ok());
    first.train(stop);
    ASSERT_TRUE(second.trainer->load_state(first.state()).ok());
    second.train(300);
    EXPECT_TRUE(second.state().blobs == whole.blobs);
  }
  Archive older = whole;
  for (const char* entry : {"decided", "active", "deviation_stops", "photos"})
    older.blobs.erase(std::string("exposure/") + entry);
  Trained from_before(ExposureMode::kAuto, 0.8);
  ASSERT_TRUE(from_before.trainer->load_state(older).ok());
  EXPECT_FALSE(from_before.trainer->exposures().active());
  EXPECT_FALSE(from_before.trainer->exposures().due(250, 300)) << "it goes on as it began";
  Archive damaged = whole;
  damaged.blobs["exposure/photos"].resize(8);
  EXPECT_FALSE(Trained(ExposureMode::kOn, 0.8).trainer->load_state(damaged).ok());
}

// A part of a scene is trained with what was found for the whole: the colours stay, to the bit, and count.
TEST(TrainedExposures, HeldColoursAreUsedAndNeverChanged) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  std::vector<PhotoColour> held(tiny.dataset.views.size());
  for (size_t i = 0; i < held.size(); ++i) held[i] = {{{0.5 + 0.1 * double(i % 3), 0.01}, {0.7, 0}, {1.1, -0.02}}};
  double loss[2];
  for (const bool hold : {false, true}) {
    const std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
    TrainConfig config;
    config.iterations = 60;
    config.exposure = ExposureMode::kOn;
    config.far_points = config.matched_photos = 0;  // the first loss is of colours, not of what more points show
    TrainerInputs inputs{tiny.dataset, tiny.images, *backend, 1};
    if (hold) inputs.held_colours = held;
    Trainer trainer(config, inputs), resumed(config, inputs);
    ASSERT_TRUE(trainer.initialise().ok());
    loss[hold] = trainer.step()->loss.total;
    while (trainer.iteration() < 30) ASSERT_TRUE(trainer.step().ok());
    if (!hold) continue;
    Archive state;
    trainer.save_state(state);
    ASSERT_TRUE(resumed.load_state(state).ok());
    while (!resumed.done()) ASSERT_TRUE(resumed.step().ok());
    ASSERT_TRUE(resumed.exposures().active());
    for (size_t i = 0; i < held.size(); ++i)
      for (size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(resumed.exposures().colour(int(i))[c].gain, held[i][c].gain);
        EXPECT_EQ(resumed.exposures().colour(int(i))[c].bias, held[i][c].bias);
      }
  }
  EXPECT_GT(loss[1], 1.1 * loss[0]);
}

}  // namespace
}  // namespace splat
