#include "splat/model/lens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>

#include "splat/model/camera_models.h"
#include "tests/support/finite_differences.h"

namespace {

using splat::CameraModel, splat::Lens, splat::lens_of, splat::SourceCamera;

struct Case {
  const char* name;
  SourceCamera camera;
  double max_radius;  // of normalised coordinates, where the lens is one to one
};

// Realistic parameters of phone, DSLR, action-camera and fisheye lenses, focal length 800 px at 1000x750.
std::vector<Case> cases() {
  const auto camera = [](CameraModel model, std::vector<double> params) {
    return SourceCamera{model, 1000, 750, std::move(params)};
  };
  return {
      {"SIMPLE_PINHOLE", camera(CameraModel::kSimplePinhole, {800, 510, 370}), 1},
      {"PINHOLE", camera(CameraModel::kPinhole, {800, 790, 510, 370}), 1},
      {"SIMPLE_RADIAL", camera(CameraModel::kSimpleRadial, {800, 510, 370, -0.08}), 0.9},
      {"RADIAL", camera(CameraModel::kRadial, {800, 510, 370, 0.09, -0.11}), 0.9},
      {"OPENCV", camera(CameraModel::kOpenCv, {800, 790, 510, 370, 0.07, -0.12, 0.002, -0.001}), 0.9},
      {"OPENCV_FISHEYE", camera(CameraModel::kOpenCvFisheye, {400, 395, 510, 370, 0.03, -0.01, 0.004, -0.001}), 4},
      {"FULL_OPENCV",
       camera(CameraModel::kFullOpenCv, {800, 790, 510, 370, 0.3, -0.2, 1e-3, -7e-4, 0.02, 0.35, -0.15, 0.01}), 0.9},
      {"OPENCV with k4", camera(splat::kOpenCvK4, {800, 790, 510, 370, 0.07, -0.12, 0.002, -0.001, 0.02, -0.03}), 0.9},
      {"FOV", camera(CameraModel::kFov, {500, 495, 510, 370, 0.92}), 3},
      {"SIMPLE_RADIAL_FISHEYE", camera(CameraModel::kSimpleRadialFisheye, {400, 510, 370, 0.02}), 4},
      {"RADIAL_FISHEYE", camera(CameraModel::kRadialFisheye, {400, 510, 370, 0.05, -0.01}), 4},
      {"THIN_PRISM_FISHEYE",
       camera(CameraModel::kThinPrismFisheye, {400, 395, 510, 370, 0.03, -0.01, 8e-4, -5e-4, 4e-3, -1e-3, 1e-3, -2e-3}),
       4},
      {"RAD_TAN_THIN_PRISM_FISHEYE",
       camera(CameraModel::kRadTanThinPrismFisheye,
              {400, 395, 510, 370, 0.03, -0.01, 4e-3, -1e-3, 2e-4, -2e-5, 8e-4, -5e-4, 1e-3, -2e-4, -8e-4, 1e-4}),
       4},
      {"SIMPLE_DIVISION", camera(CameraModel::kSimpleDivision, {500, 510, 370, -0.12}), 3},
      {"DIVISION", camera(CameraModel::kDivision, {800, 790, 510, 370, 0.08}), 1.2},
      {"SIMPLE_FISHEYE", camera(CameraModel::kSimpleFisheye, {400, 510, 370}), 4},
      {"FISHEYE", camera(CameraModel::kFisheye, {400, 395, 510, 370}), 4},
      {"EUCM", camera(CameraModel::kEucm, {400, 395, 510, 370, 0.6, 1.1}), 4},
  };
}

// The documented formulas once more, written in polar coordinates (r, phi) instead.
class PolarFormulas {
 public:
  PolarFormulas(const SourceCamera& camera, double u, double v)
      : model_(camera.model), p_(camera.params), r_(std::hypot(u, v)), phi_(std::atan2(v, u)), t_(std::atan(r_)) {}

  std::array<double, 2> pixel() const {
    if (const auto at = perspective()) return *at;
    if (const auto at = fisheye()) return *at;
    ADD_FAILURE() << "a model without a formula here";
    return {};
  }

 private:
  using Pixel = std::array<double, 2>;

  Pixel tangential(double radius, double p1, double p2) const {
    // 2 p1 u v + p2 (r^2 + 2 u^2) with u = r cos, v = r sin
    const double r2 = radius * radius;
    return {r2 * (p1 * std::sin(2 * phi_) + p2 * (2 + std::cos(2 * phi_))),
            r2 * (p2 * std::sin(2 * phi_) + p1 * (2 - std::cos(2 * phi_)))};
  }
  Pixel at(double fx, double fy, double cx, double cy, double radius, Pixel shift = {0, 0}) const {
    return {cx + fx * (radius * std::cos(phi_) + shift[0]), cy + fy * (radius * std::sin(phi_) + shift[1])};
  }
  Pixel one_focal(double radius) const { return at(p_[0], p_[0], p_[1], p_[2], radius); }
  Pixel two_focals(double radius, Pixel shift = {0, 0}) const { return at(p_[0], p_[1], p_[2], p_[3], radius, shift); }
  // x + k[0] x^3 + k[1] x^5 + ...
  static double odd_polynomial(double x, std::initializer_list<double> k) {
    double sum = x, power = x;
    for (double each : k) sum += each * (power *= x * x);
    return sum;
  }
  // The root of k r r_d^2 - r_d + r = 0 that is r where k is 0.
  double division(double k) const { return r_ == 0 ? 0 : (1 - std::sqrt(1 - 4 * k * r_ * r_)) / (2 * k * r_); }

  std::optional<Pixel> perspective() const {
    if (model_ == splat::kOpenCvK4)
      return two_focals(odd_polynomial(r_, {p_[4], p_[5], p_[8], p_[9]}), tangential(r_, p_[6], p_[7]));
    switch (model_) {
      case CameraModel::kSimplePinhole:
        return one_focal(r_);
      case CameraModel::kPinhole:
        return two_focals(r_);
      case CameraModel::kSimpleRadial:
        return one_focal(odd_polynomial(r_, {p_[3]}));
      case CameraModel::kRadial:
        return one_focal(odd_polynomial(r_, {p_[3], p_[4]}));
      case CameraModel::kOpenCv:
        return two_focals(odd_polynomial(r_, {p_[4], p_[5]}), tangential(r_, p_[6], p_[7]));
      case CameraModel::kFullOpenCv:
        return two_focals(odd_polynomial(r_, {p_[4], p_[5], p_[8]}) /
                              (1 + p_[9] * std::pow(r_, 2) + p_[10] * std::pow(r_, 4) + p_[11] * std::pow(r_, 6)),
                          tangential(r_, p_[6], p_[7]));
      case CameraModel::kSimpleDivision:
        return one_focal(division(p_[3]));
      case CameraModel::kDivision:
        return two_focals(division(p_[4]));
      default:
        return {};
    }
  }

  std::optional<Pixel> fisheye() const {
    switch (model_) {
      case CameraModel::kOpenCvFisheye:
        return two_focals(odd_polynomial(t_, {p_[4], p_[5], p_[6], p_[7]}));
      case CameraModel::kFov:
        return two_focals(std::atan(2 * r_ * std::tan(p_[4] / 2)) / p_[4]);
      case CameraModel::kSimpleRadialFisheye:
        return one_focal(odd_polynomial(t_, {p_[3]}));
      case CameraModel::kRadialFisheye:
        return one_focal(odd_polynomial(t_, {p_[3], p_[4]}));
      case CameraModel::kThinPrismFisheye: {
        Pixel shift = tangential(t_, p_[6], p_[7]);
        shift[0] += p_[10] * t_ * t_;
        shift[1] += p_[11] * t_ * t_;
        return two_focals(odd_polynomial(t_, {p_[4], p_[5], p_[8], p_[9]}), shift);
      }
      case CameraModel::kRadTanThinPrismFisheye: {
        const double radius = odd_polynomial(t_, {p_[4], p_[5], p_[6], p_[7], p_[8], p_[9]});
        Pixel shift = tangential(radius, p_[11], p_[10]);
        shift[0] += p_[12] * std::pow(radius, 2) + p_[13] * std::pow(radius, 4);
        shift[1] += p_[14] * std::pow(radius, 2) + p_[15] * std::pow(radius, 4);
        return two_focals(radius, shift);
      }
      case CameraModel::kSimpleFisheye:
        return one_focal(t_);
      case CameraModel::kFisheye:
        return two_focals(t_);
      case CameraModel::kEucm: {  // on the unit ray (sin t, cos t)
        const double s = std::sin(t_), c = std::cos(t_);
        return two_focals(s / (p_[4] * std::sqrt(p_[5] * s * s + c * c) + (1 - p_[4]) * c));
      }
      default:
        return {};
    }
  }

  CameraModel model_;
  const std::vector<double>& p_;
  double r_, phi_, t_;
};

std::array<double, 2> expected_pixel(const SourceCamera& camera, double u, double v) {
  return PolarFormulas(camera, u, v).pixel();
}

template <class Visit>
void for_grid(double max_radius, const Visit& visit) {
  for (int j = -8; j <= 8; ++j)
    for (int i = -8; i <= 8; ++i) {
      const double u = max_radius * i / 8, v = max_radius * j / 8;
      if (std::hypot(u, v) <= max_radius) visit(u, v);
    }
}

TEST(Lens, EveryModelHasACase) {
  std::set<CameraModel> tested;
  for (const Case& test : cases()) {
    EXPECT_EQ(camera_model_info(test.camera.model).name, test.name);
    tested.insert(test.camera.model);
  }
  for (const splat::CameraModelInfo& info : splat::camera_models())
    EXPECT_EQ(tested.contains(info.model), !info.is_panorama()) << info.name;
}

TEST(Lens, PixelsAgreeWithTheDocumentedFormulas) {
  for (const Case& test : cases()) {
    const Lens lens = lens_of(test.camera);
    for_grid(test.max_radius, [&](double u, double v) {
      const auto pixel = image_from_cam(lens, {3 * u, 3 * v, 3});
      const auto expected = expected_pixel(test.camera, u, v);
      EXPECT_NEAR(pixel[0], expected[0], 1e-8) << test.name << " at " << u << " " << v;
      EXPECT_NEAR(pixel[1], expected[1], 1e-8) << test.name << " at " << u << " " << v;
    });
  }
}

TEST(Lens, InverseOfForwardIsIdentity) {
  for (const Case& test : cases()) {
    const Lens lens = lens_of(test.camera);
    for_grid(test.max_radius, [&](double u, double v) {
      const auto pixel = image_from_cam(lens, {u, v, 1});
      const auto back = cam_from_image(lens, pixel[0], pixel[1]);
      ASSERT_TRUE(back) << test.name << " at " << u << " " << v;
      EXPECT_NEAR((*back)[0], u, 1e-8) << test.name;
      EXPECT_NEAR((*back)[1], v, 1e-8) << test.name;
    });
  }
}

TEST(Lens, NearTheAxisDistortionVanishesOrIsItsKnownSlope) {
  for (const Case& test : cases()) {
    const Lens lens = lens_of(test.camera);
    const double slope =
        test.camera.model == CameraModel::kFov ? 2 * std::tan(0.92 / 2) / 0.92 : 1.0;  // of the FOV model at the axis
    for (double r : {0.0, 1e-12, 1e-7, 1e-4}) {
      const auto pixel = image_from_cam(lens, {r, -r, 1});
      EXPECT_NEAR(pixel[0], lens.cx + lens.fx * slope * r, 1e-5 + 1e-9) << test.name << " " << r;
      EXPECT_NEAR(pixel[1], lens.cy - lens.fy * slope * r, 1e-5 + 1e-9) << test.name << " " << r;
    }
  }
}

TEST(Lens, FloatAgreesWithDouble) {
  for (const Case& test : cases()) {
    std::visit(
        [&](const auto& distortion) {
          for_grid(test.max_radius, [&](double u, double v) {
            const auto exact = splat::math::distort(distortion, u, v);
            const auto rounded = splat::math::distort(distortion, float(u), float(v));
            EXPECT_NEAR(double(rounded.x), exact.x, 3e-6) << test.name;
            EXPECT_NEAR(double(rounded.y), exact.y, 3e-6) << test.name;
          });
        },
        lens_of(test.camera).distortion);
  }
}

TEST(Lens, JacobiansAgreeWithCentralDifferences) {
  for (const Case& test : cases()) {
    std::visit(
        [&](const auto& distortion) {
          for_grid(0.7 * test.max_radius, [&](double u, double v) {
            const auto at = splat::math::jacobian(
                [&](const auto& a, const auto& b) { return splat::math::distort(distortion, a, b); }, u, v);
            const auto x = [&](const std::vector<double>& uv) {
              return splat::math::distort(distortion, uv[0], uv[1]).x;
            };
            const auto y = [&](const std::vector<double>& uv) {
              return splat::math::distort(distortion, uv[0], uv[1]).y;
            };
            splat::test::expect_gradients_near({at.x_by_u, at.x_by_v}, splat::test::central_differences(x, {u, v}),
                                               1e-8);
            splat::test::expect_gradients_near({at.y_by_u, at.y_by_v}, splat::test::central_differences(y, {u, v}),
                                               1e-8);
          });
        },
        lens_of(test.camera).distortion);
  }
}

TEST(Lens, ZeroCoefficientsAreNoDistortion) {
  const auto distorts = [](CameraModel model, std::vector<double> params) {
    return lens_of({model, 100, 100, std::move(params)}).has_distortion();
  };
  EXPECT_FALSE(distorts(CameraModel::kSimpleRadial, {80, 50, 50, 0}));
  EXPECT_FALSE(distorts(CameraModel::kRadial, {80, 50, 50, 0, 0}));
  EXPECT_FALSE(distorts(CameraModel::kOpenCv, {80, 80, 50, 50, 0, 0, 0, 0}));
  EXPECT_FALSE(distorts(CameraModel::kFullOpenCv, {80, 80, 50, 50, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(distorts(CameraModel::kFov, {80, 80, 50, 50, 0}));
  EXPECT_FALSE(distorts(CameraModel::kSimpleDivision, {80, 50, 50, 0}));
  EXPECT_FALSE(distorts(CameraModel::kDivision, {80, 80, 50, 50, 0}));
  EXPECT_FALSE(distorts(CameraModel::kEucm, {80, 80, 50, 50, 0, 1}));
  EXPECT_TRUE(distorts(CameraModel::kEucm, {80, 80, 50, 50, 0.1, 1}));
  EXPECT_TRUE(distorts(CameraModel::kSimpleFisheye, {80, 50, 50}));
  EXPECT_TRUE(distorts(CameraModel::kOpenCv, {80, 80, 50, 50, 0, 0, 0, 1e-4}));
  EXPECT_TRUE(distorts(CameraModel::kOpenCvFisheye, {80, 80, 50, 50, 0, 0, 0, 0}));  // equidistant is not a pinhole
}

TEST(Lens, FoldRadiusIsWhereThePolynomialTurns) {
  // r (1 - 0.3 r^2) has its maximum at r = 1/sqrt(0.9) = 1.0541.
  const splat::math::RationalDistortion folding{.k1 = -0.3};
  EXPECT_NEAR(splat::math::fold_radius(folding, 2.5), 1.0541, 0.006);
  EXPECT_EQ(splat::math::fold_radius(splat::math::RationalDistortion{.k1 = 0.1}, 2.5), 2.5);
  // A pole of the denominator, 1 - r^2 = 0: nothing beyond it counts.
  EXPECT_LT(splat::math::fold_radius(splat::math::RationalDistortion{.k4 = -1}, 2.5), 1.01);
}

TEST(Lens, PointsOutsideTheLensHaveNoInverse) {
  const Lens folding = lens_of({CameraModel::kSimpleRadial, 1000, 1000, {500, 500, 500, -0.3}});
  EXPECT_FALSE(cam_from_image(folding, 500 + 500 * 0.8, 500));  // the maximum of r (1 - 0.3 r^2) is 0.703
  EXPECT_TRUE(cam_from_image(folding, 500 + 500 * 0.7, 500));
  const Lens fisheye = lens_of({CameraModel::kOpenCvFisheye, 1000, 1000, {300, 300, 500, 500, 0, 0, 0, 0}});
  EXPECT_FALSE(cam_from_image(fisheye, 500 + 300 * 1.58, 500));  // beyond 90 degrees
  EXPECT_TRUE(cam_from_image(fisheye, 500 + 300 * 1.5, 500));
}

TEST(Lens, PointsBehindTheCameraHaveNoPixel) {
  for (const Case& test : cases())
    for (const double z : {0.0, -1e-9, -2.0}) {
      const auto pixel = image_from_cam(lens_of(test.camera), {0.3, -0.2, z});
      EXPECT_TRUE(std::isnan(pixel[0]) && std::isnan(pixel[1])) << test.name << " " << z;
    }
}

// k > 0 images what lies within r = 1 / (2 sqrt(k)), at most at r_d = 1 / sqrt(k); k < 0 images half of all directions
// within r_d = 1 / sqrt(-k).
TEST(Lens, TheDivisionModelEndsWhereItsRootDoes) {
  const Lens pincushion = lens_of({CameraModel::kSimpleDivision, 1000, 1000, {500, 500, 500, 0.25}});
  EXPECT_NEAR(image_from_cam(pincushion, {0.999999, 0, 1})[0], 500 + 500 * 2, 3);
  EXPECT_TRUE(std::isnan(image_from_cam(pincushion, {1.000001, 0, 1})[0]));
  EXPECT_TRUE(cam_from_image(pincushion, 500 + 500 * 1.999, 500));
  EXPECT_FALSE(cam_from_image(pincushion, 500 + 500 * 2.001, 500));
  EXPECT_NEAR(splat::math::fold_radius(splat::math::DivisionDistortion{0.25}, 2.5), 1, 0.006);

  const Lens barrel = lens_of({CameraModel::kSimpleDivision, 1000, 1000, {500, 500, 500, -0.25}});
  EXPECT_LT(image_from_cam(barrel, {1e9, 0, 1})[0], 500 + 500 * 2.000001);
  EXPECT_NEAR((*cam_from_image(barrel, 500 + 500 * 1.999, 500))[0], 1.999 / (1 - 0.25 * 1.999 * 1.999), 1e-9);
  EXPECT_FALSE(cam_from_image(barrel, 500 + 500 * 2.001, 500));
  EXPECT_EQ(splat::math::fold_radius(splat::math::DivisionDistortion{-0.25}, 2.5), 2.5);
}

TEST(Lens, TheEucmModelEndsAtNinetyDegreesOrWhereItHasNoRay) {
  const Lens wide = lens_of({CameraModel::kEucm, 1000, 1000, {400, 400, 500, 500, 0.6, 1.1}});
  const double edge = 1 / (0.6 * std::sqrt(1.1));  // of a ray at 90 degrees
  EXPECT_TRUE(cam_from_image(wide, 500 + 400 * (edge - 1e-6), 500));
  EXPECT_FALSE(cam_from_image(wide, 500 + 400 * (edge + 1e-6), 500));
  EXPECT_FALSE(cam_from_image(wide, 500 + 400 * 50, 500));  // the root of a negative number
  const Lens sphere = lens_of({CameraModel::kEucm, 1000, 1000, {400, 400, 500, 500, 1, 1}});  // orthographic
  EXPECT_NEAR((*cam_from_image(sphere, 500 + 400 * 0.6, 500))[0], 0.75, 1e-12);
  EXPECT_FALSE(cam_from_image(sphere, 500 + 400, 500));
}

TEST(Lens, ScaledLensSeesTheSamePointAtTheScaledPixel) {
  for (const Case& test : cases()) {
    const Lens lens = lens_of(test.camera), half = scaled(lens, 0.5, 0.25, 500, 187);
    const auto pixel = image_from_cam(lens, {0.2, -0.3, 1}), small = image_from_cam(half, {0.2, -0.3, 1});
    EXPECT_NEAR(small[0], 0.5 * pixel[0], 1e-10);
    EXPECT_NEAR(small[1], 0.25 * pixel[1], 1e-10);
  }
}

}  // namespace
