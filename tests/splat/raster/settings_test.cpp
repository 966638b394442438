// What settings do, on one splat whose picture is known.
#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/cpu/cpu_rasteriser.h"
#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/splat/raster/raster_case.h"

namespace splat::test {
namespace {

// White, round, with its centre at (16, 16) px and a standard deviation of 10 px there but for the low pass.
RasterCase one_splat() {
  RasterCase at;
  at.splats = 1, at.channels = 1;
  at.means = {0, 0, 2}, at.quats = {1, 0, 0, 0}, at.scales = {0.2, 0.2, 0.2}, at.opacities = {1}, at.colours = {1};
  raster::Camera camera;
  camera.fx = camera.fy = 100, camera.cx = camera.cy = 16;
  at.cameras = {camera};
  at.settings.width = 64, at.settings.height = 32;
  return at;
}
// By the reference, with which the CPU agrees.
RasterResult draw(const RasterCase& at) {
  RasterResult a = run(*make_reference_rasteriser<float>(), at, Passes::kForward);
  const RasterResult b = run(**make_cpu_rasteriser({.threads = 1}), at, Passes::kForward);
  for (size_t i = 0; i < a.alpha.size(); ++i) EXPECT_NEAR(a.alpha[i], b.alpha[i], 1e-5);
  return a;
}
size_t pixel(size_t x, size_t y) { return 64 * y + x; }

TEST(RasterSettings, TheSplatIsAGaussianOfItsSize) {
  const RasterResult out = draw(one_splat());
  const double variance = 100 + 0.3;
  EXPECT_NEAR(out.alpha[pixel(25, 15)], std::exp(-0.5 * (9.5 * 9.5 + 0.25) / variance), 1e-5);
  EXPECT_EQ(out.alpha[pixel(16, 16)], double(0.99f));
  EXPECT_NEAR(out.conics[0], 1 / variance, 1e-6);
  EXPECT_EQ(out.radii, (std::vector<int32_t>{34, 34}));
}

TEST(RasterSettings, LimitsOfBlendingAndSizesCount) {
  RasterCase at = one_splat();
  at.settings.alpha_max = 0.999;
  EXPECT_NEAR(draw(at).alpha[pixel(16, 16)], std::exp(-0.25 / 100.3), 1e-5);
  at.settings.scale_modifier = 0.5, at.settings.low_pass = 1;
  EXPECT_NEAR(draw(at).conics[0], 1 / 26.0, 1e-6);
  at.settings.radius_clip = 34;
  EXPECT_EQ(draw(at).alpha[pixel(16, 16)], 0);
}

TEST(RasterSettings, PlanesCutTheScene) {
  RasterCase at = one_splat();
  at.settings.near_plane = 2.1;
  EXPECT_EQ(draw(at).radii[0], 0);
  at.settings.near_plane = 1, at.settings.far_plane = 1.9;
  EXPECT_EQ(draw(at).radii[0], 0);
}

TEST(RasterSettings, ThreeSigmaEndsAtItsTiles) {
  RasterCase at = one_splat();
  EXPECT_GT(draw(at).alpha[pixel(48, 16)], 1 / 255.0);
  at.settings.footprint = raster::Footprint::kThreeSigma;
  const RasterResult out = draw(at);
  EXPECT_EQ(out.radii, (std::vector<int32_t>{31, 31}));
  EXPECT_GT(out.alpha[pixel(47, 16)], 1 / 255.0);
  EXPECT_EQ(out.alpha[pixel(48, 16)], 0);
  at.opacities = {0};
  EXPECT_EQ(draw(at).radii[0], 31);
  at.settings.footprint = raster::Footprint::kExact;
  EXPECT_EQ(draw(at).radii[0], 0);
}

TEST(RasterSettings, DepthIsOfItsKind) {
  RasterCase at = one_splat();
  at.settings.depth = raster::Depth::kSum;
  const size_t p = pixel(25, 15);
  RasterResult out = draw(at);
  EXPECT_NEAR(out.depth[p], 2 * out.alpha[p], 1e-5);
  at.settings.depth = raster::Depth::kExpected;
  EXPECT_NEAR(draw(at).depth[p], 2, 1e-5);
  at.settings.depth = raster::Depth::kInverse;
  EXPECT_NEAR(draw(at).depth[p], 0.5 * out.alpha[p], 1e-5);
}

TEST(RasterSettings, TouchedCountsWhereMostOfTheLightIsLeft) {
  const RasterResult out = draw(one_splat());
  int expected = 0;
  for (double alpha : out.alpha) expected += alpha > 0 && alpha < 0.5;
  EXPECT_EQ(out.touched, std::vector<int32_t>{expected});
}

}  // namespace
}  // namespace splat::test
