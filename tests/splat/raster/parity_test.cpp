// The CPU's rasteriser at every SIMD level against the reference.
#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/cpu/cpu_rasteriser.h"
#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/splat/raster/raster_parity.h"

namespace splat::test {
namespace {

struct LevelCase {
  cpu::SimdLevel level;
  RasterCase scene;
};
class RasterParity : public ::testing::TestWithParam<LevelCase> {};

std::vector<LevelCase> level_cases() {
  std::vector<LevelCase> cases;
  for (cpu::SimdLevel level : cpu::usable_simd_levels())
    for (const RasterCase& at : raster_cases()) cases.push_back({level, at});
  return cases;
}

TEST_P(RasterParity, MatchesTheReference) {
  const RasterCase& at = GetParam().scene;
  const auto rasteriser = std::move(*make_cpu_rasteriser({.threads = 2, .level = GetParam().level}));
  const RasterResult a = run(*rasteriser, at, Passes::kBoth);
  const RasterResult b = run(*make_reference_rasteriser<float>(), at, Passes::kBoth);
  expect_parity(a, b);
}

INSTANTIATE_TEST_SUITE_P(Cpu, RasterParity, ::testing::ValuesIn(level_cases()), [](const auto& info) {
  return std::string(cpu::simd_level_option(info.param.level)) + "_" + info.param.scene.name;
});

bool same(const RasterResult& a, const RasterResult& b) {
  return a.colour == b.colour && a.alpha == b.alpha && a.depth == b.depth && a.means2d == b.means2d &&
         a.radii == b.radii && a.touched == b.touched && a.v_means2d == b.v_means2d &&
         a.v_means2d_abs == b.v_means2d_abs && a.v_means == b.v_means && a.v_quats == b.v_quats &&
         a.v_scales == b.v_scales && a.v_opacities == b.v_opacities && a.v_sh == b.v_sh && a.v_colours == b.v_colours &&
         a.v_cam == b.v_cam && a.v_background == b.v_background;
}

// A scene of several chunks.
RasterCase large(RasterCase at) {
  const auto repeat = [](std::vector<double>& values, double noise) {
    const size_t n = values.size();
    for (size_t i = n; i < 50 * n; ++i) values.push_back(values[i - n] + noise * std::sin(double(i)));
  };
  repeat(at.means, 0.05), repeat(at.quats, 0.1), repeat(at.scales, 0), repeat(at.opacities, 0), repeat(at.sh, 0.01);
  at.splats *= 50;
  return at;
}

TEST(CpuRasteriser, GivesTheSameBytesOnAnyNumberOfThreads) {
  const RasterCase at = large(raster_cases()[1]);
  const auto one = std::move(*make_cpu_rasteriser({.threads = 1})),
             three = std::move(*make_cpu_rasteriser({.threads = 3}));
  EXPECT_TRUE(same(run(*one, at, Passes::kBoth), run(*three, at, Passes::kBoth)));
}

TEST(CpuRasteriser, UsesItsMemoryAgain) {  // for other scenes, sizes and numbers of channels
  const auto rasteriser = std::move(*make_cpu_rasteriser({.threads = 2}));
  for (int round = 0; round < 2; ++round)
    for (const RasterCase& at : raster_cases()) {
      const auto fresh = std::move(*make_cpu_rasteriser({.threads = 2}));
      run(*rasteriser, at, Passes::kForward);
      EXPECT_TRUE(same(run(*rasteriser, at, Passes::kBoth), run(*fresh, at, Passes::kBoth))) << at.name;
    }
}

TEST(CpuRasteriser, DrawsNothingOfNothing) {
  const auto rasteriser = std::move(*make_cpu_rasteriser({.threads = 1}));
  expect_nothing_of_nothing(*rasteriser);
}

}  // namespace
}  // namespace splat::test
