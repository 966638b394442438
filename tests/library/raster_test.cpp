#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

constexpr int kColumns = 40, kRows = 30;
constexpr size_t kOfPicture = size_t(kColumns) * kRows;

struct Freed {
  void operator()(hs_drawn* drawn) const { hs_drawn_free(drawn); }
};
using Drawn = std::unique_ptr<hs_drawn, Freed>;

// The splats of some_splats() as a training loop has them.
template <class T>
struct Scene {
  std::vector<T> means, quats, scales, opacities, sh;
  int coefficients = 1;

  explicit Scene(const hs_test::Arrays& arrays)
      : means(arrays.means.begin(), arrays.means.end()),
        quats(arrays.quats.begin(), arrays.quats.end()),
        sh(arrays.sh.begin(), arrays.sh.end()),
        coefficients((arrays.degree + 1) * (arrays.degree + 1)) {
    for (const float value : arrays.log_scales) scales.push_back(std::exp(T(value)));
    for (const float value : arrays.logit_opacities) opacities.push_back(1 / (1 + std::exp(-T(value))));
  }
  hs_scene scene() const {
    hs_scene given{};
    given.struct_size = sizeof given;
    given.count = opacities.size();
    given.type = sizeof(T) == 8 ? HS_FLOAT64 : HS_FLOAT32;
    given.channels = 3;
    given.sh_coefficients = coefficients;
    given.sh_degree = coefficients == 4 ? 1 : 0;
    given.means = means.data();
    given.quats = quats.data();
    given.scales = scales.data();
    given.opacities = opacities.data();
    given.sh = sh.data();
    return given;
  }
};

hs_raster_settings raster_settings() {
  hs_raster_settings settings;
  hs_raster_defaults(&settings);
  settings.width = kColumns;
  settings.height = kRows;
  return settings;
}

template <class T>
hs_status rasterise(hs_device* device, const Scene<T>& of, std::vector<T>& rgb, Drawn* kept = nullptr) {
  const hs_scene scene = of.scene();
  const hs_camera camera = hs_test::camera(kColumns, kRows);
  const hs_raster_settings settings = raster_settings();
  rgb.resize(3 * kOfPicture);
  hs_pictures pictures{};
  pictures.struct_size = sizeof pictures;
  pictures.colour = rgb.data();
  hs_drawn* drawn = nullptr;
  const hs_status status =
      hs_rasterize(device, &scene, &camera, 1, nullptr, &settings, &pictures, nullptr, kept ? &drawn : nullptr);
  if (kept) kept->reset(drawn);
  return status;
}

TEST(LibraryRaster, DrawsWhatRenderDraws) {
  const hs_test::Arrays arrays = hs_test::some_splats(60, 1);
  const hs_splats splats = arrays.splats();
  const hs_camera camera = hs_test::camera(kColumns, kRows);
  const hs_render_settings settings = hs_test::settings(kColumns, kRows);
  std::vector<float> expected(3 * kOfPicture);
  const hs_test::Device device = hs_test::open_device("cpu", 2);
  ASSERT_EQ(hs_render(device.get(), &splats, &camera, 1, &settings, expected.data(), nullptr, nullptr), HS_OK);
  EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 0.2f);
  const hs_test::Device reference = hs_test::open_device("reference");
  for (hs_device* drawing : {device.get(), reference.get()}) {
    std::vector<float> rgb;
    ASSERT_EQ(rasterise(drawing, Scene<float>(arrays), rgb), HS_OK) << hs_error();
    for (size_t i = 0; i < rgb.size(); ++i) ASSERT_NEAR(rgb[i], expected[i], 1e-4) << i;
  }
  std::vector<double> doubles;
  ASSERT_EQ(rasterise(device.get(), Scene<double>(arrays), doubles), HS_OK) << hs_error();
  for (size_t i = 0; i < doubles.size(); ++i) ASSERT_NEAR(doubles[i], expected[i], 1e-4) << i;
}

// The loss is the sum of all channels, weighted by place.
double loss_of(const std::vector<double>& rgb) {
  double sum = 0;
  for (size_t i = 0; i < rgb.size(); ++i) sum += rgb[i] * std::sin(double(i));
  return sum;
}

TEST(LibraryRaster, GradientsAgreeWithCentralDifferences) {
  const hs_test::Device device = hs_test::open_device();
  Scene<double> scene(hs_test::some_splats(6, 1));
  std::vector<double> rgb, v_rgb(3 * kOfPicture);
  Drawn drawn;
  ASSERT_EQ(rasterise(device.get(), scene, rgb, &drawn), HS_OK) << hs_error();
  ASSERT_NE(drawn, nullptr);
  for (size_t i = 0; i < v_rgb.size(); ++i) v_rgb[i] = std::sin(double(i));
  const hs_picture_gradients by_pictures{sizeof by_pictures, v_rgb.data(), nullptr, nullptr};
  ASSERT_EQ(hs_rasterize_backward_pictures(drawn.get(), &by_pictures, nullptr), HS_OK) << hs_error();
  std::vector<double> v_means(18), v_scales(18), v_opacities(6);
  hs_scene_gradients gradients{};
  gradients.struct_size = sizeof gradients;
  gradients.means = v_means.data();
  gradients.scales = v_scales.data();
  gradients.opacities = v_opacities.data();
  ASSERT_EQ(hs_rasterize_backward_scene(drawn.get(), nullptr, &gradients), HS_OK) << hs_error();

  const auto difference = [&](double& parameter) {
    const double before = parameter, step = 1e-6;
    parameter = before + step;
    EXPECT_EQ(rasterise(device.get(), scene, rgb), HS_OK);
    const double above = loss_of(rgb);
    parameter = before - step;
    EXPECT_EQ(rasterise(device.get(), scene, rgb), HS_OK);
    parameter = before;
    return (above - loss_of(rgb)) / (2 * step);
  };
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(v_opacities[i], difference(scene.opacities[i]), 1e-3 * (1 + std::abs(v_opacities[i]))) << i;
    EXPECT_NEAR(v_means[3 * i], difference(scene.means[3 * i]), 1e-3 * (1 + std::abs(v_means[3 * i]))) << i;
    EXPECT_NEAR(v_scales[3 * i], difference(scene.scales[3 * i]), 1e-3 * (1 + std::abs(v_scales[3 * i]))) << i;
  }
}

TEST(LibraryRaster, TheProcessorsGradientsAreTheReferences) {
  const hs_test::Arrays arrays = hs_test::some_splats(40, 1);
  const Scene<float> scene(arrays);
  std::vector<float> v_rgb(3 * kOfPicture);
  for (size_t i = 0; i < v_rgb.size(); ++i) v_rgb[i] = std::sin(float(i));
  std::vector<std::vector<float>> found;
  for (const char* backend : {"cpu", "reference"}) {
    const hs_test::Device device = hs_test::open_device(backend);
    std::vector<float> rgb, v_sh(scene.sh.size());
    Drawn drawn;
    ASSERT_EQ(rasterise(device.get(), scene, rgb, &drawn), HS_OK) << hs_error();
    const hs_picture_gradients by_pictures{sizeof by_pictures, v_rgb.data(), nullptr, nullptr};
    std::vector<float> v_means2d(80);
    const hs_screen_gradients screen{sizeof screen, v_means2d.data(), nullptr};
    ASSERT_EQ(hs_rasterize_backward_pictures(drawn.get(), &by_pictures, &screen), HS_OK) << hs_error();
    hs_scene_gradients gradients{};
    gradients.struct_size = sizeof gradients;
    gradients.sh = v_sh.data();
    ASSERT_EQ(hs_rasterize_backward_scene(drawn.get(), nullptr, &gradients), HS_OK) << hs_error();
    v_sh.insert(v_sh.end(), v_means2d.begin(), v_means2d.end());
    found.push_back(v_sh);
  }
  const float largest = *std::max_element(found[1].begin(), found[1].end());
  EXPECT_GT(largest, 0.1f);
  for (size_t i = 0; i < found[0].size(); ++i) EXPECT_NEAR(found[0][i], found[1][i], 1e-3 * (1 + largest)) << i;
}

TEST(LibraryRaster, TheHalvesOfTheBackwardPassComeInTurnAndOnce) {
  const hs_test::Device device = hs_test::open_device();
  const Scene<float> scene(hs_test::some_splats(6, 1));
  std::vector<float> rgb;
  Drawn drawn;
  ASSERT_EQ(rasterise(device.get(), scene, rgb, &drawn), HS_OK) << hs_error();
  const hs_picture_gradients none{sizeof none, nullptr, nullptr, nullptr};
  hs_scene_gradients gradients{};
  gradients.struct_size = sizeof gradients;
  EXPECT_EQ(hs_rasterize_backward_scene(drawn.get(), nullptr, &gradients), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize_backward_pictures(drawn.get(), nullptr, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize_backward_pictures(drawn.get(), &none, nullptr), HS_OK) << hs_error();
  EXPECT_EQ(hs_rasterize_backward_pictures(drawn.get(), &none, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize_backward_scene(drawn.get(), nullptr, &gradients), HS_OK) << hs_error();
  EXPECT_EQ(hs_rasterize_backward_scene(drawn.get(), nullptr, &gradients), HS_ERROR_ARGUMENT);
  EXPECT_NE(std::string(hs_error()).find("once each"), std::string::npos) << hs_error();
  EXPECT_EQ(hs_rasterize_backward_pictures(nullptr, &none, nullptr), HS_ERROR_ARGUMENT);
  hs_drawn_free(nullptr);
}

TEST(LibraryRaster, WrongInputsAreRefused) {
  const hs_test::Device device = hs_test::open_device();
  const Scene<float> of(hs_test::some_splats(6, 1));
  const hs_scene right = of.scene();
  std::vector<float> rgb(3 * kOfPicture);
  hs_pictures pictures{};
  pictures.struct_size = sizeof pictures;
  pictures.colour = rgb.data();
  const auto refused = [&](const char* words, auto change) {
    hs_scene scene = right;
    hs_raster_settings settings = raster_settings();
    hs_camera camera = hs_test::camera(kColumns, kRows);
    change(scene, settings, camera);
    hs_drawn* drawn = nullptr;
    EXPECT_EQ(hs_rasterize(device.get(), &scene, &camera, 1, nullptr, &settings, &pictures, nullptr, &drawn),
              HS_ERROR_ARGUMENT)
        << words;
    EXPECT_NE(std::string(hs_error()).find(words), std::string::npos) << "'" << hs_error() << "' lacks " << words;
    EXPECT_EQ(drawn, nullptr);
  };
  using S = hs_raster_settings;
  refused("struct_size of scene", [](hs_scene& scene, S&, hs_camera&) { scene.struct_size = 4; });
  refused("type is 2", [](hs_scene& scene, S&, hs_camera&) { scene.type = 2; });
  refused("splats", [](hs_scene& scene, S&, hs_camera&) { scene.count = UINT64_MAX; });
  refused("means", [](hs_scene& scene, S&, hs_camera&) { scene.means = nullptr; });
  refused("covariances", [](hs_scene& scene, S&, hs_camera&) { scene.covariances = scene.means; });
  refused("colours", [](hs_scene& scene, S&, hs_camera&) { scene.colours = scene.means; });
  refused("sh_degree", [](hs_scene& scene, S&, hs_camera&) { scene.sh_degree = 9; });
  refused("sh_coefficients", [](hs_scene& scene, S&, hs_camera&) { scene.sh_coefficients = 3; });
  refused("channels", [](hs_scene& scene, S&, hs_camera&) { scene.channels = 33; });
  refused("colours_by_camera is 2", [](hs_scene& scene, S&, hs_camera&) { scene.colours_by_camera = 2; });
  refused("struct_size of settings", [](hs_scene&, S& s, hs_camera&) { s.struct_size = 0; });
  refused("width and height", [](hs_scene&, S& s, hs_camera&) { s.width = 0; });
  refused("width and height", [](hs_scene&, S& s, hs_camera&) { s.height = INT32_MAX; });
  refused("not finite", [](hs_scene&, S& s, hs_camera&) { s.low_pass = double(NAN); });
  refused("low_pass", [](hs_scene&, S& s, hs_camera&) { s.low_pass = -1; });
  refused("alpha_max", [](hs_scene&, S& s, hs_camera&) { s.alpha_max = 1; });
  refused("compensation is 4", [](hs_scene&, S& s, hs_camera&) { s.compensation = 4; });
  refused("depth is -1", [](hs_scene&, S& s, hs_camera&) { s.depth = -1; });
  refused("jacobian_clamp is 2", [](hs_scene&, S& s, hs_camera&) { s.jacobian_clamp = 2; });
  refused("footprint is 2", [](hs_scene&, S& s, hs_camera&) { s.footprint = 2; });
  refused("raw_quats is 7", [](hs_scene&, S& s, hs_camera&) { s.raw_quats = 7; });
  refused("channels_first is 2", [](hs_scene&, S& s, hs_camera&) { s.channels_first = 2; });
  refused("clamp_sh is -1", [](hs_scene&, S& s, hs_camera&) { s.clamp_sh = -1; });
  refused("fx and fy", [](hs_scene&, S&, hs_camera& camera) { camera.fx = 0; });
  refused("camera 0 has a number",
          [](hs_scene&, S&, hs_camera& camera) { camera.cam_from_world[0] = double(INFINITY); });
  const hs_camera camera = hs_test::camera(kColumns, kRows);
  const hs_raster_settings settings = raster_settings();
  for (const int cameras : {0, -1, 1 << 20})
    EXPECT_EQ(hs_rasterize(device.get(), &right, &camera, cameras, nullptr, &settings, &pictures, nullptr, nullptr),
              HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize(nullptr, &right, &camera, 1, nullptr, &settings, &pictures, nullptr, nullptr),
            HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize(device.get(), &right, &camera, 1, nullptr, &settings, nullptr, nullptr, nullptr),
            HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_rasterize(device.get(), &right, &camera, 1, nullptr, &settings, &pictures, nullptr, nullptr), HS_OK)
      << hs_error();
}

}  // namespace
