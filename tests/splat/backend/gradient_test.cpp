// The reference backend's whole chain, from the loss to all 59 parameters and the background, against central
// differences. Scenes are small and their seeds such that no pixel lies within a step of a cut-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/backend/surface_settings.h"
#include "splat/metrics/image_metrics.h"
#include "splat/model/rigid_motion.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

using Group = std::vector<double> reference::Model::*;

double loss_of(ReferenceBackend& backend, const Scene& scene, const LossSettings& settings) {
  backend.forward(scene.view, scene.settings);
  return backend.loss(scene.target, settings).total;
}

// With the terms of a surface, where they are asked for.
double loss_of(ReferenceBackend& backend, const Scene& scene, const LossSettings& settings,
               const SurfaceSettings& surface) {
  const double photo = loss_of(backend, scene, settings);
  if (!surface.weighs()) return photo;
  backend.add_surface_loss(surface);
  return photo + backend.surface_loss();
}

// A gradient that vanishes everywhere would make the comparison say nothing: it fails.
void check_gradients(const Scene& scene, const LossSettings& settings, const SurfaceSettings& surface = {}) {
  ReferenceBackend backend;
  backend.upload(scene.model);
  loss_of(backend, scene, settings, surface);
  size_t drawn = 0;
  for (uint32_t i = 0; i < scene.model.size(); ++i) drawn += math::is_drawn(scene.settings.dropout, i) ? 1 : 0;
  ASSERT_EQ(backend.visible().size(), drawn);
  backend.backward();
  const reference::Model v_model = backend.gradients();
  const auto v_background = backend.v_background();

  const std::pair<const char*, Group> groups[] = {{"means", &reference::Model::means},
                                                  {"log_scales", &reference::Model::log_scales},
                                                  {"quats", &reference::Model::quats},
                                                  {"logit_opacities", &reference::Model::logit_opacities},
                                                  {"sh", &reference::Model::sh}};
  for (const auto& [name, group] : groups) {
    SCOPED_TRACE(name);
    std::vector<double>& values = backend.model().*group;
    const std::vector<double> start = values;
    const auto numeric = central_differences(
        [&](const std::vector<double>& x) {
          values = x;
          return loss_of(backend, scene, settings, surface);
        },
        start, 2e-6);
    values = start;
    EXPECT_GT(*std::max_element(numeric.begin(), numeric.end()), 1e-6);
    expect_gradients_near(v_model.*group, numeric, 1e-6);
  }

  Scene changed = scene;  // steps of 2^-19 keep the float background exact
  const auto numeric = central_differences(
      [&](const std::vector<double>& x) {
        changed.settings.background = {float(x[0]), float(x[1]), float(x[2])};
        return loss_of(backend, changed, settings, surface);
      },
      {scene.settings.background[0], scene.settings.background[1], scene.settings.background[2]}, 1.0 / (1 << 19));
  expect_gradients_near({v_background.x, v_background.y, v_background.z}, numeric, 1e-6);
}

// Splats as large as the image, so that every one reaches every pixel.
SceneOptions smooth_options(uint64_t seed) {
  SceneOptions options;
  options.seed = seed;
  options.splats = 4;
  options.width = 14, options.height = 11;
  options.min_px = 6, options.max_px = 15;
  options.min_opacity = 0.3, options.max_opacity = 0.8;
  options.margin = -0.2;
  return options;
}

// Small and thin ones too: most pixels lie outside their ellipses.
SceneOptions sharp_options(uint64_t seed) {
  SceneOptions options = smooth_options(seed);
  options.splats = 6;
  options.min_px = 0.4, options.max_px = 5;
  options.margin = 0.05;
  return options;
}

TEST(ReferenceGradient, SmoothScene) { check_gradients(make_scene(smooth_options(1)), {}); }
TEST(ReferenceGradient, SharpScene) { check_gradients(make_scene(sharp_options(2)), {}); }
TEST(ReferenceGradient, L1Alone) { check_gradients(make_scene(sharp_options(3)), {.ssim_weight = 0}); }
TEST(ReferenceGradient, SsimAlone) { check_gradients(make_scene(sharp_options(4)), {.ssim_weight = 1}); }

TEST(ReferenceGradient, ThroughTheColourOfAPhoto) {
  const PhotoColour colour{{{1.3, -0.07}, {0.7, 0.1}, {1.02, 0.03}}};
  check_gradients(make_scene(sharp_options(2)), {.colour = colour});
}

TEST(ReferenceGradient, ByTheColourOfAPhoto) {
  for (const bool mask : {false, true}) {
    SceneOptions options = sharp_options(12);
    options.mask = mask;
    const Scene scene = make_scene(options);
    ReferenceBackend backend;
    backend.upload(scene.model);
    backend.forward(scene.view, scene.settings);
    const auto loss = [&](const std::vector<double>& x) {
      return backend.loss(scene.target, {.colour = {{{x[0], x[1]}, {x[2], x[3]}, {x[4], x[5]}}}});
    };
    const std::vector<double> at{1.3, -0.07, 0.7, 0.1, 1.02, 0.03};
    const PhotoColour v = loss(at).v_colour;
    expect_gradients_near({v[0].gain, v[0].bias, v[1].gain, v[1].bias, v[2].gain, v[2].bias},
                          central_differences([&](const auto& x) { return loss(x).total; }, at, 1e-7), 1e-6);
  }
}

void check_pose_gradient(Scene scene, const SurfaceSettings& surface) {
  const View start = scene.view;
  ReferenceBackend backend;
  backend.upload(scene.model);
  const auto loss = [&](const std::vector<double>& x) {
    scene.view.cam_from_world = moved(start.cam_from_world, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    return loss_of(backend, scene, {}, surface);
  };
  const auto numeric = central_differences(loss, std::vector<double>(6), 1e-6);
  loss(std::vector<double>(6));
  backend.backward();
  const PoseGradient v = backend.read_pose_gradient();
  EXPECT_GT(std::abs(numeric[3]), 1e-4);
  expect_gradients_near({v.translation.begin(), v.translation.end()}, {numeric.begin(), numeric.begin() + 3}, 1e-6);
  expect_gradients_near({v.rotation.begin(), v.rotation.end()}, {numeric.begin() + 3, numeric.end()}, 1e-6);
}

TEST(ReferenceGradient, ByThePoseOfTheView) {
  for (const bool antialias : {false, true}) {
    Scene scene = make_scene(sharp_options(antialias ? 5 : 2));
    scene.settings.antialias = antialias;
    check_pose_gradient(scene, {});
  }
}

TEST(ReferenceGradient, Antialiased) {
  Scene scene = make_scene(sharp_options(5));
  scene.settings.antialias = true;
  check_gradients(scene, {});
}

TEST(ReferenceGradient, OfASurface) {
  SceneOptions options = smooth_options(13);
  options.splats = 6;
  options.min_opacity = 0.7;
  options.min_depth = 3.9, options.max_depth = 4.1;
  const Scene scene = make_scene(options);
  const SurfaceSettings normals{.normal_weight = 2}, distortion{.distortion_weight = 20}, both{2, 20};
  std::vector<uint16_t> map;  // half of it nearer than what is drawn
  for (int i = 0; i < options.width * options.height; ++i) map.push_back(i % 3 == 0 ? 0 : i % 2 ? 2000 : 3000);
  SurfaceSettings depths{.depth_weight = 2, .depth = {map, false, 1e-4f, 0.005f}}, facing = depths;
  facing.facing = true;
  for (const SurfaceSettings& settings : {normals, distortion, both, depths, facing}) {
    SCOPED_TRACE(testing::Message() << settings.normal_weight << " " << settings.distortion_weight << " "
                                    << settings.depth_weight << " " << settings.facing);
    ReferenceBackend backend;
    backend.upload(scene.model);
    loss_of(backend, scene, {}, settings);
    EXPECT_GT(backend.surface_loss(), 0.01) << "pixels count";
    check_gradients(scene, {}, settings);
    check_pose_gradient(scene, settings);
  }
}

TEST(ReferenceGradient, OfWhatDropoutLeaves) {
  for (const bool antialias : {false, true}) {
    Scene scene = make_scene(sharp_options(8));
    scene.settings.antialias = antialias;
    scene.settings.dropout = {.share = 90, .iteration = 3, .seed = 2};
    check_gradients(scene, {});
  }
}

TEST(ReferenceGradient, Masked) {
  SceneOptions options = sharp_options(6);
  options.mask = true;
  check_gradients(make_scene(options), {});
}

TEST(ReferenceGradient, OpaqueSplatsReachTheStop) {
  SceneOptions options = smooth_options(7);
  options.splats = 12;
  options.min_opacity = 0.7, options.max_opacity = 0.9;
  const Scene scene = make_scene(options);
  ReferenceBackend backend;
  backend.upload(scene.model);
  backend.forward(scene.view, scene.settings);
  size_t stopped = 0;
  for (size_t pixel = 0; pixel < backend.picture().colour.size(); ++pixel) {
    double transmittance = 1;  // through all splats, the stop rule left out
    for (const auto& splat : backend.visible())
      transmittance *= 1 - weight_at(splat, offset_px(splat, pixel, options.width)).alpha;
    stopped += transmittance < math::kTransmittanceStop;
  }
  EXPECT_GT(stopped, 20u);
  check_gradients(scene, {});
}

TEST(ReferenceGradient, LowerActiveDegreeLeavesHigherCoefficientsAlone) {
  Scene scene = make_scene(sharp_options(8));
  scene.settings.sh_degree = 1;
  check_gradients(scene, {});
  ReferenceBackend backend;
  backend.upload(scene.model);
  loss_of(backend, scene, {});
  backend.backward();
  for (size_t i = 0; i < scene.model.size(); ++i)
    for (size_t k = 4 * 3; k < 16 * 3; ++k) EXPECT_EQ(backend.gradients().sh[i * 48 + k], 0.0);
}

// The loss by its definition, on a picture of whole 8-bit steps: its SSIM is that of image_metrics, which a test
// compares with the windows written out, zeros beyond the border.
TEST(ReferenceLoss, FollowsItsDefinition) {
  const int width = 23, height = 17;
  const size_t pixels = size_t(width) * height;
  for (bool masked : {false, true}) {
    RandomValues random(10);
    reference::Picture picture{width, height, std::vector<math::Vec3<double>>(pixels), {}};
    ImageF render{width, height, std::vector<float>(3 * pixels)};
    TrainingImage target{width, height, {}, {}};
    for (size_t i = 0; i < 3 * pixels; ++i) target.rgb.push_back(uint8_t(random.below(256)));
    if (masked)
      for (size_t p = 0; p < pixels; ++p) target.mask.push_back(p % 5 ? 255 : 0);
    double l1 = 0, values = 0;
    for (size_t i = 0; i < 3 * pixels; ++i) {
      const double x = random.below(256) / 255.0;
      const size_t p = i % pixels;
      (i < pixels ? picture.colour[p].x : i < 2 * pixels ? picture.colour[p].y : picture.colour[p].z) = x;
      render.rgb[i] = float(x);
      if (masked && target.mask[p] == 0) continue;
      l1 += std::abs(x - target.rgb[i] / 255.0);
      ++values;
    }
    const LossValue value = reference::image_loss(picture, target, {}).value;
    const double ssim = image_metrics(render, target).ssim;
    EXPECT_NEAR(value.l1, l1 / values, 1e-12);
    EXPECT_NEAR(value.ssim, ssim, 1e-12);
    EXPECT_NEAR(value.total, 0.8 * l1 / values + 0.2 * (1 - ssim), 1e-7) << "the weight is a float";
  }
}

// To the bit: as if somebody had laid the photo over the background of the picture. Over black and white that needs no
// rounding.
TEST(ReferenceLoss, OfATransparentPhotoIsThatOverTheBackground) {
  Scene scene = make_scene({.seed = 11, .width = 40, .height = 30});
  const size_t pixels = 40 * 30;
  RandomValues random(11);
  TrainingImage &own = scene.target, laid = own;
  own.background = {1, 0, 1};
  scene.settings.background = {0, 1, 1};
  for (size_t p = 0; p < pixels; ++p) {
    own.alpha.push_back(uint8_t(p % 4 == 0 ? 255 : p % 4 == 1 ? 0 : random.below(256)));
    for (size_t c = 0; c < 3; ++c) {
      const int hidden = own.alpha[p] * own.rgb[c * pixels + p] / 255, shown = 255 - own.alpha[p];
      own.rgb[c * pixels + p] = uint8_t(hidden + (own.background[c] > 0 ? shown : 0));
      laid.rgb[c * pixels + p] = uint8_t(hidden + (scene.settings.background[c] > 0 ? shown : 0));
    }
  }
  ReferenceBackend a, b;
  const TrainingImage* photos[2] = {&own, &laid};
  LossValue values[2];
  for (ReferenceBackend* backend : {&a, &b}) {
    backend->upload(scene.model);
    backend->forward(scene.view, scene.settings);
    values[backend == &b] = backend->loss(*photos[backend == &b], {});
    backend->backward();
  }
  EXPECT_EQ(values[0].total, values[1].total);
  EXPECT_EQ(a.gradients().means, b.gradients().means);
  EXPECT_EQ(a.gradients().sh, b.gradients().sh);
  EXPECT_GT(values[0].l1, 0.05);
}

// Moving the principal point moves the one splat's centre on the picture and nothing else.
TEST(ReferenceStatistics, AreTheCentresGradientInNdcAndTheThreeSigmaRadius) {
  SceneOptions options = smooth_options(11);
  options.splats = 1;
  Scene scene = make_scene(options);
  ReferenceBackend backend;
  backend.upload(scene.model);
  loss_of(backend, scene, {});
  backend.backward();
  DensifyStatistics statistics;
  backend.read_statistics(statistics);
  const auto s = backend.visible().at(0).projection.covariance;
  const PinholeCamera camera = scene.view.camera;
  const auto v_centre = central_differences(
      [&](const std::vector<double>& offset) {
        scene.view.camera.cx = camera.cx + float(offset[0]);
        scene.view.camera.cy = camera.cy + float(offset[1]);
        return loss_of(backend, scene, {});
      },
      {0, 0}, 1.0 / (1 << 12));  // steps that float coordinates hold exactly
  const double in_ndc = std::hypot(v_centre[0] * options.width / 2, v_centre[1] * options.height / 2);
  EXPECT_GT(in_ndc, 1e-4);
  EXPECT_NEAR(statistics.mean2d_gradient_norm[0], in_ndc, 1e-4 * in_ndc);
  EXPECT_EQ(statistics.visible_count[0], 1u);
  const double mean = (s.xx + s.yy) / 2, determinant = s.xx * s.yy - s.xy * s.xy;
  const double sigma = std::sqrt(mean + std::sqrt(mean * mean - determinant));
  EXPECT_EQ(statistics.max_radius_px[0], float(std::ceil(3 * sigma)));
}

TEST(ReferenceGradient, OfTheImageDirectly) {
  const Scene scene = make_scene(sharp_options(9));
  ImageF v_image{scene.view.camera.width, scene.view.camera.height, {}};
  for (int i = 0; i < 3 * v_image.width * v_image.height; ++i) v_image.rgb.push_back(std::sin(0.7f * float(i)));
  ReferenceBackend backend;
  backend.upload(scene.model);
  backend.forward(scene.view, scene.settings);
  backend.set_image_gradient(v_image);
  backend.backward();
  const std::vector<double> v_means = backend.gradients().means;
  const size_t pixels = size_t(v_image.width) * size_t(v_image.height);
  const auto numeric = central_differences(
      [&](const std::vector<double>& x) {
        backend.model().means = x;
        backend.forward(scene.view, scene.settings);
        double sum = 0;
        for (size_t i = 0; i < pixels; ++i)
          sum += math::dot(backend.picture().colour[i],
                           {v_image.rgb[i], v_image.rgb[pixels + i], v_image.rgb[2 * pixels + i]});
        return sum;
      },
      backend.model().means, 2e-6);
  expect_gradients_near(v_means, numeric, 1e-6);
}

}  // namespace
}  // namespace splat::test
