// Every gradient of the reference rasteriser against central differences in double.
#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/reference/reference_rasteriser.h"
#include "tests/splat/raster/raster_case.h"
#include "tests/support/finite_differences.h"

namespace splat::test {
namespace {

class RasterGradient : public ::testing::TestWithParam<RasterCase> {};

double loss_of(const RasterCase& at) { return run(*make_reference_rasteriser<double>(), at, Passes::kForward).loss; }

// For every `stride`-th value.
void expect_gradient(const char* name, RasterCase at, std::vector<double> RasterCase::*values,
                     const std::vector<double>& v, size_t stride, double step = 1e-6) {
  const size_t n = (at.*values).size();
  ASSERT_EQ(v.size(), n) << name;
  double largest = 1e-9;
  for (double x : v) largest = std::max(largest, std::abs(x));
  for (size_t i = 0; i < n; i += stride) {
    const auto f = [&](const std::vector<double>& x) {
      RasterCase moved = at;
      (moved.*values)[i] = x[0];
      return loss_of(moved);
    };
    const double numeric = central_differences(f, {(at.*values)[i]}, step)[0];
    EXPECT_NEAR(v[i], numeric, 2e-6 * largest + 1e-6 * std::abs(numeric)) << name << " " << i;
  }
}

TEST_P(RasterGradient, MatchesDifferences) {
  const RasterCase& at = GetParam();
  const RasterResult v = run(*make_reference_rasteriser<double>(), at, Passes::kBoth);
  expect_gradient("means", at, &RasterCase::means, v.v_means, 11);
  expect_gradient("quats", at, &RasterCase::quats, v.v_quats, 17);
  expect_gradient("scales", at, &RasterCase::scales, v.v_scales, 11);
  expect_gradient("covariances", at, &RasterCase::covariances, v.v_covariances, 7, 1e-8);
  expect_gradient("opacities", at, &RasterCase::opacities, v.v_opacities, 7);
  expect_gradient("sh", at, &RasterCase::sh, v.v_sh, 211);
  expect_gradient("colours", at, &RasterCase::colours, v.v_colours, 29);
  expect_gradient("background", at, &RasterCase::background, at.background.empty() ? at.background : v.v_background, 1);
  for (size_t i = 0; i < v.v_cam.size(); ++i) {
    const auto f = [&](const std::vector<double>& x) {
      RasterCase moved = at;
      moved.cameras[i / 12].cam_from_world[i % 12] = x[0];
      return loss_of(moved);
    };
    const double numeric = central_differences(f, {at.cameras[i / 12].cam_from_world[i % 12]}, 1e-6)[0];
    EXPECT_NEAR(v.v_cam[i], numeric, 1e-5 * (std::abs(numeric) + 1)) << "cam_from_world " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, RasterGradient, ::testing::ValuesIn(raster_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace splat::test
