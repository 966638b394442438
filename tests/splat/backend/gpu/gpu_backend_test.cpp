// What is particular to the GPU backend: room for instances that is found too small late, iterations that neither
// allocate nor wait, crowded tiles, splats over many tiles. Its memory: gpu_memory_test.cpp.
#include "splat/backend/gpu/gpu_backend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "splat/backend/row_rules.h"
#include "splat/core/device_error.h"
#include "tests/splat/backend/gpu/gpu_emulated.h"

namespace splat::test {
namespace {

TEST_P(GpuEmulated, SteadyIterationsNeitherAllocateNorWait) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  hip_emulator::Counters warm;
  for (int i = 1; i <= 6; ++i) {
    if (i == 4) warm = hip_emulator::counters();
    backend->forward(turned_view(scene.view, 0.01 * i), scene.settings);
    backend->loss(scene.target, {.late = true});
    backend->backward();
    backend->update({.iteration = i});
  }
  EXPECT_EQ(hip_emulator::counters().allocations, warm.allocations);
  EXPECT_EQ(hip_emulator::counters().waits, warm.waits);
  EXPECT_GT(hip_emulator::counters().launches, warm.launches);
}

// A step of density control sends two bytes of a row, 44 of those that it names, and the counts of its selections.
TEST_P(GpuEmulated, DensityControlIsDecidedWhereTheRowsAre) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  iterate_once(*backend, scene);
  const std::vector<View> views{scene.view, turned_view(scene.view, 0.1)};
  RowVerdicts verdicts;
  const size_t before = hip_emulator::counters().bytes_to_host;
  ASSERT_TRUE(backend->judge_rows(
      {.views = views, .nearer = 3, .paths = {}, .around = {}, .near_share = 0.1, .least_logit = -100, .most = 45},
      verdicts));
  EXPECT_EQ(verdicts.parents.size(), 5u);
  const size_t named = verdicts.parents.size() + verdicts.moved.size();
  EXPECT_EQ(hip_emulator::counters().bytes_to_host - before, 40 * 2 + named * 44 + 16 * 256 * sizeof(uint32_t));
  backend->fix_rows(3);
  EXPECT_FALSE(backend->judge_rows({}, verdicts)) << "fixed rows are not asked";
}

// Of a splat, density control moves the 44 bytes it decides on, not its colour of 192.
TEST_P(GpuEmulated, ColoursStayOnTheDeviceWhereRowsAreCopied) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  hip_emulator::Counters before = hip_emulator::counters();
  Ellipsoids ellipsoids;
  backend->download_ellipsoids(ellipsoids);
  EXPECT_EQ(hip_emulator::counters().bytes_to_host - before.bytes_to_host, 40 * 44u);
  before = hip_emulator::counters();
  std::vector<uint32_t> kept(40), targets(kept);
  for (uint32_t i = 0; i < 40; ++i) kept[i] = targets[i] = i;
  backend->copy_rows(std::vector<uint32_t>(40, 3), targets, ellipsoids, true);
  EXPECT_EQ(hip_emulator::counters().bytes_to_device - before.bytes_to_device, 40 * (44 + 2 * 4u));
  before = hip_emulator::counters();
  backend->keep_and_copy_rows(kept, targets, ellipsoids);
  EXPECT_EQ(hip_emulator::counters().bytes_to_device - before.bytes_to_device, 40 * (44 + 4u)) << "none for rows kept";
  EXPECT_EQ(hip_emulator::counters().bytes_to_host, before.bytes_to_host);
}

TEST_P(GpuEmulated, LateLossesAreThoseOfTheCallBefore) {
  const Scene scene = small_scene();
  LossValue values[2][4];
  for (bool late : {false, true}) {
    const auto backend = make();
    backend->upload(scene.model);
    for (int i = 0; i < 4; ++i) {
      backend->forward(scene.view, scene.settings);
      values[late][i] = backend->loss(scene.target, {.late = late});
      backend->backward();
      backend->update({.iteration = i + 1});
    }
  }
  EXPECT_LT(values[0][3].total, values[0][0].total);
  EXPECT_EQ(values[1][0].total, values[0][0].total) << "there is none before the first";
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(values[0][i].of_call_before);
    EXPECT_EQ(values[1][i].of_call_before, i > 0);
  }
  for (int i = 1; i < 4; ++i) EXPECT_EQ(values[1][i].total, values[0][i - 1].total);
}

TEST_P(GpuEmulated, ANewModelHasNoLossBefore) {
  const Scene scene = small_scene();
  const auto backend = make();
  for (int model = 0; model < 2; ++model) {
    backend->upload(scene.model);
    backend->forward(scene.view, scene.settings);
    EXPECT_FALSE(backend->loss(scene.target, {.late = true}).of_call_before);
  }
}

TEST_P(GpuEmulated, AViewWithMoreInstancesThanFitIsDrawnAgain) {
  const Scene scene = small_scene();
  const auto roomy = make(), tight = make();
  for (const auto& backend : {roomy.get(), tight.get()}) backend->upload(scene.model);
  tight->limit_instance_capacity(7);
  for (const auto& backend : {roomy.get(), tight.get()}) backend->forward(scene.view, scene.settings);
  EXPECT_EQ(image_of(*tight).rgb, image_of(*roomy).rgb);
  EXPECT_GT(tight->instance_capacity(), 40u);
}

TEST_P(GpuEmulated, AStepOnTooManyInstancesIsLeftOut) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  backend->limit_instance_capacity(7);
  auto iteration = [&] {
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {.late = true});
    backend->backward();
    backend->update({.iteration = 1});
  };
  iteration();
  expect_identical(model_of(*backend), scene.model);
  DensifyStatistics statistics;
  backend->read_statistics(statistics);
  EXPECT_EQ(statistics.visible_count, std::vector<uint32_t>(40, 0));
  iteration();
  EXPECT_NE(model_of(*backend).means, scene.model.means);
  const auto roomy = make();
  roomy->upload(scene.model);
  roomy->forward(scene.view, scene.settings);
  roomy->loss(scene.target, {});
  roomy->backward();
  roomy->update({.iteration = 1});
  expect_identical(model_of(*backend), model_of(*roomy));
}

// The picture is read after a late loss of one that lacked splats: it is drawn again, and the step left out.
TEST_P(GpuEmulated, AStepOnAPictureThatIsDrawnAgainIsLeftOut) {
  const Scene scene = small_scene();
  const auto roomy = make();
  roomy->upload(scene.model);
  roomy->forward(scene.view, scene.settings);
  const ImageF whole = image_of(*roomy);
  for (const bool before_backward : {true, false}) {
    const auto backend = make();
    backend->upload(scene.model);
    backend->limit_instance_capacity(7);
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {.late = true});
    if (!before_backward) backend->backward();
    EXPECT_EQ(image_of(*backend).rgb, whole.rgb);
    if (before_backward) backend->backward();
    backend->update({.iteration = 1});
    expect_identical(model_of(*backend), scene.model);
    DensifyStatistics statistics;
    backend->read_statistics(statistics);
    EXPECT_EQ(statistics.visible_count, std::vector<uint32_t>(40, 0));
    iterate_once(*backend, scene);
    EXPECT_NE(model_of(*backend).means, scene.model.means);
  }
}

// Lists stay as long as they were drawn, whatever is learnt about the next view before backward().
TEST_P(GpuEmulated, CountsLearntAfterDrawingServeTheNextView) {
  const Scene scene = nearly_full_scene();
  for (const bool ordered : {false, true}) {
    ReferenceBackend reference;
    const auto backend = make(ordered);
    for (Backend* b : {static_cast<Backend*>(&reference), static_cast<Backend*>(backend.get())}) {
      b->upload(scene.model);
      b->forward(scene.view, scene.settings);
      b->loss(scene.target, {});
      b->backward();
    }
    expect_same_gradients(reference, *backend, {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
    backend->update({.iteration = 1});
    iterate_once(*backend, scene);
    (void)backend->stage_times();
    EXPECT_EQ(backend->stage_times()[1].units, 3968u);
    EXPECT_GT(backend->instance_capacity(), 4096u);
  }
}

// 100 splats in all of the 64 tiles.
Scene crowded_scene() {
  Scene scene =
      make_scene({.seed = 3, .splats = 100, .width = 128, .height = 128, .min_px = 500, .max_px = 600, .margin = -0.4});
  for (float& logit_opacity : scene.model.logit_opacities) logit_opacity = -2;
  return scene;
}
View view_away(const Scene& scene) { return turned_view(scene.view, 3); }

uint64_t keys_sorted(Backend& backend, const View& view, const RenderSettings& settings) {
  const uint64_t before = hip_emulator::counters().sorted_keys;
  backend.forward(view, settings);
  return hip_emulator::counters().sorted_keys - before;
}

TEST_P(GpuEmulated, AViewSortsWhatTheOneBeforeNeeded) {
  const Scene scene = crowded_scene();
  const auto backend = make();
  backend->upload(scene.model);
  keys_sorted(*backend, scene.view, scene.settings);
  EXPECT_EQ(keys_sorted(*backend, scene.view, scene.settings), 8000u) << "a quarter more than there were";
  const ImageF all = image_of(*backend);
  keys_sorted(*backend, view_away(scene), scene.settings);
  EXPECT_EQ(keys_sorted(*backend, view_away(scene), scene.settings), 4096u) << "the least";
  keys_sorted(*backend, scene.view, scene.settings);
  EXPECT_EQ(image_of(*backend).rgb, all.rgb) << "drawn again";
  EXPECT_EQ(keys_sorted(*backend, scene.view, scene.settings), 8000u);
  backend->upload(small_scene().model);
  EXPECT_EQ(keys_sorted(*backend, scene.view, scene.settings), 4096u) << "of a new model nothing is known";
}

// Photos in turns: each has the room of its own last view, though its count came late, and no step is left out.
TEST_P(GpuEmulated, EveryPhotoSortsWhatItNeededBefore) {
  const Scene scene = crowded_scene();
  const auto backend = make();
  backend->upload(scene.model);
  std::vector<float> opacities = scene.model.logit_opacities;
  for (int i = 1; i <= 4; ++i) {
    RenderSettings settings = scene.settings;
    settings.photo = i % 2 ? 1 : 2;
    const View view = settings.photo == 1 ? scene.view : view_away(scene);
    const uint64_t keys = keys_sorted(*backend, view, settings);
    if (i > 2) {
      EXPECT_EQ(keys, settings.photo == 1 ? 8000u : 4096u);
    }
    backend->loss(scene.target, {.late = true, .photo = settings.photo});
    backend->backward();
    backend->update({.iteration = i, .opacity_regularizer = 0.01f});  // of every row, seen or not
    const std::vector<float> before = std::exchange(opacities, model_of(*backend).logit_opacities);
    EXPECT_NE(opacities, before) << i;
  }
}

// Wide and tall splats are counted and emitted by a whole wave.
TEST_P(GpuEmulated, SplatsOverHundredsOfTiles) {
  const Scene scene = make_scene(
      {.seed = 2, .splats = 8, .width = 230, .height = 150, .min_px = 40, .max_px = 200, .max_opacity = 0.5});
  ReferenceBackend reference;
  const auto backend = make();
  for (Backend* b : {static_cast<Backend*>(&reference), static_cast<Backend*>(backend.get())}) {
    b->upload(scene.model);
    b->forward(scene.view, scene.settings);
  }
  expect_pictures_match(reference, *backend);
}

// Adam's first moments, sums of the gradients, after two iterations with the blocks of every kernel in this order.
Gaussians trained(Backend& backend, const Scene& scene, bool blocks_backwards) {
  hip_emulator::device().blocks_backwards = blocks_backwards;
  backend.upload(scene.model);
  for (int i = 1; i <= 2; ++i) {
    backend.forward(turned_view(scene.view, 0.01 * i), scene.settings);
    backend.loss(scene.target, {.late = true});
    backend.backward();
    backend.update({.iteration = i});
  }
  AdamMoments moments;
  backend.download_moments(moments);
  return moments.first;
}

TEST_P(GpuEmulated, OrderedSumsDoNotDependOnTheOrderOfBlocks) {
  const Scene scene = make_scene({.seed = 9, .splats = 25, .width = 40, .height = 34, .max_px = 10});
  const auto ordered = make(true), with_atomics = make(false);
  const Gaussians forwards = trained(*ordered, scene, false);
  expect_identical(trained(*ordered, scene, true), forwards);
  EXPECT_NE(trained(*with_atomics, scene, true).means, trained(*with_atomics, scene, false).means)
      << "atomics add in the order in which blocks come: otherwise this test shows nothing";
}

TEST_P(GpuEmulated, OrderedIterationsNeitherAllocateNorWait) {
  const Scene scene = small_scene();
  const auto backend = make(true);
  trained(*backend, scene, false);
  const hip_emulator::Counters warm = hip_emulator::counters();
  backend->forward(scene.view, scene.settings);
  backend->loss(scene.target, {.late = true});
  backend->backward();
  backend->update({.iteration = 4});
  EXPECT_EQ(hip_emulator::counters().allocations, warm.allocations);
  EXPECT_EQ(hip_emulator::counters().waits, warm.waits);
}

// What the host writes and reads meanwhile must not be what the device still works on.
TEST_P(GpuEmulated, ADeviceThatLagsBehindGivesTheSameBytes) {
  const Scene scene = small_scene();
  Gaussians models[2];
  for (const bool asynchronous : {false, true}) {
    hip_emulator::device().asynchronous = asynchronous;
    const auto backend = make(true);
    backend->upload(scene.model);
    Ellipsoids two;
    backend->download_ellipsoid_rows(4, 2, two);
    std::vector<uint32_t> even;
    for (uint32_t i = 0; i < 80; i += 2) even.push_back(i);
    for (int i = 1; i <= 5; ++i) {
      backend->forward(turned_view(scene.view, 0.01 * i), scene.settings);
      backend->loss(scene.target, {.late = true, .photo = uint64_t(i % 3)});
      backend->backward();
      backend->update({.iteration = i});
      if (i == 2) backend->copy_rows(std::vector<uint32_t>{1, 1}, std::vector<uint32_t>{1, 8}, two, true);
      if (i == 3) backend->append_rows(scene.model);
      if (i == 3) backend->keep_and_copy_rows(even, std::vector<uint32_t>{1, 1}, two);
      if (i == 4) backend->sort_rows_in_space();
    }
    models[asynchronous] = model_of(*backend);
  }
  expect_identical(models[1], models[0]);
}

TEST_P(GpuEmulated, WaitingKeepsNoProcessorCoreBusy) {
  const Scene scene = small_scene();
  hip_emulator::device().asynchronous = true;
  const auto backend = make();
  backend->upload(scene.model);
  const hip_emulator::Counters before = hip_emulator::counters();
  iterate_once(*backend, scene);
  backend->forward(scene.view, scene.settings);
  image_of(*backend);
  backend->wait();
  EXPECT_GT(hip_emulator::counters().waits, before.waits);
  EXPECT_EQ(hip_emulator::counters().spinning_waits, before.spinning_waits);
}

TEST_P(GpuEmulated, RowsAreOrderedInSpace) {
  Scene scene = small_scene();
  scene.model.means[3] = std::nanf("");
  const auto backend = make();
  backend->upload(scene.model);
  iterate_once(*backend, scene);
  const Gaussians before = model_of(*backend);
  AdamMoments moments_before, moments_after;
  backend->download_moments(moments_before);
  backend->sort_rows_in_space();
  const Gaussians after = model_of(*backend);
  backend->download_moments(moments_after);
  ASSERT_EQ(after.size(), before.size());
  double length[2] = {0, 0};
  for (size_t i = 0; i < after.size(); ++i) {
    size_t row = 0;  // where it was: opacities are all different
    while (row < before.size() && before.logit_opacities[row] != after.logit_opacities[i]) ++row;
    ASSERT_LT(row, before.size());
    for (size_t k = 0; k < 4; ++k) EXPECT_EQ(after.quats[4 * i + k], before.quats[4 * row + k]);
    EXPECT_EQ(moments_after.second.quats[4 * i], moments_before.second.quats[4 * row]);
    for (const Gaussians* model : {&before, &after})
      for (size_t k = 0; i > 0 && i + 1 < after.size() && k < 3; ++k) {
        const double step = double(model->means[3 * i + k]) - double(model->means[3 * i - 3 + k]);
        if (std::isfinite(step)) length[model == &after] += std::abs(step);
      }
  }
  EXPECT_LT(length[1], 0.7 * length[0]) << "the way through all splats is shorter";
  EXPECT_TRUE(std::isnan(after.means[3 * after.size() - 3])) << "without a position: last";
}

// What is thinner than a cell lies in the order of what is flat.
TEST_P(GpuEmulated, CellsInSpaceAreCubes) {
  std::vector<float> rows[2];
  for (const bool thick : {false, true}) {
    Scene scene = small_scene();
    for (size_t i = 0; i < scene.model.size(); ++i) scene.model.means[3 * i + 2] = thick ? 1e-4f * float(i % 7) : 0;
    const auto backend = make();
    backend->upload(scene.model);
    backend->sort_rows_in_space();
    rows[thick] = model_of(*backend).logit_opacities;
  }
  EXPECT_EQ(rows[0], rows[1]);
}

// docs/benchmarks.md lists them; sort and scan come on top.
TEST_P(GpuEmulated, AnIterationLaunchesNineKernels) {
  const Scene scene = small_scene();
  for (bool ordered : {false, true}) {
    const auto backend = make(ordered);
    backend->upload(scene.model);
    iterate_once(*backend, scene);
    const hip_emulator::Counters before = hip_emulator::counters();
    iterate_once(*backend, scene);
    EXPECT_EQ(hip_emulator::counters().launches - before.launches, ordered ? 13u : 9u);
    // The photo, and fills of what grows with the instances: nothing of a few bytes.
    EXPECT_EQ(hip_emulator::counters().transfers - before.transfers, ordered ? 3u : 1u);
  }
}

// A view's counters are cleared on the way of the one before, unless there was nothing to draw.
TEST_P(GpuEmulated, EveryViewIsCountedFromZero) {
  const Scene scene = nearly_full_scene();
  const auto fresh = make(), backend = make();
  fresh->upload(scene.model);
  fresh->forward(scene.view, scene.settings);
  const ImageF whole = image_of(*fresh);  // reading it learns the count
  for (const bool empty : {false, true, false, false, true, true, false, false, false}) {
    backend->upload(empty ? Gaussians{} : scene.model);
    backend->forward(scene.view, scene.settings);
    const ImageF image = image_of(*backend);
    if (!empty) {
      EXPECT_EQ(image.rgb, whole.rgb);
      EXPECT_EQ(backend->instance_capacity(), fresh->instance_capacity());
    }
  }
}

TEST_P(GpuEmulated, StagesAreTimedFromTheFirstQuestionOn) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  iterate_once(*backend, scene);
  EXPECT_TRUE(backend->stage_times().empty());
  iterate_once(*backend, scene);
  const std::vector<StageTime> times = backend->stage_times();
  ASSERT_EQ(times.size(), 6u);
  for (const StageTime& time : times) {
    EXPECT_GT(time.wall_ms, 0) << time.name;
    EXPECT_GT(time.units, 0u) << time.name;
  }
  EXPECT_EQ(times[0].units, 40u);
  EXPECT_EQ(times[3].units, 37u * 20u);
}

TEST_P(GpuEmulated, ALostDeviceIsADeviceError) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  hip_emulator::device().lost_after_launches = hip_emulator::counters().launches + 2;
  EXPECT_THROW(iterate_once(*backend, scene), DeviceError);
  Gaussians model;
  EXPECT_THROW(backend->download(model), DeviceError);
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, GpuEmulated, testing::Values(32u, 64u),
                         [](const auto& wave) { return "Wave" + std::to_string(wave.param); });

}  // namespace
}  // namespace splat::test
