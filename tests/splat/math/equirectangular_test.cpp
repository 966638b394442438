#include "splat/math/equirectangular.h"

#include <gtest/gtest.h>

#include "tests/support/finite_differences.h"

namespace splat::math {
namespace {

constexpr double kPi = std::numbers::pi;

// COLMAP: azimuth from +z towards +x spans the width, elevation from +90 degrees (-y) to -90 the height.
TEST(Equirectangular, DirectionsLieWhereColmapPutsThem) {
  struct Case {
    Vec3<double> ray;
    double x, y;
  };
  for (const Case& test :
       {Case{{0, 0, 1}, 0.5, 0.5}, Case{{2, 0, 0}, 0.75, 0.5}, Case{{-1, 0, 0}, 0.25, 0.5}, Case{{1, 0, 1}, 0.625, 0.5},
        Case{{0, -1, 1}, 0.5, 0.25}, Case{{0, 3, 3}, 0.5, 0.75}, Case{{1e-9, 0, -1}, 1, 0.5},
        Case{{-1e-9, 0, -1}, 0, 0.5}, Case{{0, -5, 0}, 0.5, 0}, Case{{0, 0.1, 0}, 0.5, 1}}) {
    const Vec2<double> position = equirectangular_from_ray(test.ray);
    EXPECT_NEAR(position.x, test.x, 1e-9) << test.ray.x << " " << test.ray.y << " " << test.ray.z;
    EXPECT_NEAR(position.y, test.y, 1e-9) << test.ray.x << " " << test.ray.y << " " << test.ray.z;
  }
}

TEST(Equirectangular, EveryPositionIsARayAndBack) {
  for (int j = 0; j <= 40; ++j)
    for (int i = 0; i < 80; ++i) {
      const double x = (i + 0.5) / 80, y = j / 40.0;
      const Vec3<double> ray = ray_from_equirectangular(x, y);
      EXPECT_NEAR(dot(ray, ray), 1, 1e-14);
      const Vec2<double> back = equirectangular_from_ray(0.3 * ray);
      EXPECT_NEAR(back.y, y, 1e-12);
      if (j > 0 && j < 40) {
        EXPECT_NEAR(back.x, x, 1e-12) << "at " << y;
      }
    }
}

// The formula of COLMAP's ImgFromCam, in degrees.
TEST(Equirectangular, AgreesWithTheDocumentedFormula) {
  for (double azimuth = -179; azimuth < 180; azimuth += 17)
    for (double elevation = -89; elevation < 90; elevation += 13) {
      const double a = azimuth * kPi / 180, e = elevation * kPi / 180;
      const Vec2<double> position =
          equirectangular_from_ray({4 * std::cos(e) * std::sin(a), -4 * std::sin(e), 4 * std::cos(e) * std::cos(a)});
      EXPECT_NEAR(position.x, azimuth / 360 + 0.5, 1e-12);
      EXPECT_NEAR(position.y, 0.5 - elevation / 180, 1e-12);
    }
}

TEST(Equirectangular, GradientsAgreeWithCentralDifferences) {
  for (double x = 0.03; x < 1; x += 0.07)
    for (double y = 0.02; y < 1; y += 0.08) {
      const Vec3<double> ray = 1.7 * ray_from_equirectangular(x, y);
      const EquirectangularGradients gradients = equirectangular_gradients(ray);
      const auto position = [](const std::vector<double>& r) { return equirectangular_from_ray({r[0], r[1], r[2]}); };
      const std::vector<double> at{ray.x, ray.y, ray.z};
      test::expect_gradients_near(
          {gradients.x.x, gradients.x.y, gradients.x.z},
          test::central_differences([&](const std::vector<double>& r) { return position(r).x; }, at), 1e-6);
      test::expect_gradients_near(
          {gradients.y.x, gradients.y.y, gradients.y.z},
          test::central_differences([&](const std::vector<double>& r) { return position(r).y; }, at), 1e-6);
    }
}

TEST(Equirectangular, GradientsAtThePolesAreLargeAndFinite) {
  for (const double y : {-2.0, 1.0}) {
    const EquirectangularGradients gradients = equirectangular_gradients({0, y, 0});
    EXPECT_GT(gradients.x.x, 1e6);
    EXPECT_TRUE(std::isfinite(gradients.x.x));
    EXPECT_TRUE(std::isfinite(gradients.y.x) && std::isfinite(gradients.y.y) && std::isfinite(gradients.y.z));
  }
}

}  // namespace
}  // namespace splat::math
