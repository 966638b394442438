// The GPU backend's memory: what is reserved, predicted and kept, photos on the device, and what gives way when it
// ends.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "splat/backend/gpu/gpu_backend.h"
#include "splat/backend/gpu/instance_room.h"
#include "splat/core/device_error.h"
#include "tests/splat/backend/gpu/gpu_emulated.h"

namespace splat::test {
namespace {

class GpuMemory : public GpuEmulated {};

TEST_P(GpuMemory, OutOfMemoryIsADeviceError) {
  const auto backend = make();
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + (1 << 20);
  EXPECT_THROW(backend->reserve(100000), DeviceError);
  hip_emulator::device().memory_limit = hip_emulator::Device().memory_limit;
  backend->upload(small_scene().model);
  EXPECT_EQ(backend->size(), 40u);
}

// Wherever in it the memory comes to its end.
TEST_P(GpuMemory, ARefusedReserveLeavesEverythingAsItWas) {
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
TEST_P(GpuMemory, ReservedSplatsLeaveRoomForPictures) {
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

std::vector<uint32_t> first_rows(uint32_t count) {
  std::vector<uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// Everything that training does with its rows, within what was reserved: nothing is allocated.
TEST_P(GpuMemory, WithinWhatIsReservedNothingIsAllocated) {
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
    Ellipsoids ellipsoids;
    backend->download_ellipsoids(ellipsoids);
    backend->copy_rows(std::vector<uint32_t>(299, 7), first_rows(299), ellipsoids, true);
    ellipsoids.resize(150);
    backend->keep_and_copy_rows(first_rows(150), std::vector<uint32_t>(150, 298), ellipsoids);
    ASSERT_EQ(backend->size(), 300u);
    backend->limit_opacity(0.5f);
    AdamMoments moments;
    backend->download_moments(moments);
    backend->upload_moments(moments);
    iterate_once(*backend, scene);
    EXPECT_EQ(hip_emulator::counters().allocations, warm) << ordered;
  }
}

// BackendInfo foretells what reserve() and a view take.
TEST_P(GpuMemory, MemoryIsAsPredicted) {
  constexpr size_t kSplats = 20'000;
  const Scene scene = make_scene({.seed = 5, .splats = 40, .width = 200, .height = 150});
  for (int kind = 0; kind < 3; ++kind) {
    const bool ordered = kind == 1, packed = kind == 2;
    const size_t before = hip_emulator::counters().allocated_bytes;
    const auto backend = make(ordered);
    backend->pack_moments(packed);
    backend->upload(scene.model);
    backend->reserve(kSplats);
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {});
    backend->backward();
    const double taken = double(hip_emulator::counters().allocated_bytes - before);
    const BackendInfo& info = backend->info();
    const double a_splat = double(info.device_bytes_per_splat) - (packed ? 59 * 4 : 0);
    const double predicted = kSplats * a_splat + 200 * 150 * double(info.device_bytes_per_pixel);
    const double staging = 16384 * 59 * 4 + 200'000;  // for any number of splats
    EXPECT_LE(taken, predicted + staging) << kind;
    EXPECT_GE(taken, 0.95 * predicted) << kind;
  }
}

TEST_P(GpuMemory, PhotosStayOnTheDevice) {
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
  EXPECT_TRUE(backend->keeps_photo(1));
  EXPECT_EQ(loss_of({}, 1), first) << "it needs no pixels";
  EXPECT_FALSE(backend->keeps_photo(0));
  EXPECT_FALSE(backend->keeps_photo(3));
  backend->upload(scene.model);
  EXPECT_FALSE(backend->keeps_photo(1));
  EXPECT_EQ(loss_of(other, 1), second) << "upload() forgets";
}

TEST_P(GpuMemory, PhotosGiveWayToSplats) {
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
TEST_P(GpuMemory, PhotosGiveWayToALargerView) {
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
TEST_P(GpuMemory, AHostBufferIsNotFilledWhileItIsCopied) {
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

// Its runtime reports the half gigabyte that the firmware set aside, and gives out the host's memory.
TEST_P(GpuMemory, AProcessorsOwnGpuHasTheHostsMemory) {
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

TEST_P(GpuMemory, ASmallerModelGivesInstancesBack) {
  const Scene scene = small_scene();
  const auto backend = make();
  Gaussians large = scene.model;
  large.resize(40'000);
  size_t held[2];
  for (const bool small : {false, true}) {
    backend->upload(small ? scene.model : large);
    backend->forward(scene.view, scene.settings);
    held[small] = backend->memory_bytes();
  }
  EXPECT_LE(held[1] + 40'000 * gpu::InstanceRoom::kPerSplat * 20, held[0]);
}

using gpu::InstanceRoom;

TEST(InstanceRoom, HoldsWhatThirtyTwoBitsCount) {
  InstanceRoom room;
  room.draw({0, 2'000'000'000, 9});
  EXPECT_EQ(room.drawn(), InstanceRoom::kLargest);
  EXPECT_TRUE(room.learn(1'900'000'000));
  EXPECT_EQ(room.next(), InstanceRoom::kLargest);
  EXPECT_TRUE(room.learn(InstanceRoom::kLargest));
  EXPECT_THROW(room.learn(uint64_t(1) << 31), DeviceError);
}

size_t room_of(InstanceRoom& room, uint64_t photo, uint64_t instances, size_t tiles = 9, size_t splats = 1000) {
  room.draw({photo, splats, tiles});
  room.learn(instances);
  return room.drawn();
}

TEST(InstanceRoom, FollowsEveryPhotoUpAndDown) {
  InstanceRoom room;
  room_of(room, 1, 80'000);
  room_of(room, 2, 20'000);
  EXPECT_EQ(room_of(room, 3, 40'000), 120'000u) << "not seen: half as much again as the largest";
  EXPECT_EQ(room_of(room, 1, 80'000), 100'000u);
  EXPECT_EQ(room_of(room, 2, 10'000), 25'000u);
  EXPECT_EQ(room_of(room, 2, 10'000), 12'500u);
  EXPECT_EQ(room_of(room, 0, 8'000), 12'500u) << "no photo: as the view before";
  EXPECT_EQ(room_of(room, 0, 8'000), 10'000u);
}

// After half of them has doubled, the others are expected to have; what is drawn larger than before, as well.
TEST(InstanceRoom, ExpectsWhatOtherPhotosGained) {
  InstanceRoom room;
  for (uint64_t photo = 1; photo <= 4; ++photo) room_of(room, photo, 10'000 * photo);
  room_of(room, 1, 20'000);
  EXPECT_GE(room_of(room, 2, 40'000), 40'000u);
  EXPECT_GE(room_of(room, 3, 60'000), 60'000u);
  EXPECT_EQ(room_of(room, 1, 20'000), 25'000u) << "seen since";
  EXPECT_GE(room_of(room, 4, 160'000, 36), 160'000u) << "at twice the size";
  const size_t before = room_of(room, 1, 20'000);
  EXPECT_EQ(room_of(room, 1, 30'000, 9, 1500), before * 3 / 2) << "half as many splats again";
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, GpuMemory, testing::Values(32u, 64u),
                         [](const auto& wave) { return "Wave" + std::to_string(wave.param); });

}  // namespace
}  // namespace splat::test
