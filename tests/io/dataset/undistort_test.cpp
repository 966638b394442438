#include "io/dataset/undistort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/pictures.h"

namespace {

using io::make_remap, io::plan_undistortion, io::Remap, io::UndistortPlan;
using splat::CameraModel, splat::Image8, splat::Lens, splat::lens_of, splat::SourceCamera;

struct Case {
  const char* name;
  SourceCamera camera;
};

std::vector<Case> cases() {
  const auto camera = [](CameraModel model, std::vector<double> params) {
    return SourceCamera{model, 200, 150, std::move(params)};
  };
  return {
      {"SIMPLE_RADIAL", camera(CameraModel::kSimpleRadial, {160, 102, 74, -0.1})},
      {"RADIAL", camera(CameraModel::kRadial, {160, 102, 74, 0.12, -0.05})},
      {"OPENCV", camera(CameraModel::kOpenCv, {160, 158, 102, 74, 0.1, -0.15, 0.002, -0.001})},
      {"OPENCV_FISHEYE", camera(CameraModel::kOpenCvFisheye, {90, 90, 102, 74, 0.03, -0.01, 0, 0})},
      {"FULL_OPENCV",
       camera(CameraModel::kFullOpenCv, {160, 158, 102, 74, 0.3, -0.2, 1e-3, -7e-4, 0.02, 0.35, -0.1, 0})},
      {"FOV", camera(CameraModel::kFov, {110, 110, 102, 74, 0.9})},
      {"SIMPLE_RADIAL_FISHEYE", camera(CameraModel::kSimpleRadialFisheye, {100, 102, 74, 0.02})},
      {"RADIAL_FISHEYE", camera(CameraModel::kRadialFisheye, {100, 102, 74, 0.05, -0.01})},
      {"THIN_PRISM_FISHEYE",
       camera(CameraModel::kThinPrismFisheye, {100, 99, 102, 74, 0.03, -0.01, 8e-4, -5e-4, 0, 0, 1e-3, -2e-3})},
      {"RAD_TAN_THIN_PRISM_FISHEYE",
       camera(CameraModel::kRadTanThinPrismFisheye,
              {100, 99, 102, 74, 0.03, -0.01, 0, 0, 0, 0, 8e-4, -5e-4, 1e-3, 0, -2e-3, 0})},
      {"SIMPLE_DIVISION", camera(CameraModel::kSimpleDivision, {130, 102, 74, -0.15})},
      {"DIVISION", camera(CameraModel::kDivision, {160, 158, 102, 74, 0.1})},
      {"SIMPLE_FISHEYE", camera(CameraModel::kSimpleFisheye, {100, 102, 74})},
      {"FISHEYE", camera(CameraModel::kFisheye, {100, 99, 102, 74})},
      {"EUCM", camera(CameraModel::kEucm, {110, 109, 102, 74, 0.55, 1.1})},
  };
}

// A smooth scene at infinity: grey level by direction.
double scene(double u, double v) { return 128 + 50 * std::sin(3 * u + 0.5) + 50 * std::cos(2.5 * v); }

// The scene as the lens sees it; pixels that see nothing are 255, which the scene never is.
Image8 photograph(const Lens& lens) {
  Image8 photo{lens.width, lens.height, 1, {}};
  for (int y = 0; y < lens.height; ++y)
    for (int x = 0; x < lens.width; ++x) {
      const auto ray = cam_from_image(lens, x + 0.5, y + 0.5);
      photo.pixels.push_back(ray ? uint8_t(std::lround(scene((*ray)[0], (*ray)[1]))) : 255);
    }
  return photo;
}

TEST(Undistort, PinholePictureShowsTheSceneForEveryModel) {
  for (const Case& test : cases()) {
    const Lens lens = lens_of(test.camera);
    const UndistortPlan plan = plan_undistortion(lens);
    EXPECT_FALSE(plan.identity) << test.name;
    const Remap remap = make_remap(lens, plan.camera);
    const splat::TrainingImage result = io::undistort({photograph(lens), {}, {}}, remap);
    ASSERT_EQ(result.width, 200);
    ASSERT_EQ(result.height, 150);
    int valid = 0;
    double sum = 0;
    for (int y = 0; y < 150; ++y)
      for (int x = 0; x < 200; ++x) {
        const size_t i = size_t(y * 200 + x);
        if (!result.mask.empty() && result.mask[i] == 0) continue;
        const double expected =
            scene((x + 0.5 - plan.camera.cx) / plan.camera.fx, (y + 0.5 - plan.camera.cy) / plan.camera.fy);
        const double difference = std::abs(result.rgb[i] - expected);
        EXPECT_LT(difference, 4) << test.name << " " << x << " " << y;  // half a pixel is cut at the border
        sum += difference;
        ++valid;
        ASSERT_EQ(result.rgb[i], result.rgb[30000 + i]);
        ASSERT_EQ(result.rgb[i], result.rgb[60000 + i]);
      }
    EXPECT_LT(sum / valid, 0.5) << test.name;
    EXPECT_GE(valid, 30000 * (1 - io::kMaxBlankFraction - 0.005)) << test.name;
    EXPECT_NEAR(1 - valid / 30000.0, plan.blank_fraction, 0.006) << test.name;
    EXPECT_GT(plan.kept_fraction, 0.6) << test.name;
  }
}

TEST(Undistort, MildDistortionKeepsTheWholePhoto) {
  const UndistortPlan plan =
      plan_undistortion(lens_of({CameraModel::kOpenCv, 1008, 756, {829, 829, 504, 378, 0.08, -0.14, 0, 0}}));
  EXPECT_GT(plan.kept_fraction, 0.99);
  EXPECT_LE(plan.blank_fraction, io::kMaxBlankFraction);
  EXPECT_NEAR(plan.camera.fx, 829, 30);
  EXPECT_FALSE(plan.field_of_view_cut);
}

TEST(Undistort, TheFieldOfViewOfAFisheyeIsBounded) {
  // 200 degrees across 800 px: a pinhole shows 120 of them at most.
  const double focal = 800 / (200 * M_PI / 180);
  const Lens lens = lens_of({CameraModel::kOpenCvFisheye, 800, 800, {focal, focal, 400, 400, 0, 0, 0, 0}});
  const UndistortPlan plan = plan_undistortion(lens);
  EXPECT_TRUE(plan.field_of_view_cut);
  EXPECT_NEAR(2 * std::atan(400 / plan.camera.fx) * 180 / M_PI, io::kMaxFieldOfViewDeg, 0.01);
  EXPECT_LT(plan.kept_fraction, 0.6);
  EXPECT_EQ(plan.blank_fraction, 0);
}

TEST(Undistort, FoldedPolynomialsAreMaskedOut) {
  // r (1 - 0.35 r^2) turns at r = 0.976, inside the picture of this wide lens.
  const Lens lens = lens_of({CameraModel::kSimpleRadial, 400, 400, {220, 200, 200, -0.35}});
  splat::PinholeCamera wide{400, 400, 120, 120, 200, 200};
  const Remap remap = make_remap(lens, wide);
  EXPECT_TRUE(remap.has_blanks);
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 400; ++x) {
      const double r = std::hypot(x + 0.5 - 200, y + 0.5 - 200) / 120;
      const bool blank = remap.taps[size_t(y * 400 + x)].x == Remap::kBlank;
      if (r > 0.977) {
        EXPECT_TRUE(blank) << r;
      }
      if (r < 0.96) {
        EXPECT_FALSE(blank && r * (1 - 0.35 * r * r) * 220 < 199) << r;
      }
    }
}

TEST(Undistort, NoDistortionIsIdentity) {
  for (const SourceCamera& camera : {SourceCamera{CameraModel::kPinhole, 64, 48, {60, 61, 33, 22}},
                                     SourceCamera{CameraModel::kSimpleRadial, 64, 48, {60, 33, 22, 0}},
                                     SourceCamera{CameraModel::kOpenCv, 64, 48, {60, 61, 33, 22, 0, 0, 0, 0}}}) {
    const UndistortPlan plan = plan_undistortion(lens_of(camera));
    EXPECT_TRUE(plan.identity);
    EXPECT_EQ(plan.camera.fx, 60);
    EXPECT_EQ(plan.camera.cx, 33);
    EXPECT_EQ(plan.camera.cy, 22);
    EXPECT_EQ(plan.camera.width, 64);
  }
}

TEST(Undistort, ATapOnAPixelCentreGivesThatPixel) {
  const Lens lens = lens_of({CameraModel::kPinhole, 40, 30, {50, 50, 20, 15}});
  const Remap remap = make_remap(lens, pinhole_of(lens));
  const Image8 photo = splat::test::wavy_picture(40, 30, 3);
  const splat::TrainingImage result = io::undistort({photo, {}, {}}, remap);
  EXPECT_TRUE(result.mask.empty());
  for (int y = 0; y < 29; ++y)  // the last row and column lean on the one before by 1/256
    for (int x = 0; x < 39; ++x)
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(result.rgb[size_t(c * 1200 + y * 40 + x)], photo.pixels[size_t((y * 40 + x) * 3 + c)]);
}

TEST(Undistort, RowsInParallelGiveTheSame) {
  const Lens lens = lens_of(cases()[2].camera);
  const splat::PinholeCamera camera = plan_undistortion(lens).camera;
  splat::ThreadPool pool(3);
  const Remap one = make_remap(lens, camera), many = make_remap(lens, camera, &pool);
  ASSERT_EQ(one.taps.size(), many.taps.size());
  for (size_t i = 0; i < one.taps.size(); ++i) {
    ASSERT_EQ(one.taps[i].x, many.taps[i].x);
    ASSERT_EQ(one.taps[i].fraction_y, many.taps[i].fraction_y);
  }
}

TEST(Undistort, MasksMoveWithThePicture) {
  const Lens lens = lens_of(cases()[0].camera);
  const splat::PinholeCamera camera = plan_undistortion(lens).camera;
  std::vector<uint8_t> keep(200 * 150, 255);
  for (int y = 0; y < 150; ++y) std::fill_n(&keep[size_t(y * 200)], 60, 0);  // the left 60 columns do not count
  const splat::TrainingImage result = io::undistort({photograph(lens), keep, {}}, make_remap(lens, camera));
  ASSERT_EQ(result.mask.size(), size_t(200 * 150));
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 200; ++x) {
      const auto pixel =
          image_from_cam(lens, {(x + 0.5 - camera.cx) / camera.fx, (y + 0.5 - camera.cy) / camera.fy, 1});
      const uint8_t mask = result.mask[size_t(y * 200 + x)];
      if (pixel[0] < 59) {
        EXPECT_EQ(mask, 0);
      }
      if (pixel[0] > 61 && pixel[0] < 200 && pixel[1] > 0 && pixel[1] < 150) {
        EXPECT_EQ(mask, 255);
      }
    }
}

TEST(Undistort, OnePixelWidePhotos) {
  const Lens lens = lens_of({CameraModel::kSimpleRadial, 1, 5, {50, 0.5, 2.5, 0.1}});
  const splat::TrainingImage result =
      io::undistort({splat::test::flat_picture(1, 5, 3, 9), {}, {}}, make_remap(lens, plan_undistortion(lens).camera));
  EXPECT_EQ(result.rgb[2], 9);
}

}  // namespace
