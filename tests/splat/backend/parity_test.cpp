// Every backend against the reference: pictures, losses, gradients, updates, statistics, row operations, edge cases.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "splat/math/activation.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/parity.h"
#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

struct NamedScene {
  std::string name;
  Scene scene;
};

NamedScene named(const std::string& name, const SceneOptions& options) { return {name, make_scene(options)}; }

std::vector<NamedScene> ordinary_scenes() {
  std::vector<NamedScene> scenes;
  for (int degree = 0; degree <= 3; ++degree)
    scenes.push_back(named("degree " + std::to_string(degree), {.seed = 10 + uint64_t(degree), .sh_degree = degree}));
  scenes.push_back(named("antialiased", {.seed = 20, .min_px = 0.1, .max_px = 3}));
  scenes.back().scene.settings.antialias = true;
  for (const bool antialias : {false, true}) {
    scenes.push_back(named(antialias ? "dropout, antialiased" : "dropout", {.seed = 34, .min_px = 0.1, .max_px = 6}));
    scenes.back().scene.settings.antialias = antialias;
    scenes.back().scene.settings.dropout = {.share = 70, .iteration = 12, .seed = 5};
  }
  for (const float low_pass : {0.1f, 2.0f}) {
    scenes.push_back(named("low pass " + std::to_string(low_pass), {.seed = 35, .min_px = 0.2, .max_px = 3}));
    scenes.back().scene.settings.low_pass = low_pass;
    scenes.back().scene.settings.antialias = low_pass > 1;
  }
  scenes.push_back(named("active degree 1 of 3", {.seed = 21}));
  scenes.back().scene.settings.sh_degree = 1;
  scenes.push_back(named(
      "one crowded tile",
      {.seed = 22, .splats = 700, .width = 16, .height = 16, .max_px = 3, .min_opacity = 0.02, .max_opacity = 0.2}));
  scenes.push_back(named(
      "opaque", {.seed = 23, .splats = 150, .min_px = 2, .max_px = 10, .min_opacity = 0.9, .max_opacity = 0.9999}));
  scenes.push_back(named("faint", {.seed = 24, .min_opacity = 0.003, .max_opacity = 0.02}));
  scenes.push_back(
      named("large, around the image", {.seed = 25, .splats = 60, .min_px = 8, .max_px = 60, .margin = 0.7}));
  scenes.push_back(named("about the near plane", {.seed = 32, .splats = 60, .min_depth = 0.004, .max_depth = 0.1}));
  scenes.push_back(named("tiny", {.seed = 26, .splats = 400, .min_px = 0.02, .max_px = 0.3}));
  scenes.push_back(named("wide strip", {.seed = 27, .width = 333, .height = 7}));
  scenes.push_back(named("tall strip", {.seed = 28, .width = 5, .height = 200}));
  scenes.push_back(named("whole tiles", {.seed = 29, .width = 64, .height = 48}));
  scenes.push_back(named("many", {.seed = 30, .splats = 700, .width = 70, .height = 50, .max_px = 4}));
  return scenes;
}

std::vector<NamedScene> edge_scenes() {
  std::vector<NamedScene> scenes;
  scenes.push_back(named("no splats", {.seed = 40, .splats = 0}));
  scenes.push_back(named("one pixel", {.seed = 41, .width = 1, .height = 1}));
  scenes.push_back(named("one splat", {.seed = 42, .splats = 1, .min_px = 4, .margin = -0.3}));
  scenes.push_back(named("seventeen splats", {.seed = 43, .splats = 17, .width = 17, .height = 17}));
  scenes.push_back(named("all off-screen", {.seed = 44}));
  scenes.back().scene.view.cam_from_world.translation[0] += 1000;
  scenes.push_back(named("all behind", {.seed = 45}));
  scenes.back().scene.view.cam_from_world.translation[2] -= 100;
  scenes.push_back(named("broken rows", {.seed = 46}));
  add_broken_rows(scenes.back().scene);
  return scenes;
}

std::vector<NamedScene> all_scenes() {
  std::vector<NamedScene> scenes = ordinary_scenes();
  for (NamedScene& scene : edge_scenes()) scenes.push_back(std::move(scene));
  return scenes;
}

// For both backends after forward(); zero where a flip at a cut-off is allowed.
ImageF random_image_gradient(const ReferenceBackend& reference) {
  RandomValues random(77);
  const std::vector<bool> at_cut_off = pixels_at_cut_offs(reference);
  const size_t pixels = at_cut_off.size();
  ImageF v_image{reference.picture().width, reference.picture().height, {}};
  for (size_t i = 0; i < 3 * pixels; ++i)
    v_image.rgb.push_back(float(random.normal() / double(3 * pixels) * !at_cut_off[i % pixels]));
  return v_image;
}

TEST_P(BackendParity, PicturesMatch) {
  for (const auto& [name, scene] : all_scenes()) {
    SCOPED_TRACE(name);
    ReferenceBackend reference;
    const auto tested = make();
    draw_both(reference, *tested, scene);
    expect_pictures_match(reference, *tested);
  }
}

// Float cancels in the conic of needles: agreement is looser, and still bounded.
TEST_P(BackendParity, PicturesOfNeedlesMatch) {
  const Scene scene = make_scene({.seed = 31, .splats = 60, .min_px = 0.02, .max_px = 120});
  ReferenceBackend reference;
  const auto tested = make();
  draw_both(reference, *tested, scene);
  expect_pictures_match(reference, *tested, {.interior = 1e-4, .band = 5e-3, .flip_fraction = 5e-3});
}

void check_gradients_by_the_image(Backend& tested, const Scene& scene, const GradientLimits& limits = {}) {
  ReferenceBackend reference;
  Backend* const backends[2] = {&reference, &tested};
  draw_both(reference, tested, scene);
  const ImageF v_image = random_image_gradient(reference);
  for (Backend* backend : backends) {
    backend->set_image_gradient(v_image);
    backend->backward();
  }
  expect_same_gradients(reference, tested, limits);
}

TEST_P(BackendParity, GradientsByTheImageMatch) {
  for (const auto& [name, scene] : all_scenes()) {
    SCOPED_TRACE(name);
    check_gradients_by_the_image(*make(), scene);
  }
}

// Many batches and buckets of one tile.
TEST_P(BackendParity, TenThousandSplatsInOneTile) {
  const Scene scene = make_scene({.seed = 33,
                                  .splats = 10000,
                                  .width = 16,
                                  .height = 16,
                                  .sh_degree = 0,
                                  .min_px = 0.2,
                                  .max_px = 0.7,
                                  .min_opacity = 0.01,
                                  .max_opacity = 0.03,
                                  .margin = 0});
  ReferenceBackend reference;
  const auto tested = make();
  draw_both(reference, *tested, scene);
  expect_pictures_match(reference, *tested, {.interior = 1e-4, .flip_fraction = 0.02});
  check_gradients_by_the_image(*tested, scene, {.relative_l2 = 1e-3, .cosine = 1 - 5e-7, .signed_bias = 3e-4});
}

// More than 8192 tiles: a packed key of 32 bits has too few bits left for the depth.
TEST_P(BackendParity, MoreTilesThanAPackedKeyTells) {
  Scene scene =
      make_scene({.seed = 34, .splats = 24, .width = 91 * 16 - 15, .height = 91 * 16 - 15, .min_px = 8, .max_px = 120});
  ReferenceBackend reference;
  const auto tested = make();
  draw_both(reference, *tested, scene);
  expect_pictures_match(reference, *tested);
  ImageF v_image{scene.view.camera.width, scene.view.camera.height, {}};
  v_image.rgb.resize(3 * size_t(v_image.width) * size_t(v_image.height));
  RandomValues random(78);
  for (float& value : v_image.rgb) value = float(random.normal() / double(v_image.rgb.size()));
  for (Backend* backend : {static_cast<Backend*>(&reference), tested.get()}) {
    backend->set_image_gradient(v_image);
    backend->backward();
  }
  expect_same_gradients(reference, *tested, {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
}

void check_loss(Backend& tested, const Scene& scene, const LossSettings& settings) {
  ReferenceBackend reference;
  LossValue values[2];
  Backend* const backends[2] = {&reference, &tested};
  for (int i = 0; i < 2; ++i) {
    backends[i]->upload(scene.model);
    backends[i]->forward(scene.view, scene.settings);
    values[i] = backends[i]->loss(scene.target, settings);
    backends[i]->backward();
  }
  EXPECT_NEAR(values[1].l1, values[0].l1, 2e-6);
  EXPECT_NEAR(values[1].ssim, values[0].ssim, 1e-5);
  EXPECT_NEAR(values[1].total, values[0].total, 5e-6);
  for (size_t c = 0; c < 3; ++c) {
    const auto &got = values[1].v_colour[c], &expected = values[0].v_colour[c];
    EXPECT_NEAR(got.gain, expected.gain, 1e-5 + 1e-4 * std::abs(expected.gain)) << c;
    EXPECT_NEAR(got.bias, expected.bias, 1e-5 + 1e-4 * std::abs(expected.bias)) << c;
  }
  EXPECT_NEAR(values[1].total, (1 - settings.ssim_weight) * values[1].l1 + settings.ssim_weight * (1 - values[1].ssim),
              1e-6);
  expect_same_gradients(reference, tested, {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
}

TEST_P(BackendParity, LossAndItsGradientsMatch) {
  for (const auto& [name, scene] : all_scenes()) {
    SCOPED_TRACE(name);
    check_loss(*make(), scene, {});
  }
}

TEST_P(BackendParity, LossWeightsMatch) {
  for (float weight : {0.0f, 0.5f, 1.0f}) {
    SCOPED_TRACE(weight);
    check_loss(*make(), make_scene({.seed = 50}), {.ssim_weight = weight});
  }
}

TEST_P(BackendParity, MaskedLossMatches) {
  check_loss(*make(), make_scene({.seed = 51, .mask = true}), {});
  Scene scene = make_scene({.seed = 52, .width = 40, .height = 12, .mask = true});
  std::fill(scene.target.mask.begin(), scene.target.mask.end(), uint8_t(255));
  check_loss(*make(), scene, {});
}

TEST_P(BackendParity, ColoursOfPhotosMatch) {
  const PhotoColour colour{{{1.25, -0.0625}, {0.75, 0.125}, {1.0, 0.03125}}};
  check_loss(*make(), make_scene({.seed = 55}), {.colour = colour});
  check_loss(*make(), make_scene({.seed = 56, .width = 40, .height = 70, .mask = true}), {.colour = colour});
}

TEST_P(BackendParity, TransparentPhotosMatch) {
  for (const bool mask : {false, true}) {
    SCOPED_TRACE(mask);
    Scene scene = make_scene({.seed = 57, .mask = mask, .alpha = true});
    for (const std::array<float, 3>& background : {scene.target.background, {0.31f, 0.83f, 0.57f}}) {
      scene.settings.background = background;
      check_loss(*make(), scene, {});
      check_loss(*make(), scene, {.colour = {{{1.25, -0.0625}, {0.75, 0.125}, {1.0, 0.03125}}}});
    }
  }
}

// Photos that stay on a device do so with their alpha.
TEST_P(BackendParity, ATransparentPhotoIsTheSameWhenItComesAgain) {
  Scene scene = make_scene({.seed = 58, .mask = true, .alpha = true});
  const auto tested = make();
  tested->upload(scene.model);
  std::vector<double> totals;
  for (const float red : {1.0f, 0.0f, 1.0f}) {
    scene.settings.background = {red, 0.5f, 0.5f};
    tested->forward(scene.view, scene.settings);
    totals.push_back(tested->loss(scene.target, {.photo = 3}).total);
    tested->backward();
  }
  EXPECT_EQ(totals[0], totals[2]);
  EXPECT_NE(totals[0], totals[1]);
}

// Where nothing is drawn and the photo shows nothing, every background fits.
TEST_P(BackendParity, NothingFitsNothingOnEveryBackground) {
  Scene scene = make_scene({.seed = 59, .splats = 0, .width = 40, .height = 20});
  scene.target.alpha.assign(40 * 20, 0);
  scene.target.rgb.assign(3 * 40 * 20, 0);
  const auto tested = make();
  tested->upload(scene.model);
  for (const std::array<float, 3>& background :
       {std::array<float, 3>{0, 0, 0}, std::array<float, 3>{1, 1, 1}, std::array<float, 3>{0.3f, 0.7f, 0.1f}})
    for (const double gain : {1.0, 1.25}) {
      scene.settings.background = background;
      tested->forward(scene.view, scene.settings);
      const math::ChannelColour<double> colour{gain, 0.125};
      const LossValue value = tested->loss(scene.target, {.colour = {{colour, colour, colour}}});
      EXPECT_NEAR(value.l1, 0, 1e-6);
      EXPECT_NEAR(value.total, 0, 1e-4) << "windows of floats";
      for (const auto& v : value.v_colour) EXPECT_TRUE(v.gain == 0 && v.bias == 0);
    }
}

TEST_P(BackendParity, EverythingMaskedIsNoLoss) {
  Scene scene = make_scene({.seed = 53, .width = 20, .height = 18, .mask = true});
  std::fill(scene.target.mask.begin(), scene.target.mask.end(), uint8_t(0));
  check_loss(*make(), scene, {});
  const auto tested = make();
  tested->upload(scene.model);
  tested->forward(scene.view, scene.settings);
  const LossValue value = tested->loss(scene.target, {});
  EXPECT_EQ(value.total, 0);
  EXPECT_EQ(value.l1, 0);
  EXPECT_EQ(value.ssim, 1);
  for (const auto& v : value.v_colour) EXPECT_TRUE(v.gain == 0 && v.bias == 0);
}

TEST_P(BackendParity, PerfectPictureHasNoLoss) {
  Scene scene = make_scene({.seed = 54, .splats = 0});
  scene.settings.background = {51 / 255.0f, 102 / 255.0f, 204 / 255.0f};
  const size_t pixels = scene.target.rgb.size() / 3;
  for (size_t i = 0; i < 3 * pixels; ++i) scene.target.rgb[i] = i < pixels ? 51 : i < 2 * pixels ? 102 : 204;
  const auto tested = make();
  tested->upload(scene.model);
  tested->forward(scene.view, scene.settings);
  const LossValue value = tested->loss(scene.target, {});
  EXPECT_NEAR(value.l1, 0, 1e-7);
  EXPECT_NEAR(value.ssim, 1, 5e-5);  // of a flat picture: E[x^2] - mu^2 cancels in float, against C2 = 9e-4
}

Gaussians difference(const Gaussians& a, const Gaussians& b) {
  Gaussians out = a;
  auto subtract = [](std::vector<float>& x, const std::vector<float>& y) {
    for (size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  };
  subtract(out.means, b.means);
  subtract(out.log_scales, b.log_scales);
  subtract(out.quats, b.quats);
  subtract(out.logit_opacities, b.logit_opacities);
  subtract(out.sh, b.sh);
  return out;
}

void check_updates(Backend& tested, const Scene& scene, AdamSettings settings, int iterations) {
  ReferenceBackend reference;
  Gaussians after[2];
  AdamMoments moments[2];
  Backend* const backends[2] = {&reference, &tested};
  for (int b = 0; b < 2; ++b) {
    backends[b]->upload(scene.model);
    for (settings.iteration = 1; settings.iteration <= iterations; ++settings.iteration)
      iterate(*backends[b], scene, turned_view(scene.view, 0.03 * settings.iteration), settings);
    backends[b]->download(after[b]);
    backends[b]->download_moments(moments[b]);
  }
  {
    SCOPED_TRACE(
        "displacement");  // Adam turns a tiny gradient of the wrong sign into a full step: looser than gradients
    expect_groups_match(difference(after[1], scene.model), difference(after[0], scene.model),
                        {.relative_l2 = 5e-3, .cosine = 1 - 1.3e-5, .signed_bias = 1e-3});
  }
  {
    SCOPED_TRACE("first moments");
    expect_groups_match(moments[1].first, moments[0].first,
                        {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
  }
  SCOPED_TRACE("second moments");
  expect_groups_match(moments[1].second, moments[0].second,
                      {.relative_l2 = 3e-3, .cosine = 1 - 5e-6, .signed_bias = 1e-3});
}

TEST_P(BackendParity, UpdatesMatch) {
  check_updates(*make(), make_scene({.seed = 60}), {}, 1);
  check_updates(*make(), make_scene({.seed = 61}), {}, 6);
  check_updates(*make(), make_scene({.seed = 62, .splats = 33, .sh_degree = 0}), {}, 4);
  Scene lower = make_scene({.seed = 63});
  lower.settings.sh_degree = 1;
  check_updates(*make(), lower, {}, 4);
}

TEST_P(BackendParity, EveryRateReachesItsGroup) {
  const Scene scene = make_scene({.seed = 64, .splats = 50});
  check_updates(*make(), scene,
                {.mean_rate = 1e-3f,
                 .sh0_rate = 2e-3f,
                 .sh_rest_rate = 3e-3f,
                 .opacity_rate = 4e-3f,
                 .log_scale_rate = 5e-3f,
                 .quat_rate = 6e-3f,
                 .beta1 = 0.8f,
                 .beta2 = 0.99f,
                 .epsilon = 1e-8f},
                3);
}

TEST_P(BackendParity, RegularizersReachEverySplat) {
  Scene scene = make_scene({.seed = 65});
  scene.view.cam_from_world.translation[0] += 1000;  // nothing visible: only the regularizers pull
  check_updates(*make(), scene, {.opacity_regularizer = 0.01f, .scale_regularizer = 0.01f}, 2);
  check_updates(*make(), make_scene({.seed = 66}), {.opacity_regularizer = 0.5f, .scale_regularizer = 0.5f}, 3);
  check_updates(*make(), scene, {.thickness_regularizer = 0.01f}, 2);
  check_updates(*make(), make_scene({.seed = 68}), {.scale_regularizer = 0.2f, .thickness_regularizer = 0.5f}, 3);
}

void expect_statistics_match(const DensifyStatistics& tested, const DensifyStatistics& reference) {
  expect_values_match("mean2d_gradient_norm", tested.mean2d_gradient_norm, reference.mean2d_gradient_norm,
                      {.relative_l2 = 1e-4, .cosine = 1 - 1e-8, .signed_bias = 5e-5});
  size_t counts = 0, radii = 0;
  for (size_t i = 0; i < reference.visible_count.size(); ++i) {
    counts += tested.visible_count[i] != reference.visible_count[i];
    radii += tested.max_radius_px[i] != reference.max_radius_px[i];
    EXPECT_LE(std::abs(double(tested.visible_count[i]) - reference.visible_count[i]), 1) << i;
    EXPECT_LE(std::abs(tested.max_radius_px[i] - reference.max_radius_px[i]), counts ? 1e9 : 1) << i;
  }
  EXPECT_LE(counts, 1 + reference.visible_count.size() / 200);  // at the image's edge
  EXPECT_LE(radii, 1 + reference.visible_count.size() / 200);   // rounded up
}

TEST_P(BackendParity, StatisticsMatch) {
  for (const auto& [name, scene] : all_scenes()) {
    SCOPED_TRACE(name);
    ReferenceBackend reference;
    const auto tested = make();
    DensifyStatistics statistics[2];
    Backend* const backends[2] = {&reference, tested.get()};
    for (Backend* backend : backends) backend->upload(scene.model);
    for (double angle : {0.0, 0.3}) {
      for (Backend* backend : backends) backend->forward(turned_view(scene.view, angle), scene.settings);
      const ImageF v_image = random_image_gradient(reference);
      for (Backend* backend : backends) {
        backend->set_image_gradient(v_image);
        backend->backward();
      }
    }
    for (int b = 0; b < 2; ++b) backends[b]->read_statistics(statistics[b]);
    ASSERT_EQ(statistics[1].visible_count.size(), scene.model.size());
    ASSERT_EQ(statistics[1].max_radius_px.size(), scene.model.size());
    expect_statistics_match(statistics[1], statistics[0]);

    tested->reset_statistics();
    tested->read_statistics(statistics[1]);
    EXPECT_EQ(std::count(statistics[1].visible_count.begin(), statistics[1].visible_count.end(), 0u),
              std::ptrdiff_t(scene.model.size()));
  }
}

TEST_P(BackendParity, BrokenRowsAreNeverSeenNorMoved) {
  Scene scene = make_scene({.seed = 46});
  const std::vector<uint32_t> broken = add_broken_rows(scene);
  const auto tested = make();
  tested->upload(scene.model);
  tested->forward(scene.view, scene.settings);
  tested->loss(scene.target, {});
  tested->backward();
  ImageF image;
  tested->read_image(image);
  for (float value : image.rgb) ASSERT_TRUE(std::isfinite(value));
  Gaussians v;
  std::array<float, 3> v_background;
  tested->read_gradients(v, v_background);
  DensifyStatistics statistics;
  tested->read_statistics(statistics);
  for (uint32_t row : broken) {
    EXPECT_EQ(statistics.visible_count[row], 0u) << row;
    EXPECT_EQ(v.logit_opacities[row], 0.0f) << row;
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(v.means[3 * row + k], 0.0f) << row;
      EXPECT_EQ(v.log_scales[3 * row + k], 0.0f) << row;
    }
    for (size_t k = 0; k < 4; ++k) EXPECT_EQ(v.quats[4 * row + k], 0.0f) << row;
    for (size_t k = 0; k < 48; ++k) EXPECT_EQ(v.sh[48 * row + k], 0.0f) << row;
  }
  for (const auto* group : {&v.means, &v.log_scales, &v.quats, &v.logit_opacities, &v.sh})
    for (float value : *group) ASSERT_TRUE(std::isfinite(value));
}

TEST_P(BackendParity, OrderOfSplatsDoesNotMatter) {
  const Scene scene = make_scene({.seed = 80});
  Scene reversed = scene;
  const size_t n = scene.model.size();
  auto reverse = [&](std::vector<float>& values, size_t width) {
    std::vector<float> out;
    for (size_t i = n; i-- > 0;)
      out.insert(out.end(), values.begin() + std::ptrdiff_t(i * width),
                 values.begin() + std::ptrdiff_t((i + 1) * width));
    values = out;
  };
  reverse(reversed.model.means, 3);
  reverse(reversed.model.log_scales, 3);
  reverse(reversed.model.quats, 4);
  reverse(reversed.model.logit_opacities, 1);
  reverse(reversed.model.sh, 48);
  ImageF images[2];
  const Scene* const scenes[2] = {&scene, &reversed};
  for (int i = 0; i < 2; ++i) {
    const auto tested = make();
    tested->upload(scenes[i]->model);
    tested->forward(scenes[i]->view, scenes[i]->settings);
    tested->read_image(images[i]);
  }
  for (size_t i = 0; i < images[0].rgb.size(); ++i) ASSERT_NEAR(images[0].rgb[i], images[1].rgb[i], 1e-6) << i;
}

TEST_P(BackendParity, ReportsItself) {
  const auto tested = make();
  EXPECT_FALSE(tested->info().name.empty());
  EXPECT_FALSE(tested->info().device.empty());
  tested->upload(make_scene({.seed = 81}).model);
  EXPECT_GE(tested->memory_bytes(), 120u * 59 * sizeof(float)) << "the parameters; moments may come with training";
}

}  // namespace
}  // namespace splat::test
