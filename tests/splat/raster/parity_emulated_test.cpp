// The GPU's rasteriser, its kernels in the emulator, against the reference: host memory is the device's.
#include <gtest/gtest.h>

#include "splat/backend/gpu/gpu_rasteriser.h"
#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/splat/raster/raster_parity.h"
#include "tests/support/hip_emulator/hip_emulator.h"

namespace splat::test {
namespace {

struct WaveCase {
  unsigned wave_size;
  int max_packed_tiles;
  RasterCase scene;
};

class RasterParity : public ::testing::TestWithParam<WaveCase> {
 protected:
  void SetUp() override { hip_emulator::device().wave_size = GetParam().wave_size; }
  void TearDown() override { hip_emulator::device() = {}; }
};

std::vector<WaveCase> wave_cases() {
  std::vector<WaveCase> cases;
  for (const RasterCase& at : raster_cases()) {
    cases.push_back({32, 8192, at});
    cases.push_back({64, at.name == "Sh" ? 0 : 8192, at});  // two sorts
  }
  return cases;
}

std::unique_ptr<raster::Rasteriser<float>> make(int max_packed_tiles = 8192) {
  GpuRasteriserOptions options;
  options.max_packed_tiles = max_packed_tiles;
  return make_gpu_rasteriser(options);
}

TEST_P(RasterParity, MatchesTheReference) {
  const RasterCase& at = GetParam().scene;
  expect_parity(run(*make(GetParam().max_packed_tiles), at, Passes::kBoth),
                run(*make_reference_rasteriser<float>(), at, Passes::kBoth));
}

INSTANTIATE_TEST_SUITE_P(Emulated, RasterParity, ::testing::ValuesIn(wave_cases()), [](const auto& info) {
  return "wave_" + std::to_string(info.param.wave_size) + "_" + info.param.scene.name;
});

class GpuRasteriser : public ::testing::Test {
 protected:
  void TearDown() override { hip_emulator::device() = {}; }
};

TEST_F(GpuRasteriser, UsesItsMemoryAgain) {  // for other scenes, sizes and numbers of channels
  const auto rasteriser = make();
  uint64_t allocations = 0;
  for (int round = 0; round < 2; ++round) {
    allocations = hip_emulator::counters().allocations;
    for (const RasterCase& at : raster_cases()) {
      run(*rasteriser, at, Passes::kForward);
      expect_parity(run(*rasteriser, at, Passes::kBoth), run(*make_reference_rasteriser<float>(), at, Passes::kBoth));
    }
  }
  EXPECT_EQ(hip_emulator::counters().allocations, allocations);
}

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// For the numbers of splats in tiles; on another stream also for what the one before has to do.
TEST_F(GpuRasteriser, WaitsOnceForEachCamera) {
  hip_emulator::device().asynchronous = true;
  const RasterCase at = raster_cases()[1];
  const size_t cameras = at.cameras.size();
  ASSERT_EQ(cameras, 3u);
  const std::vector<float> means = as_floats(at.means), quats = as_floats(at.quats), scales = as_floats(at.scales),
                           opacities = as_floats(at.opacities), sh = as_floats(at.sh);
  std::vector<float> picture(cameras * at.pixels() * 3), v_picture(picture.size(), 1.0f),
      v_means(means.size(), -777.0f);
  raster::Call<float> call;
  call.scene = {at.splats, means.data(),     quats.data(), scales.data(),
                nullptr,   opacities.data(), sh.data(),    16,
                3,         nullptr,          false,        3};
  call.cameras = at.cameras, call.settings = at.settings, call.pictures.colour = picture.data(), call.keep = true;
  raster::PictureGradients<float> in;
  in.colour = v_picture.data();
  raster::SceneGradients<float> out;
  out.means = v_means.data();
  int streams[2];
  const auto rasteriser = make();
  for (int round = 0; round < 3; ++round) {
    const uint64_t waits = hip_emulator::counters().waits, expected = waits + cameras + (round == 2);
    call.stream = &streams[round == 2];
    const auto drawn = rasteriser->forward(call);
    drawn->backward_pictures(in, {});
    drawn->backward_scene(nullptr, out);
    EXPECT_EQ(hip_emulator::counters().waits, expected);
  }
  hip_emulator::finish_everything();
  EXPECT_NE(v_means[0], -777.0f);
}

TEST_F(GpuRasteriser, DrawsNothingOfNothing) {
  const auto rasteriser = make();
  expect_nothing_of_nothing(*rasteriser);
}

}  // namespace
}  // namespace splat::test
