// What a rasteriser of floats says, against what the reference says of the same floats.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "tests/splat/raster/raster_case.h"

namespace splat::test {

constexpr double kGradients = 1e-4;  // as of the backends: tests/support/parity.h

inline double relative_l2(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 1e-20;
  for (size_t i = 0; i < a.size(); ++i) difference += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
  return std::sqrt(difference / size);
}
inline void expect_near(const char* name, const std::vector<double>& a, const std::vector<double>& b,
                        double tolerance) {
  ASSERT_EQ(a.size(), b.size()) << name;
  EXPECT_LE(relative_l2(a, b), tolerance) << name;
}

inline void expect_parity(const RasterResult& a, const RasterResult& b) {
  expect_near("colour", a.colour, b.colour, 2e-6);
  expect_near("alpha", a.alpha, b.alpha, 2e-6);
  expect_near("depth", a.depth, b.depth, 2e-6);
  expect_near("means2d", a.means2d, b.means2d, 1e-6);
  expect_near("depths", a.depths, b.depths, 1e-6);
  expect_near("conics", a.conics, b.conics, 2e-5);
  expect_near("compensations", a.compensations, b.compensations, 1e-5);
  EXPECT_EQ(a.radii, b.radii);
  EXPECT_EQ(a.touched, b.touched);
  expect_near("v_means2d", a.v_means2d, b.v_means2d, kGradients);
  expect_near("v_means2d_abs", a.v_means2d_abs, b.v_means2d_abs, kGradients);
  expect_near("v_means", a.v_means, b.v_means, kGradients);
  expect_near("v_quats", a.v_quats, b.v_quats, kGradients);
  expect_near("v_scales", a.v_scales, b.v_scales, kGradients);
  expect_near("v_covariances", a.v_covariances, b.v_covariances, kGradients);
  expect_near("v_opacities", a.v_opacities, b.v_opacities, kGradients);
  expect_near("v_sh", a.v_sh, b.v_sh, kGradients);
  expect_near("v_colours", a.v_colours, b.v_colours, kGradients);
  expect_near("v_cam", a.v_cam, b.v_cam, kGradients);
  expect_near("v_background", a.v_background, b.v_background, kGradients);
}

// Neither splats, nor cameras.
inline void expect_nothing_of_nothing(raster::Rasteriser<float>& rasteriser) {
  RasterCase at = raster_cases()[0];
  at.splats = 0;
  for (auto* values : {&at.means, &at.quats, &at.scales, &at.opacities, &at.sh}) values->clear();
  const RasterResult out = run(rasteriser, at, Passes::kBoth);
  for (size_t i = 0; i < out.colour.size(); ++i) EXPECT_EQ(out.colour[i], double(float(at.background[i % 3])));
  EXPECT_EQ(out.alpha, std::vector<double>(at.pixels(), 0));
  EXPECT_EQ(out.v_cam, std::vector<double>(12, 0));
  RasterCase blind = raster_cases()[0];
  blind.cameras.clear(), blind.v_colour.clear(), blind.v_alpha.clear();
  EXPECT_EQ(run(rasteriser, blind, Passes::kBoth).v_sh, std::vector<double>(blind.sh.size(), 0));
}

}  // namespace splat::test
