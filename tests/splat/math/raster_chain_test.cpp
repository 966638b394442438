// What arrays of others may set: values against their definitions. Gradients: tests/splat/raster/gradient_test.cpp.
#include "splat/math/raster_chain.h"

#include <gtest/gtest.h>

#include "splat/math/blend.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

ViewParams<double> simple_view() {
  struct {
    struct {
      double width = 640, height = 480, fx = 500, fy = 510, cx = 320, cy = 240;
    } camera;
    struct {
      std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
      std::array<double, 3> translation{0, 0, 0};
      std::array<double, 3> origin_in_source() const { return {0, 0, 0}; }
    } cam_from_world;
  } view;
  return make_view_params<double>(view);
}

TEST(RasterChain, CovarianceFactorGivesTheCovarianceBack) {
  RandomValues random(1);
  for (int i = 0; i < 50; ++i) {
    const Mat3<double> f = covariance_factor(rotation_from_quat(random.quat()), random.vec3(0.001, 1));
    const Sym3<double> s{dot(row(f, 0), row(f, 0)), dot(row(f, 0), row(f, 1)), dot(row(f, 0), row(f, 2)),
                         dot(row(f, 1), row(f, 1)), dot(row(f, 1), row(f, 2)), dot(row(f, 2), row(f, 2))};
    const Mat3<double> l = covariance_factor(s);
    EXPECT_NEAR(dot(row(l, 0), row(l, 0)), s.xx, 1e-12);
    EXPECT_NEAR(dot(row(l, 0), row(l, 1)), s.xy, 1e-12);
    EXPECT_NEAR(dot(row(l, 0), row(l, 2)), s.xz, 1e-12);
    EXPECT_NEAR(dot(row(l, 1), row(l, 1)), s.yy, 1e-12);
    EXPECT_NEAR(dot(row(l, 1), row(l, 2)), s.yz, 1e-12);
    EXPECT_NEAR(dot(row(l, 2), row(l, 2)), s.zz, 1e-12);
  }
  const Mat3<double> none = covariance_factor(Sym3<double>{0, 0, 0, -1, 0, 4});
  EXPECT_EQ(none.m[1][1], 0);
  EXPECT_EQ(none.m[2][2], 2);
}

TEST(RasterChain, RawQuaternionsAreUsedAsTheyAre) {
  const double w = 0.7, x = 0.6, y = -0.5, z = 0.9;
  const Mat3<double> r = rotation_from_raw_quat(Quat<double>{w, x, y, z});
  const double expected[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(r.m[i][k], expected[i][k], 1e-15);
  const double length = std::sqrt(w * w + x * x + y * y + z * z);
  const Quat<double> unit{w / length, x / length, y / length, z / length};
  const Mat3<double> a = rotation_from_raw_quat(unit), b = rotation_from_quat(Quat<double>{w, x, y, z});
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.m[i][k], b.m[i][k], 1e-15);
}

TEST(RasterChain, CompensatesAsEachRasteriserDoes) {
  const double d0 = 0.02, d1 = 0.5;
  EXPECT_NEAR(compensation_of(Compensation::kRatio, d0, d1, 1 / d1), std::sqrt(d0 / d1), 1e-15);
  EXPECT_NEAR(compensation_of(Compensation::kFloored, d0, d1, 1 / d1), std::sqrt(d0 / d1), 1e-15);
  EXPECT_NEAR(compensation_of(Compensation::kFloored, 1e-9, d1, 1 / d1), 0.005, 1e-15);
  EXPECT_NEAR(compensation_of(Compensation::kMip, d0, d1, 1 / d1), std::sqrt(d0 / (d1 + 1e-6) + 1e-6), 1e-15);
  EXPECT_EQ(compensation_of(Compensation::kMip, 1e-6, d1, 1 / d1), 0);
  EXPECT_EQ(compensation_of(Compensation::kMip, 2e-6, 1e-6, 1e6), 0);
}

TEST(RasterChain, LowPassAndPlanesAreTheViews) {
  ViewParams<double> view = simple_view();
  const Vec3<double> scale{0.1, 0.1, 0.1};
  const auto at = [&](double z) { return project(view, {0.0, 0.0, z}, Quat<double>{1, 0, 0, 0}, scale); };
  const double sharp = at(2).covariance.xx - kLowPass;
  EXPECT_NEAR(sharp, 25 * 25, 1e-9);
  view.low_pass = 0.1;
  EXPECT_NEAR(at(2).covariance.xx, sharp + 0.1, 1e-9);
  EXPECT_NEAR(at(2).conic.xx, 1 / (sharp + 0.1), 1e-12);
  view.near_plane = 0.5, view.far_plane = 3;
  EXPECT_TRUE(at(0.5).valid);
  EXPECT_FALSE(at(0.499).valid);
  EXPECT_TRUE(at(3).valid);
  EXPECT_FALSE(at(3.001).valid);
}

TEST(RasterChain, RadiiAreThoseOfTheOthers) {
  const Sym2<double> covariance{9, 0, 4};
  const Vec2<double> opaque = seen_radii(covariance, 1.0);
  EXPECT_EQ(opaque.x, std::ceil(3 * std::sqrt(2 * std::log(255.0))));  // 9.99
  EXPECT_EQ(opaque.y, std::ceil(2 * 3.33));
  const Vec2<double> faint = seen_radii(covariance, 0.01);
  EXPECT_EQ(faint.x, std::ceil(3 * std::sqrt(2 * std::log(2.55))));
  EXPECT_EQ(seen_radii(covariance, 1 / 300.0).x, 0);
  EXPECT_EQ(square_radius(covariance), 9);
  EXPECT_EQ(square_radius(Sym2<double>{4, 0, 4}), std::ceil(3 * std::sqrt(4 + std::sqrt(0.1))));
  const TileSpan<double> tiles = square_tiles(40.5, 9.0, 10);
  EXPECT_EQ(tiles.first, 1);
  EXPECT_EQ(tiles.last, 3);  // INRIA's (40 + 9 + 15) / 16 = 4, exclusive
  EXPECT_EQ(square_tiles(40.4, 9.0, 10).last, 2);
  EXPECT_EQ(square_tiles(41.5, 9.0, 10).first, 2);
  EXPECT_EQ(square_tiles(41.4, 9.0, 10).first, 1);
  EXPECT_LT(square_tiles(-30.0, 9.0, 10).last, square_tiles(-30.0, 9.0, 10).first);
  EXPECT_LT(square_tiles(200.0, 9.0, 10).last, square_tiles(200.0, 9.0, 10).first);
}

TEST(RasterChain, LimitsOfBlendingCanBeSet) {
  const WeightForm<double> form = weight_form(Sym2<double>{1, 0, 1}, 1.0);
  EXPECT_EQ(gaussian_weight(Vec2<double>{0, 0}, form, 0.999).alpha, 0.999);
  double transmittance = 1;
  EXPECT_EQ(blend_step(transmittance, 0.95, 0.1), 0);
  EXPECT_FALSE(is_live(transmittance));
  transmittance = 1;
  EXPECT_EQ(blend_step(transmittance, 0.95), 0.95);
}

}  // namespace
}  // namespace splat::test
