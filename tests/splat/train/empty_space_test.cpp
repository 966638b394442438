#include "splat/train/empty_space.h"

#include <gtest/gtest.h>

#include "splat/train/trainer.h"
#include "tests/support/tiny_run.h"

namespace splat {
namespace {

constexpr size_t kSide = 32;  // px
constexpr double kCentre = 16;

// Photos of two cameras at the origin and of one to the left, all looking along +z, at a thing in the middle of what
// they show.
struct Thing {
  test::TinyDataset scene;
  ThreadPool pool{2};
  InitialModel initial;

  Thing() {
    for (const double x : {0.0, 0.0, -1.0}) {
      DatasetView& view = scene.dataset.views.emplace_back();
      view.name = std::to_string(scene.dataset.views.size());
      view.camera = {kSide, kSide, kSide, kSide, kCentre, kCentre};
      view.cam_from_world.translation[0] = -x;
      view.transparent = true;
      TrainingImage& photo = scene.images.photos.emplace_back();
      photo.width = photo.height = kSide;
      photo.rgb.assign(3 * kSide * kSide, 0);
      photo.alpha.assign(kSide * kSide, 0);
      for (size_t y = 12; y < 20; ++y) std::fill_n(&photo.alpha[y * kSide + 12], 8, uint8_t(200));
    }
  }
  void add(float x, float z) {
    Gaussians& splats = initial.splats;
    splats.resize(splats.size() + 1);
    splats.means[splats.means.size() - 3] = x;
    splats.means.back() = z;
  }
  std::vector<float> left() {
    EXPECT_TRUE(leave_empty_space(scene.dataset, scene.images, pool, initial).ok());
    std::vector<float> x;
    for (size_t i = 0; i < initial.splats.size(); ++i) x.push_back(initial.splats.means[3 * i]);
    return x;
  }
};

TEST(EmptySpace, SplatsThatTwoPhotosShowAsEmptyAreLeftOut) {
  Thing thing;
  thing.add(0, 4);        // on the thing for the first two, beside it for the third
  thing.add(0.5625f, 4);  // pixel 21, one beyond its rim
  thing.add(1, 4);        // two see it as empty
  thing.add(90, 4);       // none sees it
  thing.add(0.001f, -4);  // behind
  EXPECT_EQ(thing.left(), (std::vector<float>{0, 0.5625f, 90, 0.001f}));
  ASSERT_EQ(thing.initial.notes.size(), 1u);
  EXPECT_EQ(thing.initial.notes[0], "1 of them are left out, where photos show that nothing is.");
}

TEST(EmptySpace, OnePhotoIsEnoughWhereNoOtherSeesIt) {
  Thing thing;
  thing.add(0, 4);
  thing.add(-2.75f, 4);  // in the third photo alone
  EXPECT_EQ(thing.left(), (std::vector<float>{0}));
}

TEST(EmptySpace, WhatPhotosDoNotKnowIsNotEmpty) {
  Thing thing;
  thing.add(0, 4);
  thing.add(1, 4);
  for (TrainingImage& photo : thing.scene.images.photos) photo.mask.assign(kSide * kSide, 0);
  EXPECT_EQ(thing.left().size(), 2u);
  for (TrainingImage& photo : thing.scene.images.photos) photo.mask.clear();
  for (DatasetView& view : thing.scene.dataset.views) view.transparent = false;
  EXPECT_EQ(thing.left().size(), 2u);
}

TEST(EmptySpace, NoRunStartsWithoutSplatsAndPointsAreBelieved) {
  Thing thing;
  thing.add(1, 4);
  EXPECT_EQ(thing.left().size(), 1u) << "all would go";
  thing.add(0, 4);
  thing.scene.dataset.points = {{0, 0, 4}, {1, 2, 3}};
  EXPECT_EQ(thing.left().size(), 2u);
}

TEST(EmptySpace, TransparentPhotosAreTrainedOnSeveralBackgroundsUnlessOneIsNamed) {
  Thing thing;
  Dataset& dataset = thing.scene.dataset;
  const auto chosen = [&](BackgroundMode asked) {
    TrainConfig config;
    EXPECT_EQ(config.background, BackgroundMode::kAuto);
    config.background = asked;
    return with_background(dataset, config).background;
  };
  EXPECT_EQ(chosen(BackgroundMode::kAuto), BackgroundMode::kAuto);
  EXPECT_EQ(chosen(BackgroundMode::kWhite), BackgroundMode::kWhite);
  EXPECT_EQ(chosen(BackgroundMode::kBlack), BackgroundMode::kBlack);
  for (DatasetView& view : dataset.views) view.held_out = true;
  EXPECT_EQ(chosen(BackgroundMode::kAuto), BackgroundMode::kBlack) << "of those that are trained on";
}

// The photos of a tiny run over `background`, with or without their alpha: what the splats let through.
class TransparentRun : public test::TinyRun {
 public:
  TransparentRun(const std::array<float, 3>& background, bool keeps_alpha) : TinyRun(test::TinyOptions{}) {
    const std::unique_ptr<Backend> camera = std::move(*make_cpu_backend({.threads = 1}));
    camera->upload(tiny.truth);
    std::vector<float> through;
    for (size_t i = 0; i < tiny.images.photos.size(); ++i) {
      TrainingImage& photo = tiny.images.photos[i];
      camera->forward(tiny.dataset.views[i].view(), {});
      camera->read_transmittance(through);
      for (size_t p = 0; p < through.size(); ++p) {
        const double alpha = std::round(255 * (1 - double(through[p])));
        for (size_t c = 0; c < 3; ++c) {
          uint8_t& value = photo.rgb[c * through.size() + p];
          value = uint8_t(std::min(255.0, std::round(value + (255 - alpha) * double(background[c]))));
        }
        if (keeps_alpha) photo.alpha.push_back(uint8_t(alpha));
      }
      photo.background = background;
      tiny.dataset.views[i].transparent = keeps_alpha;
    }
    config.iterations = 40;
    config.strategy = StrategyKind::kAdc;
    config.exposure = ExposureMode::kOff;
    config = resolve_config(config);
  }
  void run(BackgroundMode background, int threads = 1) {
    config.background = background;
    make_trainer(threads);
    ASSERT_TRUE(trainer->initialise().ok());
    train(40);
  }
  std::vector<float> means() const { return trainer->model().means; }
};

// To the byte: the photos are those of somebody who laid them over the run's background.
TEST(EmptySpace, OverTheRunsBackgroundAlphaChangesNothing) {
  for (const BackgroundMode mode : {BackgroundMode::kBlack, BackgroundMode::kWhite}) {
    const float value = mode == BackgroundMode::kWhite ? 1 : 0;
    TransparentRun with({value, value, value}, true), without({value, value, value}, false);
    with.run(mode);
    without.run(mode);
    EXPECT_EQ(with.state().blobs, without.state().blobs);
  }
}

TEST(EmptySpace, BackgroundsInTurnsGiveTheSameBytesOnAnyNumberOfThreadsAndWhenResumed) {
  TransparentRun one({0, 0, 0}, true), three({0, 0, 0}, true), resumed({0, 0, 0}, true);
  one.run(BackgroundMode::kAuto);
  three.run(BackgroundMode::kAuto, 3);
  EXPECT_EQ(one.trainer->config().background, BackgroundMode::kAuto);
  EXPECT_EQ(one.means(), three.means());
  resumed.config.background = BackgroundMode::kAuto;
  resumed.make_trainer(1);
  ASSERT_TRUE(resumed.trainer->initialise().ok());
  resumed.train(17);
  const Archive half = resumed.state();
  resumed.config = load_config(half).value();
  EXPECT_EQ(resumed.config.background, BackgroundMode::kAuto);
  resumed.make_trainer(1);
  ASSERT_TRUE(resumed.trainer->load_state(half).ok());
  resumed.train(40);
  EXPECT_EQ(one.state().blobs, resumed.state().blobs);
}

// Black things on black: splats may not be as transparent as the background.
TEST(EmptySpace, AThingOfTheColourOfTheBackgroundIsThereAllTheSame) {
  const auto opacity_of_the_thing = [](BackgroundMode mode) {
    TransparentRun run({0, 0, 0}, true);
    for (TrainingImage& photo : run.tiny.images.photos) {
      std::fill(photo.rgb.begin(), photo.rgb.end(), uint8_t(0));
      photo.mask.clear();
    }
    std::fill(run.tiny.dataset.points.rgb.begin(), run.tiny.dataset.points.rgb.end(), uint8_t(0));
    run.run(mode);
    std::vector<float> through;
    double sum = 0, pixels = 0;
    for (const int view : run.tiny.dataset.held_out_views()) {
      run.backend->forward(run.tiny.dataset.views[size_t(view)].view(), {});
      run.backend->read_transmittance(through);
      for (size_t p = 0; p < through.size(); ++p) {
        if (run.tiny.images.photos[size_t(view)].alpha[p] < 200) continue;
        sum += 1 - double(through[p]);
        ++pixels;
      }
    }
    return sum / pixels;
  };
  const double in_turns = opacity_of_the_thing(BackgroundMode::kAuto),
               black = opacity_of_the_thing(BackgroundMode::kBlack);
  EXPECT_GT(in_turns, black + 0.1);
  EXPECT_GT(in_turns, 0.75);
}

}  // namespace
}  // namespace splat
