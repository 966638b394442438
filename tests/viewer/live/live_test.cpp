#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "devices/registry.h"
#include "splat/backend/reference/reference_backend.h"
#include "splat/bench/bench_scene.h"
#include "splat/model/near_scale.h"
#include "tests/support/shown_states.h"
#include "tests/support/synthetic_scene.h"
#include "viewer/camera/camera_state.h"
#include "viewer/live/draw_picture.h"
#include "viewer/live/engine_thread.h"
#include "viewer/live/model_variant.h"
#include "viewer/live/pace.h"
#include "viewer/live/variant_drawer.h"
#include "viewer/mailbox.h"

namespace viewer {
namespace {

using splat::test::Scene;

std::unique_ptr<splat::Backend> cpu_backend() {
  auto made = splat::make_backend("cpu", -1, 2);
  SPLAT_CHECK(made.ok());
  return std::move(made->backend);
}

Scene small_scene(int splats = 120) {
  splat::test::SceneOptions options;
  options.splats = splats;
  options.width = 96, options.height = 64;
  return make_scene(options);
}

// ---- pace

TEST(ResolutionPace, CoarserUntilMovingIsFluidSharpAtRest) {
  const auto cost = [](int divisor) { return 20 + 800.0 / (divisor * divisor); };  // ms
  ResolutionPace pace;
  int divisor = 0;
  for (int i = 0; i < 20; ++i) {
    divisor = pace.next(true).divisor;
    pace.took(cost(divisor));
  }
  EXPECT_LE(cost(divisor), ResolutionPace::kMovingMs);
  EXPECT_GT(cost(divisor - 1), ResolutionPace::kMovingMs) << "coarser than needed";
  for (int stop = 0; stop < 2; ++stop) {  // the first time nobody knows what a sharp picture takes
    pace.took(cost(pace.next(true).divisor));
    int pictures = 0, shown = kCoarsest + 1;
    while (!pace.sharp() && pictures < 10) {
      const int next = pace.next(false).divisor;
      EXPECT_LT(next, shown);
      shown = next;
      pace.took(cost(next));
      ++pictures;
    }
    EXPECT_TRUE(pace.sharp());
    EXPECT_GT(pictures, 1) << "a movement would wait for longer than kSharpAtOnceMs";
    EXPECT_LE(pictures, 3);
  }
}

TEST(ResolutionPace, ASharpPictureThatIsShortComesAtOnce) {
  const auto cost = [](int divisor) { return 20 + 200.0 / (divisor * divisor); };  // ms
  ResolutionPace pace;
  for (int i = 0; i < 10; ++i) pace.took(cost(pace.next(true).divisor));
  while (!pace.sharp()) pace.took(cost(pace.next(false).divisor));
  pace.took(cost(pace.next(true).divisor));
  EXPECT_FALSE(pace.sharp());
  EXPECT_EQ(pace.next(false).divisor, 1) << "what it takes is known now";
}

TEST(ResolutionPace, ALongPictureWaitsUntilTheViewStandsStill) {
  for (const double sharp_ms : {200.0, 0.5 * ResolutionPace::kMovingMs}) {
    ResolutionPace pace;
    pace.next(true);
    pace.took(10);
    EXPECT_EQ(pace.still_ms(), ResolutionPace::kStillMs) << "nobody knows yet what it takes";
    while (!pace.sharp()) {
      const int divisor = pace.next(false).divisor;
      pace.took(sharp_ms / (divisor * divisor));
    }
    pace.next(true);
    EXPECT_EQ(pace.still_ms(), sharp_ms > ResolutionPace::kMovingMs ? ResolutionPace::kStillMs : 0);
  }
}

TEST(ResolutionPace, ACheapModelIsAlwaysSharp) {
  ResolutionPace pace;
  int divisor = 0;
  for (int i = 0; i < 10; ++i) {
    divisor = pace.next(true).divisor;
    pace.took(5.0 / divisor);
  }
  EXPECT_EQ(divisor, 1);
}

// What a picture takes: `a_million` ms for a million splats, and the rest by its pixels.
struct SplatCost {
  double a_million = 100, pixels = 20;
  double of(size_t splats, const ResolutionPace::Next& next) const {
    return a_million * 1e-6 * double(splats >> size_t(next.halvings)) + pixels / (next.divisor * next.divisor);
  }
};

TEST(ResolutionPace, ManySplatsMoveThinnedAndNoCoarserThanAQuarter) {
  const size_t splats = 3'000'000;
  for (const double a_million : {20.0, 60.0, 150.0}) {
    const SplatCost cost{a_million};
    ResolutionPace pace;
    pace.begin(splats);
    const ResolutionPace::Next first = pace.next(false);
    EXPECT_GT(first.halvings, 0) << "the first picture does not wait for all of them";
    pace.took(cost.of(splats, first));
    EXPECT_FALSE(pace.sharp());
    ResolutionPace::Next next;
    for (int i = 0; i < 40; ++i) {
      next = pace.next(true);
      EXPECT_LE(next.divisor, ResolutionPace::kCoarsestWhole);
      EXPECT_TRUE(next.halvings == 0 || next.divisor >= ResolutionPace::kFinestThinned);
      pace.took(cost.of(splats, next));
    }
    EXPECT_LE(cost.of(splats, next), ResolutionPace::kMovingMs) << a_million;
    next = pace.next(false);
    EXPECT_EQ(next.halvings, 0) << "at rest all of them are drawn";
    pace.took(cost.of(splats, next));
    while (!pace.sharp()) pace.took(cost.of(splats, pace.next(false)));
  }
}

TEST(ResolutionPace, MoreSplatsWhereThereIsTime) {
  const size_t splats = 3'000'000;
  const SplatCost fast{2, 4};
  ResolutionPace pace;
  pace.begin(splats);
  ResolutionPace::Next next;
  for (int i = 0; i < 40; ++i) pace.took(fast.of(splats, next = pace.next(true)));
  EXPECT_EQ(next.halvings, 0);
  EXPECT_EQ(next.divisor, 1);
  pace.begin(ResolutionPace::kManySplats);
  EXPECT_EQ(pace.next(true).halvings, 0) << "not that many";
}

// Runs a training thread's day: iterations of `iteration_s`, pictures of cost_s(divisor).
template <class Cost>
PictureBudget simulate(double iteration_s, const Cost& cost_s, bool moving, double seconds, int& pictures) {
  PictureBudget budget;
  double now = 0, last = -1;
  pictures = 0;
  while (now < seconds) {
    now += iteration_s;
    budget.trained(iteration_s);
    const int divisor = budget.due(moving, now - last);
    if (divisor == 0) continue;
    now += cost_s(divisor);
    budget.spent(divisor, cost_s(divisor));
    last = now;
    ++pictures;
  }
  return budget;
}

TEST(PictureBudget, NeverTakesMoreThanATenth) {
  for (double iteration : {0.002, 0.02, 0.2})
    for (double full : {0.001, 0.03, 0.5})
      for (bool moving : {false, true}) {
        int pictures = 0;
        const auto cost = [&](int divisor) { return full * (0.2 + 0.8 / (divisor * divisor)); };
        const PictureBudget budget = simulate(iteration, cost, moving, 60, pictures);
        EXPECT_LE(budget.share(), 0.1) << iteration << " " << full << " " << moving;
        EXPECT_GT(pictures, 5) << iteration << " " << full << " " << moving;
      }
}

TEST(PictureBudget, ACostlySceneIsSeenAtOnceAndMovesWithoutWaitingForASharpPicture) {
  const auto cost = [](int divisor) { return 0.08 + 0.6 / (divisor * divisor); };  // s
  PictureBudget budget;
  budget.trained(0.3);
  EXPECT_EQ(budget.due(false, 10), 4) << "what a sharp one costs is not known yet";
  budget.spent(4, cost(4));
  for (int i = 0; budget.due(false, 10) == 0; ++i) {
    ASSERT_LT(i, 100);
    budget.trained(0.3);
  }
  EXPECT_EQ(budget.due(false, 10), 1);
  budget.spent(1, cost(1));
  int iterations = 0;
  while (budget.due(true, 10) == 0) {
    budget.trained(0.3);
    ++iterations;
  }
  EXPECT_LE(iterations, 8) << "a sharp picture is not drawn on credit";
}

TEST(PictureBudget, ThirtyPicturesASecondWhereTheyAreCheap) {
  for (double iteration : {0.004, 0.0145, 0.02, 0.03}) {
    int pictures = 0;
    simulate(
        iteration, [](int divisor) { return 0.004 / (divisor * divisor); }, true, 10, pictures);
    EXPECT_GE(pictures, iteration < 0.02 ? 300 : 240) << iteration << ": of 10 s";
    EXPECT_LE(pictures, 10 / (PictureBudget::kPeriod - iteration / 2) + 1) << iteration;
  }
}

// ---- pictures

TEST(DrawPicture, FullSizeIsTheBackendsOwnImage) {
  const Scene scene = small_scene();
  const auto backend = cpu_backend();
  backend->upload(scene.model);
  RenderRequest request{scene.view, {}};
  request.settings.background = {0.2f, 0.4f, 0.6f};
  const EngineImage image = draw_picture(*backend, request, 1);
  ASSERT_EQ(image.width, 96);
  ASSERT_EQ(image.height, 64);
  backend->forward(scene.view, {3, false, {0.2f, 0.4f, 0.6f}, {}});
  splat::ImageF exact;
  backend->read_image(exact);
  for (size_t i = 0; i < 96 * 64; ++i)
    for (size_t c = 0; c < 3; ++c)
      ASSERT_EQ(image.rgba[i * 4 + c], std::lround(std::clamp(exact.rgb[c * 96 * 64 + i], 0.0f, 1.0f) * 255));
}

TEST(DrawPicture, SeenThroughIsTheSamePictureOverAnyBackground) {
  const Scene scene = small_scene();
  const auto backend = cpu_backend();
  backend->upload(scene.model);
  RenderRequest request{scene.view, {}};
  request.settings.background = {1, 0.5f, 0};
  const EngineImage opaque = draw_picture(*backend, request, 1);
  request.settings.see_through = true;
  const EngineImage seen_through = draw_picture(*backend, request, 1);
  ASSERT_EQ(seen_through.rgba.size(), opaque.rgba.size());
  size_t thin = 0;
  for (size_t i = 0; i < opaque.rgba.size(); i += 4) {
    const double alpha = seen_through.rgba[i + 3] / 255.0;
    thin += alpha < 0.9;
    EXPECT_EQ(opaque.rgba[i + 3], 255);
    for (size_t c = 0; c < 3; ++c) {
      const double over = seen_through.rgba[i + c] + (1 - alpha) * 255 * double(request.settings.background[c]);
      ASSERT_NEAR(std::min(over, 255.0), opaque.rgba[i + c], 2.5) << i;
    }
  }
  EXPECT_GT(thin, 0u);
}

TEST(DrawPicture, ACoarsePictureShowsTheSameFieldOfView) {
  const splat::View view = small_scene().view, half = divided(view, 2), tiny = divided(view, 1000);
  EXPECT_EQ(half.camera.width, 48);
  EXPECT_EQ(half.camera.height, 32);
  EXPECT_FLOAT_EQ(half.camera.fx / 48, view.camera.fx / 96);
  EXPECT_FLOAT_EQ(half.camera.cy / 32, view.camera.cy / 64);
  EXPECT_EQ(tiny.camera.width, 1);
}

TEST(ModelVariant, DepthIsThatOfTheSurface) {
  splat::Gaussians model;  // two walls, one behind the other
  model.resize(2);
  const splat::View view = [] {
    splat::View v;
    v.camera = {64, 64, 64, 64, 32, 32};
    v.cam_from_world.translation = {0.5, 0.25, 2};
    return v;
  }();
  for (size_t i = 0; i < 2; ++i) {
    model.means[i * 3] = i == 0 ? -3.5f : 3.0f;
    model.means[i * 3 + 2] = i == 0 ? 2.0f : 6.0f;  // 4 and 8 before the camera
    for (size_t k = 0; k < 3; ++k) model.log_scales[i * 3 + k] = k < 2 ? 0.3f : -6.0f;
    model.quats[i * 4] = 1;
    model.logit_opacities[i] = 8;
  }
  EngineImage picture;
  PositionColours colours;
  const auto backend = cpu_backend();
  RenderRequest request{view, {}};
  request.settings.mode = RenderMode::kDepth;
  backend->upload(make_variant(model, variant_for(request.settings), colours));
  picture = draw_variant(*backend, request, 1, colours);
  EXPECT_EQ(picture.request.settings.mode, RenderMode::kDepth);
  const auto at = [&](int x, int y) { return int(picture.rgba[size_t(y * 64 + x) * 4]); };
  EXPECT_GT(at(2, 34), 240) << "the near wall is bright";
  EXPECT_LT(at(55, 34), 40) << "the far one dark";
  EXPECT_GT(at(55, 34), 0);
  EXPECT_EQ(at(32, 2), 0) << "nothing there";
}

TEST(ModelVariant, DotsAreSmallAndScaleGrows) {
  const Scene scene = small_scene(10);
  const auto backend = cpu_backend();
  const auto covered = [&](RenderMode mode, float scale) {
    RenderRequest request{scene.view, {}};
    request.settings.mode = mode;
    request.settings.splat_scale = scale;
    PositionColours colours;
    backend->upload(make_variant(scene.model, variant_for(request.settings), colours));
    request.settings.mode = RenderMode::kOpacity;
    const EngineImage image = draw_picture(*backend, request, 1);
    size_t count = 0;
    for (size_t i = 0; i < image.rgba.size(); i += 4) count += image.rgba[i] > 5;
    return count;
  };
  const size_t dots = covered(RenderMode::kCentres, 1), plain = covered(RenderMode::kSplats, 1);
  EXPECT_GT(dots, 5u);
  EXPECT_LT(dots, plain);
  EXPECT_GT(covered(RenderMode::kSplats, 2), plain);
}

// ---- the engine's thread

TEST(Mailbox, KeepsTheNewestAndKnowsWhetherItWasTaken) {
  Mailbox<int> mailbox;
  EXPECT_FALSE(mailbox.waiting());
  mailbox.put(1);
  mailbox.put(2);
  EXPECT_TRUE(mailbox.waiting());
  EXPECT_EQ(mailbox.take(), 2);
  EXPECT_FALSE(mailbox.waiting());
  EXPECT_EQ(mailbox.take(), std::nullopt);
}

// Under the sanitizers this fails where put() still looks at the mailbox once its value can be taken.
template <class Box>
void destroy_as_soon_as_taken() {
  for (int i = 0; i < 500; ++i) {
    auto box = std::make_unique<Box>();
    std::thread writer([&written = *box, i] { written.put(i); });
    std::optional<int> value;
    while (!(value = box->take())) {
    }
    box.reset();
    writer.join();
    ASSERT_EQ(value, i);
  }
}
TEST(Mailbox, MayBeDestroyedByWhoTookItsValue) { destroy_as_soon_as_taken<Mailbox<int>>(); }
TEST(Queue, MayBeDestroyedByWhoTookItsValue) { destroy_as_soon_as_taken<Queue<int>>(); }

struct Drawn {
  Mailbox<EngineImage> pictures;
  Queue<std::string> problems;
  std::atomic<int> count{0};

  EngineThread::Outputs outputs() {
    return {[this](EngineImage image) {
              ++count;
              pictures.put(std::move(image));
            },
            [this](const std::string& sentence) { problems.put(sentence); }};
  }
  std::optional<EngineImage> wait_for(const std::function<bool(const EngineImage&)>& wanted) {
    for (int i = 0; i < 3000; ++i) {
      if (auto image = pictures.take(); image && wanted(*image)) return image;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return std::nullopt;
  }
};

splat::Result<std::unique_ptr<splat::Backend>> make_cpu() { return cpu_backend(); }

TEST(EngineThread, DrawsTheNewestViewUntilItIsSharpThenRests) {
  const Scene scene = small_scene();
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  engine.set_view(RenderRequest{scene.view, {}});
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(drawn.count, 0) << "there is no model";
  engine.set_model(scene.model);
  splat::View view = scene.view;
  for (int i = 0; i < 20; ++i) engine.set_view(RenderRequest{view = splat::test::turned_view(view, 0.002), {}});
  const auto image = drawn.wait_for([&](const EngineImage& image) {
    return image.divisor == 1 && image.request.view.cam_from_world.rotation == view.cam_from_world.rotation;
  });
  ASSERT_TRUE(image);
  const auto backend = cpu_backend();
  backend->upload(scene.model);
  EXPECT_EQ(image->rgba, draw_picture(*backend, {view, {}}, 1).rgba);
  const int before = drawn.count;
  engine.set_view(RenderRequest{view, {}});  // the same again
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(drawn.count, before);
  RenderRequest depth{view, {}};
  depth.settings.mode = RenderMode::kDepth;
  engine.set_view(depth);
  EXPECT_TRUE(drawn.wait_for([](const EngineImage& i) { return i.request.settings.mode == RenderMode::kDepth; }));
  engine.set_view(RenderRequest{view, {}});
  const auto again = drawn.wait_for(
      [](const EngineImage& i) { return i.divisor == 1 && i.request.settings.mode != RenderMode::kDepth; });
  ASSERT_TRUE(again);
  EXPECT_EQ(again->rgba, image->rgba) << "the model is the plain one again";
}

// A picture of the view that the last one showed, at full size, is not begun between two steps of a movement.
TEST(EngineThread, AViewThatGoesOnMovingWaitsForNoSharpPicture) {
  const Scene scene = small_scene();
  std::atomic<int> pictures{0}, sharpened{0};
  splat::View last;
  EngineThread engine(make_cpu, {[&](const EngineImage& image) {
                                   ++pictures, sharpened += same_view(image.request.view, last);
                                   last = image.request.view;
                                 },
                                 [](const std::string& sentence) { ADD_FAILURE() << sentence; }});
  using Clock = std::chrono::steady_clock;
  splat::View view = scene.view;
  bool steady = false;
  for (int tries = 0; tries < 20 && !steady; ++tries) {  // other work may stop this thread
    engine.set_view(std::nullopt);
    engine.set_model(scene.model);  // how long its pictures take is to be found out anew
    const int before = pictures, sharpened_before = sharpened;
    Clock::duration longest{};
    for (int i = 0; i < 10; ++i) {
      const Clock::time_point begin = Clock::now();
      engine.set_view(RenderRequest{view = splat::test::turned_view(view, 0.01), {}});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      longest = std::max(longest, Clock::now() - begin);
    }
    steady = longest < std::chrono::duration<double, std::milli>(ResolutionPace::kStillMs) && pictures - before > 5;
    if (steady) {
      EXPECT_EQ(sharpened, sharpened_before);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_TRUE(steady);
}

// The first picture and those of a moving view are of a part of the splats, what rests is of all; what is deleted is in
// neither.
TEST(EngineThread, ManySplatsAreSeenBeforeAllOfThemAreUploaded) {
  const auto scene = splat::bench::make_scene({ResolutionPace::kManySplats + 100'000, 320, 180});
  const auto whole = cpu_backend();
  whole->upload(scene.model);
  const std::vector<uint8_t> coarse = draw_picture(*whole, {scene.view, {}}, 2).rgba,
                             sharp = draw_picture(*whole, {scene.view, {}}, 1).rgba;
  std::optional<EngineImage> first;
  Drawn drawn;
  EngineThread::Outputs outputs = drawn.outputs();
  std::mutex mutex;
  const auto picture = outputs.picture;
  outputs.picture = [&](EngineImage image) {
    {
      std::lock_guard lock(mutex);
      if (!first) first = image;
    }
    picture(std::move(image));
  };
  EngineThread engine(make_cpu, std::move(outputs), 2);
  engine.set_model(scene.model);
  engine.set_view(RenderRequest{scene.view, {}});
  const auto done = drawn.wait_for([](const EngineImage& i) { return i.divisor == 1; });
  ASSERT_TRUE(done);
  EXPECT_EQ(done->rgba, sharp);
  {
    std::lock_guard lock(mutex);
    ASSERT_TRUE(first);
    EXPECT_GE(first->divisor, ResolutionPace::kFinestThinned);
    EXPECT_GT(first->part, ResolutionPace::kFewestSplats) << "how many is said";
    EXPECT_LT(first->part, ResolutionPace::kManySplats);
    EXPECT_EQ(done->part, 0u);
    ASSERT_EQ(first->rgba.size(), coarse.size());
    EXPECT_NE(first->rgba, coarse) << "it is of fewer splats";
    double difference = 0;
    for (size_t i = 0; i < coarse.size(); ++i) difference += std::abs(double(coarse[i]) - first->rgba[i]);
    EXPECT_LT(difference / double(coarse.size()), 12) << "of 255, and looks about the same";
  }
  engine.edit(2, [](EngineModel& model) { model.edited().select_all(), model.edited().delete_selected(); });
  engine.set_view(RenderRequest{splat::test::turned_view(scene.view, 0.01), {}});
  const auto empty = drawn.wait_for([](const EngineImage& i) {
    return std::all_of(i.rgba.begin(), i.rgba.end(), [](int v) { return v == 0 || v == 255; });
  });
  ASSERT_TRUE(empty);
}

// Of a file that is still being read: what there is of it is drawn, and work on it waits for all.
TEST(EngineThread, APartIsDrawnUntilTheWholeIsThere) {
  const size_t all = ResolutionPace::kManySplats + 100'000;
  const auto scene = splat::bench::make_scene({all, 320, 180});
  splat::ThreadPool pool(2);
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs(), 2);
  engine.set_part(splat::thinned(scene.model, ResolutionPace::part_of(all), pool), all);
  std::atomic<size_t> seen{0};
  engine.run([&](const splat::Gaussians& model, const auto*) { seen = model.size(); });
  engine.set_view(RenderRequest{scene.view, {}});
  const auto first = drawn.wait_for([](const EngineImage& i) { return i.part > 0; });
  ASSERT_TRUE(first);
  EXPECT_NEAR(double(first->part), double(ResolutionPace::part_of(all)), 0.1 * double(all));
  EXPECT_GE(first->divisor, ResolutionPace::kFinestThinned);
  const splat::View turned = splat::test::turned_view(scene.view, 0.01);
  engine.set_view(RenderRequest{turned, {}});
  EXPECT_TRUE(drawn.wait_for([&](const EngineImage& i) { return i.part > 0 && i.request.view == turned; }));
  EXPECT_EQ(seen, 0u) << "it waits";
  engine.set_model(scene.model);
  const auto sharp = drawn.wait_for([](const EngineImage& i) { return i.divisor == 1; });
  ASSERT_TRUE(sharp);
  EXPECT_EQ(sharp->part, 0u);
  EXPECT_EQ(seen, all);
  engine.set_part(splat::thinned(scene.model, ResolutionPace::part_of(all), pool), all);
  std::atomic<bool> ran{false};
  engine.run([&](const splat::Gaussians& model, const auto*) { ran = model.size() == 0; });
  engine.set_model({});  // it could not be read
  for (int i = 0; i < 1000 && !ran; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(ran);
}

TEST(EngineThread, JobsSeeTheModelSetBefore) {
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  Queue<size_t> sizes;
  engine.set_model(small_scene(7).model);
  engine.run([&](const splat::Gaussians& model, const auto*) { sizes.put(model.size()); });
  engine.set_model({});
  engine.run([&](const splat::Gaussians& model, const auto*) { sizes.put(model.size()); });
  EXPECT_EQ(sizes.wait(std::chrono::seconds(5)), 7u);
  EXPECT_EQ(sizes.wait(std::chrono::seconds(5)), 0u);
}

TEST(EngineThread, APictureOfAnySizeOnRequest) {
  Scene scene = small_scene();
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  Queue<EngineImage> once;
  engine.draw_once({scene.view, {}}, [&](EngineImage image) { once.put(std::move(image)); });
  auto none = once.wait(std::chrono::seconds(5));
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->rgba.empty());
  engine.set_model(scene.model);
  scene.view.camera.width = 301;
  engine.draw_once({scene.view, {}}, [&](EngineImage image) { once.put(std::move(image)); });
  auto image = once.wait(std::chrono::seconds(5));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->width, 301);
  EXPECT_EQ(image->rgba.size(), 301u * 64 * 4);
  EXPECT_EQ(drawn.count, 0);
}

// What is drawn of a model whose rows are in these states.
std::vector<uint8_t> drawn_with(const Scene& scene, const std::vector<uint8_t>& states,
                                const std::vector<uint8_t>& reasons = {}, const DisplaySettings& settings = {}) {
  splat::Gaussians shown = scene.model;
  show_states(shown, {states, reasons}, selection_tints(settings));
  const auto backend = cpu_backend();
  backend->upload(shown);
  return draw_picture(*backend, {scene.view, {}}, 1).rgba;
}

RenderRequest with_selection(const splat::View& view, SelectionTint selection) {
  RenderRequest request{view, {}};
  request.settings.selection = selection;
  return request;
}

TEST(EngineThread, DrawsTheStatesOfRowsThatAreEdited) {
  const Scene scene = small_scene();
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  engine.set_model(scene.model);
  engine.set_view(with_selection(scene.view, SelectionTint::kPlain));
  const auto sharp = [&](const std::vector<uint8_t>& wanted) {
    return drawn.wait_for([&](const EngineImage& i) { return i.divisor == 1 && i.rgba == wanted; }).has_value();
  };
  std::vector<uint8_t> states(scene.model.size());
  ASSERT_TRUE(sharp(drawn_with(scene, states)));
  engine.edit(1, [](EngineModel& model) {
    std::vector<uint8_t> mask(model.edited().states().size());
    std::fill_n(mask.begin(), 40, uint8_t(1));
    model.edited().select(mask, splat::edit::SelectMode::kSet);
  });
  std::fill_n(states.begin(), 40, uint8_t(splat::edit::kSelected));
  EXPECT_TRUE(sharp(drawn_with(scene, states))) << "selected rows are tinted";
  RenderRequest blue = with_selection(scene.view, SelectionTint::kPlain);
  blue.settings.selection_colour = {0.1f, 0.3f, 1};
  engine.set_view(blue);
  EXPECT_TRUE(sharp(drawn_with(scene, states, {}, blue.settings))) << "in another colour";
  engine.set_view(RenderRequest{scene.view, {}});
  EXPECT_TRUE(sharp(drawn_with(scene, std::vector<uint8_t>(states.size())))) << "not where nothing is edited";
  std::vector<uint8_t> reasons(30, 3);  // later rows have none
  reasons[0] = 0;
  engine.edit(1, [&](EngineModel& model) { model.set_reasons(reasons); });
  engine.set_view(with_selection(scene.view, SelectionTint::kByReason));
  EXPECT_TRUE(sharp(drawn_with(scene, states, reasons))) << "each in the colour of its reason";
  engine.set_view(with_selection(scene.view, SelectionTint::kPlain));
  EXPECT_TRUE(sharp(drawn_with(scene, states)));
  engine.edit(1, [](EngineModel& model) { model.edited().delete_selected(); });
  std::fill_n(states.begin(), 40, uint8_t(splat::edit::kDeleted));
  EXPECT_TRUE(sharp(drawn_with(scene, states))) << "deleted rows are not there";
  RenderRequest centres{scene.view, {}};
  centres.settings.mode = RenderMode::kCentres;
  engine.set_view(centres);
  const auto dots = drawn.wait_for(
      [](const EngineImage& i) { return i.divisor == 1 && i.request.settings.mode == RenderMode::kCentres; });
  ASSERT_TRUE(dots);
  engine.edit(1, [](EngineModel& model) { model.edited().undo(), model.edited().undo(); });
  EXPECT_TRUE(drawn.wait_for([&](const EngineImage& i) { return i.divisor == 1 && i.rgba != dots->rgba; }))
      << "other modes follow as well";
  engine.set_view(RenderRequest{scene.view, {}});
  EXPECT_TRUE(sharp(drawn_with(scene, std::vector<uint8_t>(states.size())))) << "undone to the last bit";
}

// Takes longer than a picture may while the view moves.
struct SlowBackend : splat::ReferenceBackend {
  void forward(const splat::View& view, const splat::RenderSettings& settings) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(int(1.5 * ResolutionPace::kMovingMs)));
    splat::ReferenceBackend::forward(view, settings);
  }
};

// A sharp picture of a large scene takes long: selecting must not begin with a coarse one again.
TEST(EngineThread, ASelectionStaysSharp) {
  const Scene scene = small_scene();
  std::atomic<int> coarse{0};
  Drawn drawn;
  EngineThread::Outputs outputs = drawn.outputs();
  EngineThread engine(
      []() -> splat::Result<std::unique_ptr<splat::Backend>> {
        return std::unique_ptr<splat::Backend>(std::make_unique<SlowBackend>());
      },
      {[&, picture = outputs.picture](EngineImage image) {
         coarse += image.divisor > 1;
         picture(std::move(image));
       },
       outputs.problem});
  engine.set_model(scene.model);
  engine.set_view(with_selection(scene.view, SelectionTint::kPlain));
  const auto sharp = drawn.wait_for([](const EngineImage& i) { return i.divisor == 1; });
  ASSERT_TRUE(sharp);
  coarse = 0;
  engine.edit(1, [](EngineModel& model) { model.edited().select_all(); });
  ASSERT_TRUE(drawn.wait_for([&](const EngineImage& i) { return i.rgba != sharp->rgba; }));
  EXPECT_EQ(coarse, 0);
}

TEST(VariantDrawer, KnowsWhatItDrewLast) {
  const Scene scene = small_scene();
  VariantDrawer drawer(make_cpu);
  const RenderRequest request = with_selection(scene.view, SelectionTint::kPlain);
  std::vector<uint8_t> states(scene.model.size());
  ASSERT_TRUE(drawer.prepare(request.settings, scene.model, {states, {}}));
  EXPECT_FALSE(drawer.has_drawn(request));
  drawer.draw(request, 2);
  EXPECT_FALSE(drawer.has_drawn(request)) << "it was coarse";
  drawer.draw(request, 1);
  EXPECT_TRUE(drawer.has_drawn(request));
  RenderRequest antialiased = request;
  antialiased.settings.filter.antialias = true;
  EXPECT_FALSE(drawer.has_drawn(antialiased));
  states[3] = splat::edit::kSelected;
  ASSERT_TRUE(drawer.prepare(request.settings, scene.model, {states, {}}));
  EXPECT_TRUE(drawer.has_drawn(request)) << "the same rows";
  states[3] = splat::edit::kDeleted;
  ASSERT_TRUE(drawer.prepare(request.settings, scene.model, {states, {}}));
  EXPECT_FALSE(drawer.has_drawn(request)) << "one row less";
  drawer.seeing(scene.view, {});
  EXPECT_TRUE(drawer.has_drawn(request));
  drawer.forget_model();
  EXPECT_FALSE(drawer.has_drawn(request));
}

// In every mode, and where a row is written anew.
TEST(VariantDrawer, DrawsASmallSceneAsALargeOne) {
  const Scene scene = small_scene();
  for (const RenderMode mode : {RenderMode::kSplats, RenderMode::kDepth, RenderMode::kCentres}) {
    std::vector<uint8_t> pictures[3];
    for (const int i : {0, 1, 2}) {
      const double times = std::array{1.0, 1e-3, 1e-5}[size_t(i)];
      RenderRequest request = with_selection(splat::enlarged(scene.view, times), SelectionTint::kNone);
      request.settings.mode = mode;
      VariantDrawer drawer(make_cpu);
      const splat::Gaussians model = splat::enlarged(scene.model, times);
      ASSERT_TRUE(drawer.prepare(request.settings, model));
      const EngineImage image = drawer.draw(request, 1);
      EXPECT_EQ(image.request.view, request.view) << "as it was asked for";
      pictures[i] = image.rgba;
      if (mode != RenderMode::kSplats) continue;
      EXPECT_TRUE(drawer.has_drawn(request));
      splat::ImageF seen;
      drawer.seeing(request.view, {}).read_image(seen);
      EXPECT_NEAR(float(to_rgba(seen)[4 * (32 * 96 + 48)]), float(image.rgba[4 * (32 * 96 + 48)]), 1);
    }
    for (const int i : {1, 2}) {
      size_t differ = 0;
      for (size_t p = 0; p < pictures[0].size(); ++p) differ += std::abs(pictures[0][p] - pictures[i][p]) > 3;
      EXPECT_LT(differ, pictures[0].size() / 100) << int(mode);
    }
  }
}

TEST(EngineThread, PicturesForFilesHaveNoTintAndNothingDeleted) {
  const Scene scene = small_scene();
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  engine.set_model(scene.model);
  std::vector<uint8_t> states(scene.model.size());
  std::fill_n(states.begin(), 40, uint8_t(splat::edit::kDeleted));
  engine.edit(1, [&](EngineModel& model) {
    model.edited().select(states, splat::edit::SelectMode::kSet);
    model.edited().delete_selected();
    model.edited().select_all();
  });
  Queue<EngineImage> once;
  engine.draw_once(with_selection(scene.view, SelectionTint::kPlain),
                   [&](EngineImage image) { once.put(std::move(image)); });
  const auto image = once.wait(std::chrono::seconds(5));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->rgba, drawn_with(scene, states));
}

// What is dragged is drawn there at once, and drawn the same when it has become a step; neither the model nor another
// picture knows of it before.
TEST(EngineThread, DraggedRowsAreDrawnWhereTheyAreDraggedTo) {
  const Scene scene = small_scene(60);
  const splat::Similarity by{1.3, splat::quat_about({0, 1, 1}, 70), {0.2, 0.1, 0}};
  std::vector<uint8_t> rows(60);
  for (size_t row = 0; row < rows.size(); row += 3) rows[row] = 1;
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  engine.set_model(scene.model);
  uint64_t revision = 0;
  engine.edit(1, [&](EngineModel& model) {
    model.edited().select(rows, splat::edit::SelectMode::kSet);
    revision = model.edited().revision();
  });
  const auto sharp = [&](const ShownMove& move) {
    RenderRequest request = with_selection(scene.view, SelectionTint::kPlain);
    request.moved = move;
    engine.set_view(request);
    const auto image =
        drawn.wait_for([&](const EngineImage& one) { return one.divisor == 1 && one.request.moved == move; });
    return image ? image->rgba : std::vector<uint8_t>();
  };
  const std::vector<uint8_t> before = sharp({}), dragged = sharp({by, false, revision});
  ASSERT_FALSE(before.empty());
  EXPECT_NE(before, dragged);
  EXPECT_EQ(sharp({by, false, revision + 1}), before) << "meant for another model";
  EXPECT_EQ(sharp({by, false, revision}), dragged);
  Queue<EngineImage> once;
  engine.draw_once({scene.view, {}}, [&](EngineImage image) { once.put(std::move(image)); });
  const auto plain = once.wait(std::chrono::seconds(5));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->rgba, drawn_with(scene, std::vector<uint8_t>(60)));
  EXPECT_EQ(sharp({}), before);
  engine.edit(1, [&](EngineModel& model) { model.edited().move_selected(by); });
  EXPECT_EQ(sharp({{}, true, 0}), dragged);
  engine.edit(1, [&](EngineModel& model) { model.edited().undo(); });
  EXPECT_EQ(sharp({}), before);
}

TEST(EngineThread, EditsBelongToTheModelTheyWereMadeOn) {
  Drawn drawn;
  EngineThread engine(make_cpu, drawn.outputs());
  engine.set_model(small_scene(7).model);
  engine.edit(1, [](EngineModel& model) { model.edited().select_all(), model.edited().delete_selected(); });
  Queue<size_t> deleted;
  const auto ask = [&] {
    engine.run([&](const splat::Gaussians&, const splat::edit::EditedModel* edited) {
      deleted.put(edited ? edited->count(splat::edit::kDeleted) : 0);
    });
    return deleted.wait(std::chrono::seconds(5));
  };
  EXPECT_EQ(ask(), 7u);
  engine.set_model(small_scene(9).model);
  EXPECT_EQ(ask(), 0u);
}

TEST(EngineThread, WithoutABackendItSaysSoOnce) {
  const Scene scene = small_scene();
  Drawn drawn;
  EngineThread engine(
      []() -> splat::Result<std::unique_ptr<splat::Backend>> { return splat::Error{"there is no such device"}; },
      drawn.outputs());
  engine.set_model(scene.model);
  splat::View view = scene.view;
  for (int i = 0; i < 5; ++i) {
    engine.set_view(RenderRequest{view = splat::test::turned_view(view, 0.01), {}});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(drawn.problems.wait(std::chrono::seconds(5)), "there is no such device");
  EXPECT_FALSE(drawn.problems.wait(std::chrono::milliseconds(20)));
}

}  // namespace
}  // namespace viewer
