// The terms that make splats a surface: every backend against the reference.
#include "splat/backend/surface_settings.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/random_values.h"

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

// Around the wall's inverse depth of 0.25; every fifth pixel is not known.
std::vector<uint16_t> depth_map(const Scene& scene, bool is_depth) {
  std::vector<uint16_t> map;
  RandomValues random(9);
  for (int i = 0; i < scene.view.camera.width * scene.view.camera.height; ++i) {
    const double inverse = random.uniform(0.2, 0.3);
    map.push_back(i % 5 == 0 ? uint16_t(0) : uint16_t(is_depth ? 1000 / inverse : 10000 * inverse));
  }
  return map;
}

void draw_surface(Backend& backend, const Scene& scene, const SurfaceSettings& settings) {
  backend.upload(scene.model);
  backend.forward(scene.view, scene.settings);
  backend.loss(scene.target, {});
  if (settings.weighs()) backend.add_surface_loss(settings);
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

TEST_P(BackendParity, DepthMapGradientsMatch) {
  for (const bool is_depth : {false, true}) {
    SCOPED_TRACE(is_depth);
    const Scene scene = wall(200, 67, 45);
    const std::vector<uint16_t> map = depth_map(scene, is_depth);
    SurfaceSettings settings{
        .depth_weight = 20, .depth = {map, is_depth, is_depth ? 1010.0f : 1.01e-4f, 0.002f}, .facing = true};
    expect_surface_matches(scene, settings, *make());
    settings.facing = false;
    settings.normal_weight = 1, settings.distortion_weight = 30;
    expect_surface_matches(scene, settings, *make());
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
