// The GPU's triangles, their kernels in the emulator, against the CPU's.
#include <array>

#include "splat/backend/gpu/gpu_triangles.h"
#include "tests/splat/raster/triangles/gpu_parity.h"
#include "tests/support/hip_emulator/hip_emulator.h"

namespace splat::triangles {
namespace {

class GpuTriangles : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    hip_emulator::device().wave_size = GetParam();
    gpu_ = make_gpu_triangles(0);
  }
  void TearDown() override {
    gpu_.reset();
    hip_emulator::device() = {};
  }
  std::unique_ptr<Rasteriser> gpu_;
};

TEST_P(GpuTriangles, AreAsTheProcessors) {
  for (const test::Case& at : test::cases()) test::compare(at, *gpu_);
}

TEST_P(GpuTriangles, FacesAreAsTheProcessors) {
  for (const test::Case& at : test::cases()) test::compare_faces(at, *gpu_);
}

TEST_P(GpuTriangles, TheOrderOfBlocksDoesNotMatter) {
  hip_emulator::device().blocks_backwards = true;
  for (const size_t i : {2, 8}) test::compare(test::cases()[i], *gpu_);
}

// With more blocks of pixels than threads are started for.
TEST_P(GpuTriangles, ALargePictureIsDrawnInTurns) {
  const test::Case at{"large", test::random_soup(24, 3.0f, false, 900, 800, 31), 1, {}};
  std::vector<float> want(4 * at.pixels());
  ASSERT_TRUE(
      rasterize(at.scene(at.soup.positions.data(), at.soup.corners.data(), nullptr), want.data(), nullptr, nullptr)
          .ok());
  test::OnDevice<float> positions(at.soup.positions), rast(want.size(), -7.0f);
  test::OnDevice<int32_t> corners(at.soup.corners);
  ASSERT_TRUE(gpu_->rasterize(at.scene(positions.data(), corners.data(), nullptr), rast.data(), nullptr, nullptr).ok());
  test::expect_rast(rast.read(), want, "rast");
}

TEST_P(GpuTriangles, RefuseWhatTheProcessorRefuses) {
  test::Soup soup = test::random_soup(3, 0.4f, false, 8, 8, 1);
  const auto message = [](const Status& status) { return status.ok() ? std::string() : status.error().message; };
  test::OnDevice<float> positions(soup.positions), rast(4 * 64, 0.0f), v(4 * 64, 1.0f), v_positions(36, 0.0f);
  const auto all = [&](int32_t vertex) {
    soup.corners[4] = vertex;
    test::OnDevice<int32_t> corners(soup.corners);
    const Triangles triangles{corners.data(), 3};
    const Scene scene{positions.data(), 1, 9, triangles, nullptr, 8, 8};
    Attributes a{positions.data(), false, 9, 4, triangles, rast.data(), nullptr, 1, 8, 8, {}};
    test::OnDevice<int32_t> numbers(64, 2);
    return std::array{
        message(gpu_->rasterize(scene, rast.data(), nullptr, nullptr)),
        message(gpu_->rasterize_backward(scene, rast.data(), v.data(), nullptr, v_positions.data(), nullptr)),
        message(gpu_->interpolate(a, v.data(), nullptr, nullptr)),
        message(gpu_->interpolate_backward(a, v.data(), nullptr, {v_positions.data(), rast.data()}, nullptr)),
        message(gpu_->rasterize_faces({positions.data(), 9, triangles, 8, 8}, numbers.data(), rast.data(), nullptr)),
        message(gpu_->interpolate_faces({positions.data(), 9, 4, triangles, 64, numbers.data(), rast.data()}, v.data(),
                                        nullptr))};
  };
  for (const std::string& said : all(9)) EXPECT_EQ(said, "triangle 1 has vertex 9 of 9");
  for (const std::string& said : all(-1)) EXPECT_EQ(said, "triangle 1 has vertex -1 of 9");
  for (const std::string& said : all(4)) EXPECT_EQ(said, "");
  test::OnDevice<int32_t> corners(soup.corners), ranges(std::vector<int32_t>{0, 3, 1, 3});
  Scene scene{positions.data(), 2, 9, {corners.data(), 3}, ranges.data(), 4, 8};
  EXPECT_EQ(message(gpu_->rasterize(scene, rast.data(), nullptr, nullptr)), "range 1 is of triangles 1 to 4 of 3");
  scene.ranges = nullptr, scene.pictures = 1, scene.width = 65536;
  EXPECT_NE(message(gpu_->rasterize(scene, rast.data(), nullptr, nullptr)), "");
  scene.width = 8, scene.triangles.count = size_t(1) << 24;
  EXPECT_NE(message(gpu_->rasterize(scene, rast.data(), nullptr, nullptr)).find("more than a picture"),
            std::string::npos);
  const int32_t wanted[1] = {4};
  Attributes a{positions.data(), false, 9, 4, {corners.data(), 3}, rast.data(), rast.data(), 1, 8, 8, wanted};
  EXPECT_EQ(message(gpu_->interpolate(a, v.data(), v.data(), nullptr)), "derivatives are wanted of attribute 4 of 4");
}

// For the check of the corners; on another stream also for what the one before has to do.
TEST_P(GpuTriangles, WaitOnceACallAndCopyNothing) {
  hip_emulator::device().asynchronous = true;
  const test::Case at = test::cases()[0];
  test::OnDevice<float> positions(at.soup.positions), rast(4 * at.pixels(), -7.0f);
  test::OnDevice<int32_t> corners(at.soup.corners);
  hip_emulator::finish_everything();
  int streams[2];
  uint64_t allocations = 0;
  for (int round = 0; round < 3; ++round) {
    const hip_emulator::Counters before = hip_emulator::counters();
    ASSERT_TRUE(
        gpu_->rasterize(at.scene(positions.data(), corners.data(), nullptr), rast.data(), nullptr, &streams[round == 2])
            .ok());
    EXPECT_EQ(hip_emulator::counters().waits, before.waits + 1 + (round == 2));
    EXPECT_EQ(hip_emulator::counters().bytes_to_device, before.bytes_to_device);
    EXPECT_EQ(hip_emulator::counters().bytes_to_host, before.bytes_to_host + 16);
    if (round == 1) {
      EXPECT_EQ(hip_emulator::counters().allocations, allocations);
    }
    allocations = hip_emulator::counters().allocations;
  }
  hip_emulator::finish_everything();
  EXPECT_NE(rast.read()[0], -7.0f);
}

INSTANTIATE_TEST_SUITE_P(Emulated, GpuTriangles, ::testing::Values(32u, 64u),
                         [](const auto& info) { return "wave_" + std::to_string(info.param); });

}  // namespace
}  // namespace splat::triangles
