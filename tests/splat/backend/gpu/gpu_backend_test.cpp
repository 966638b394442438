// What is particular to the GPU backend: room for instances that is found too small late, iterations that neither
// allocate nor wait, crowded tiles, splats over many tiles.
#include "splat/backend/gpu/gpu_backend.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/gpu/instance_room.h"
#include "splat/core/device_error.h"
#include "tests/splat/backend/gpu/emulated_case.h"
#include "tests/support/parity.h"

namespace splat::test {
namespace {

class GpuEmulated : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { hip_emulator::device().wave_size = GetParam(); }
  void TearDown() override { hip_emulator::device() = {}; }
  static std::unique_ptr<GpuBackend> make(bool ordered = false) {
    return make_gpu_backend({.name = "emulated", .ordered = ordered});
  }
  static ImageF image_of(Backend& backend) {
    ImageF image;
    backend.read_image(image);
    return image;
  }
  static Gaussians model_of(const Backend& backend) {
    Gaussians model;
    backend.download(model);
    return model;
  }
};

void iterate_once(Backend& backend, const Scene& scene) {
  backend.forward(scene.view, scene.settings);
  backend.loss(scene.target, {});
  backend.backward();
  backend.update({.iteration = 1});
}

Scene small_scene() { return make_scene({.seed = 5, .splats = 40, .width = 37, .height = 20, .max_px = 3}); }

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

TEST_P(GpuEmulated, OutOfMemoryIsADeviceError) {
  const auto backend = make();
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + (1 << 20);
  EXPECT_THROW(backend->reserve(100000), DeviceError);
  hip_emulator::device().memory_limit = hip_emulator::Device().memory_limit;
  backend->upload(small_scene().model);
  EXPECT_EQ(backend->size(), 40u);
}

// Wherever in it the memory comes to its end.
TEST_P(GpuEmulated, ARefusedReserveLeavesEverythingAsItWas) {
  const Scene scene = small_scene();
  const auto backend = make(true);
  backend->upload(scene.model);
  iterate_once(*backend, scene);
  const Gaussians before = model_of(*backend);
  backend->forward(scene.view, scene.settings);
  const ImageF picture = image_of(*backend);
  const size_t held = backend->memory_bytes();
  for (size_t spare = 100'000; spare < 100'000'000; spare += spare / 3) {
    hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + spare;
    EXPECT_THROW(backend->reserve(50'000), DeviceError) << spare;
    EXPECT_LE(backend->memory_bytes(), held + 4'500'000) << spare << ": but for staging memory";
  }
  expect_identical(model_of(*backend), before);
  hip_emulator::device().memory_limit = hip_emulator::Device().memory_limit;
  backend->forward(scene.view, scene.settings);
  EXPECT_EQ(image_of(*backend).rgb, picture.rgb);
}

// The last part of the free memory is left for pictures and photos.
TEST_P(GpuEmulated, ReservedSplatsLeaveRoomForPictures) {
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + 16'000'000;
  const auto backend = make();
  backend->upload(small_scene().model);
  size_t splats = 20'000;
  for (bool refused = true; refused; splats -= splats / 50) try {
      backend->reserve(splats);
      refused = false;
    } catch (const DeviceError&) {
    }
  const size_t left = hip_emulator::device().memory_limit - hip_emulator::counters().allocated_bytes;
  EXPECT_GE(left, 990'000u);
  EXPECT_LE(left, 3'000'000u) << "and not much more";
}

// Everything that training does with its rows, within what was reserved: nothing is allocated.
TEST_P(GpuEmulated, WithinWhatIsReservedNothingIsAllocated) {
  const Scene scene = small_scene();
  for (bool ordered : {false, true}) {
    const auto backend = make(ordered);
    backend->upload(scene.model);
    backend->reserve(300);
    backend->limit_instance_capacity(1);  // the first view is found to need more
    iterate_once(*backend, scene);
    iterate_once(*backend, scene);
    const uint64_t warm = hip_emulator::counters().allocations;
    backend->append_rows(make_scene({.seed = 6, .splats = 260, .width = 37, .height = 20, .max_px = 6}).model);
    ASSERT_EQ(backend->size(), 300u);
    iterate_once(*backend, scene);
    iterate_once(*backend, scene);
    backend->sort_rows_in_space();
    iterate_once(*backend, scene);
    std::vector<uint32_t> kept(299);
    for (uint32_t i = 0; i < 299; ++i) kept[i] = i + 1;
    backend->keep_rows(kept);
    backend->limit_opacity(0.5f);
    AdamMoments moments;
    backend->download_moments(moments);
    backend->upload_moments(moments);
    iterate_once(*backend, scene);
    EXPECT_EQ(hip_emulator::counters().allocations, warm) << ordered;
  }
}

// BackendInfo foretells what reserve() and a view take.
TEST_P(GpuEmulated, MemoryIsAsForetold) {
  constexpr size_t kSplats = 20'000;
  const Scene scene = make_scene({.seed = 5, .splats = 40, .width = 200, .height = 150});
  for (bool ordered : {false, true}) {
    const size_t before = hip_emulator::counters().allocated_bytes;
    const auto backend = make(ordered);
    backend->upload(scene.model);
    backend->reserve(kSplats);
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {});
    backend->backward();
    const double taken = double(hip_emulator::counters().allocated_bytes - before);
    const BackendInfo& info = backend->info();
    const double foretold = double(kSplats * info.device_bytes_per_splat + 200 * 150 * info.device_bytes_per_pixel);
    const double staging = 16384 * 59 * 4 + 200'000;  // for any number of splats
    EXPECT_LE(taken, foretold + staging) << ordered;
    EXPECT_GE(taken, 0.95 * foretold) << ordered;
  }
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

TEST_P(GpuEmulated, PhotosStayOnTheDevice) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  const auto loss_of = [&](const TrainingImage& photo, uint64_t number) {
    backend->forward(scene.view, scene.settings);
    return backend->loss(photo, {.photo = number}).total;
  };
  TrainingImage other = scene.target;
  for (uint8_t& value : other.rgb) value = uint8_t(255 - value);
  const double first = loss_of(scene.target, 1), second = loss_of(other, 2);
  EXPECT_NE(first, second);
  EXPECT_EQ(loss_of(other, 1), first) << "the photo kept as number 1 is used, not what is handed in";
  EXPECT_EQ(loss_of(scene.target, 2), second);
  EXPECT_EQ(loss_of(other, 0), second) << "without a number it is copied every time";
  backend->upload(scene.model);
  EXPECT_EQ(loss_of(other, 1), second) << "upload() forgets";
}

TEST_P(GpuEmulated, PhotosGiveWayToSplats) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  backend->forward(scene.view, scene.settings);
  backend->loss(scene.target, {.photo = 1});
  const size_t before = hip_emulator::counters().allocated_bytes;
  Gaussians more = scene.model;
  more.resize(1000);
  hip_emulator::device().memory_limit = before + 4000;  // no more
  EXPECT_THROW(backend->append_rows(more), DeviceError);
  EXPECT_LT(hip_emulator::counters().allocated_bytes, before) << "the photo was let go first";
}

// A larger view than those before needs memory that the photos hold.
TEST_P(GpuEmulated, PhotosGiveWayToALargerView) {
  const Scene scene = make_scene({.seed = 5, .splats = 10, .width = 100, .height = 60});
  const Scene larger = make_scene({.seed = 5, .splats = 10, .width = 130, .height = 66});
  const auto backend = make();
  backend->upload(scene.model);
  backend->forward(scene.view, scene.settings);
  for (uint64_t photo = 1; photo <= 20; ++photo) backend->loss(scene.target, {.photo = photo});
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + 4000;
  backend->forward(larger.view, larger.settings);
  const auto roomy = make_reference_backend();
  roomy->upload(scene.model);
  roomy->forward(larger.view, larger.settings);
  EXPECT_NEAR(backend->loss(larger.target, {.photo = 21}).total, roomy->loss(larger.target, {}).total, 1e-5);
  backend->backward();
  backend->update({.iteration = 1});
}

// Two losses of one picture, while the device has not yet copied the first photo.
TEST_P(GpuEmulated, AHostBufferIsNotFilledWhileItIsCopied) {
  const Scene scene = small_scene();
  TrainingImage other = scene.target;
  for (uint8_t& value : other.rgb) value = uint8_t(255 - value);
  TrainingImage dark = scene.target;
  for (uint8_t& value : dark.rgb) value /= 4;
  double values[2][3];
  for (const bool asynchronous : {false, true}) {
    hip_emulator::device().asynchronous = asynchronous;
    const auto backend = make();
    backend->upload(scene.model);
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {});
    backend->forward(scene.view, scene.settings);
    uint64_t number = 1;
    for (const TrainingImage* photo : std::initializer_list<const TrainingImage*>{&scene.target, &other, &dark})
      backend->loss(*photo, {.late = true, .photo = number++});
    for (uint64_t photo = 1; photo <= 3; ++photo) {
      backend->forward(scene.view, scene.settings);
      values[asynchronous][photo - 1] = backend->loss(other, {.photo = photo}).total;
    }
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(values[1][i], values[0][i]) << i;
  EXPECT_NE(values[0][0], values[0][1]);
}

// What the host writes and reads meanwhile must not be what the device still works on.
TEST_P(GpuEmulated, ADeviceThatLagsBehindGivesTheSameBytes) {
  const Scene scene = small_scene();
  Gaussians models[2];
  for (const bool asynchronous : {false, true}) {
    hip_emulator::device().asynchronous = asynchronous;
    const auto backend = make(true);
    backend->upload(scene.model);
    for (int i = 1; i <= 5; ++i) {
      backend->forward(turned_view(scene.view, 0.01 * i), scene.settings);
      backend->loss(scene.target, {.late = true, .photo = uint64_t(i % 3)});
      backend->backward();
      backend->update({.iteration = i});
      if (i == 3) backend->append_rows(scene.model);
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

// Its runtime reports the half gigabyte that the firmware set aside, and gives out the host's memory.
TEST_P(GpuEmulated, AProcessorsOwnGpuHasTheHostsMemory) {
  for (const bool own : {false, true}) {
    hip_emulator::device().architecture = own ? "gfx1103" : "gfx1100";  // of neither does the runtime say it
    hip_emulator::device().reported_memory = hip_emulator::counters().allocated_bytes + 400'000;
    const auto backend = make();
    EXPECT_EQ(backend->info().device_total_bytes == 0, own);
    backend->upload(small_scene().model);
    if (own)
      EXPECT_NO_THROW(backend->reserve(20'000));
    else
      EXPECT_THROW(backend->reserve(20'000), DeviceError);
  }
}

TEST(InstanceRoom, HoldsWhatThirtyTwoBitsCount) {
  gpu::InstanceRoom room;
  room.draw(2'000'000'000);
  EXPECT_EQ(room.drawn(), gpu::InstanceRoom::kLargest);
  EXPECT_TRUE(room.learn(1'900'000'000));
  EXPECT_EQ(room.next(), gpu::InstanceRoom::kLargest);
  EXPECT_TRUE(room.learn(gpu::InstanceRoom::kLargest));
  EXPECT_THROW(room.learn(uint64_t(1) << 31), DeviceError);
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

// docs/benchmarks.md lists them; sort and scan come on top.
TEST_P(GpuEmulated, AnIterationLaunchesNineKernels) {
  const Scene scene = small_scene();
  for (bool ordered : {false, true}) {
    const auto backend = make(ordered);
    backend->upload(scene.model);
    iterate_once(*backend, scene);
    const uint64_t before = hip_emulator::counters().launches;
    iterate_once(*backend, scene);
    EXPECT_EQ(hip_emulator::counters().launches - before, ordered ? 13u : 9u);
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
