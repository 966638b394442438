// The terms that make splats a surface: every backend against the reference.
#include "splat/backend/surface_settings.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

// A wall of large splats: smooth enough that most pixels count. Seeds are such that none stands at a cut-off.
Scene wall(uint64_t seed, int width, int height) {
  return make_scene({.seed = seed,
                     .splats = 90,
                     .width = width,
                     .height = height,
                     .sh_degree = 1,
                     .min_px = 6,
                     .max_px = 14,
                     .min_opacity = 0.6,
                     .min_depth = 3.9,
                     .max_depth = 4.1});
}

constexpr SurfaceSettings kNone{}, kNormals{.normal_weight = 3}, kDistortion{.distortion_weight = 100}, kBoth{3, 100};

void draw_surface(Backend& backend, const Scene& scene, const SurfaceSettings& settings) {
  backend.upload(scene.model);
  backend.forward(scene.view, scene.settings);
  backend.loss(scene.target, {});
  if (settings.normal_weight > 0 || settings.distortion_weight > 0) backend.add_surface_loss(settings);
  backend.backward();
}

void expect_surface_matches(const Scene& scene, const SurfaceSettings& settings, Backend& tested) {
  ReferenceBackend reference;
  draw_surface(reference, scene, settings);
  draw_surface(tested, scene, settings);
  EXPECT_GT(reference.surface_loss(), 0.01) << "pixels count";
  expect_same_gradients(reference, tested, {.relative_l2 = 5e-4, .cosine = 1 - 2e-7, .signed_bias = 2e-4});
}

TEST_P(BackendParity, SurfaceGradientsMatch) {
  for (const auto& [width, height] : {std::pair{67, 45}, {64, 48}, {17, 50}}) {
    for (const bool antialias : {false, true}) {
      SCOPED_TRACE(testing::Message() << width << "x" << height);
      Scene scene = wall(200, width, height);
      scene.settings.antialias = antialias;
      expect_surface_matches(scene, kNormals, *make());
    }
  }
}

TEST_P(BackendParity, DistortionGradientsMatch) {
  for (const auto& [width, height] : {std::pair{67, 45}, {17, 50}}) {
    SCOPED_TRACE(testing::Message() << width << "x" << height);
    Scene scene = wall(200, width, height);
    expect_surface_matches(scene, kDistortion, *make());
    scene.settings.antialias = true;
    expect_surface_matches(scene, kBoth, *make());
  }
}

TEST_P(BackendParity, SurfaceLossIsOfOneIteration) {
  const Scene scene = wall(201, 40, 40);
  ReferenceBackend reference;
  const auto tested = make();
  draw_surface(*tested, scene, kBoth);
  draw_surface(*tested, scene, kNone);
  draw_surface(reference, scene, kNone);
  expect_same_gradients(reference, *tested);
  draw_surface(*tested, scene, kBoth);
  draw_surface(*tested, scene, kNormals);
  draw_surface(reference, scene, kNormals);
  expect_same_gradients(reference, *tested);
}

TEST_P(BackendParity, SurfaceOfNothing) {
  for (const SceneOptions& options :
       {SceneOptions{.seed = 202, .splats = 0, .width = 33, .height = 15}, SceneOptions{.seed = 203, .width = 1}}) {
    const Scene scene = make_scene(options);
    ReferenceBackend reference;
    const auto tested = make();
    draw_surface(reference, scene, kBoth);
    draw_surface(*tested, scene, kBoth);
    expect_same_gradients(reference, *tested);
  }
}

TEST_P(BackendParity, SurfaceOfBrokenRows) {
  Scene scene = wall(206, 48, 33);
  add_broken_rows(scene);
  ReferenceBackend reference;
  const auto tested = make();
  draw_surface(reference, scene, kBoth);
  draw_surface(*tested, scene, kBoth);
  expect_same_gradients(reference, *tested, {.relative_l2 = 5e-4, .cosine = 1 - 2e-7, .signed_bias = 2e-4});
}

}  // namespace
}  // namespace splat::test
