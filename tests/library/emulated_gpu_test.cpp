// The library on a GPU, emulated: its plugin takes the host's memory for the device's, so that pointers go all the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

constexpr int kColumns = 40, kRows = 30;
constexpr size_t kSplats = 60, kPixels = size_t(kColumns) * kRows;

struct Result {
  std::vector<float> rgb = std::vector<float>(3 * kPixels), v_means = std::vector<float>(3 * kSplats),
                     v_opacities = std::vector<float>(kSplats), v_sh = std::vector<float>(12 * kSplats),
                     v_means2d = std::vector<float>(2 * kSplats);
};

class LibraryOnAGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("HIPSPLAT_PLUGINS", HIPSPLAT_TEST_PLUGINS "/working", 1); }
  static void TearDownTestSuite() { unsetenv("HIPSPLAT_PLUGINS"); }

  LibraryOnAGpu() {
    for (const float value : arrays_.log_scales) scales_.push_back(std::exp(value));
    for (const float value : arrays_.logit_opacities) opacities_.push_back(1 / (1 + std::exp(-value)));
  }
  hs_scene scene() const {
    hs_scene scene{};
    scene.struct_size = sizeof scene;
    scene.count = kSplats;
    scene.channels = 3;
    scene.sh_coefficients = 4;
    scene.sh_degree = 1;
    scene.means = arrays_.means.data();
    scene.quats = arrays_.quats.data();
    scene.scales = scales_.data();
    scene.opacities = opacities_.data();
    scene.sh = arrays_.sh.data();
    return scene;
  }
  hs_status draw(hs_device* device, hs_scene scene, Result& result) {
    hs_raster_settings settings;
    hs_raster_defaults(&settings);
    settings.width = kColumns, settings.height = kRows;
    hs_pictures pictures{};
    pictures.struct_size = sizeof pictures;
    pictures.colour = result.rgb.data();
    const hs_camera camera = hs_test::camera(kColumns, kRows);
    hs_drawn* drawn = nullptr;
    hs_status status = hs_rasterize(device, &scene, &camera, 1, nullptr, &settings, &pictures, nullptr, &drawn);
    std::vector<float> v_rgb(3 * kPixels);
    for (size_t i = 0; i < v_rgb.size(); ++i) v_rgb[i] = std::sin(float(i));
    hs_picture_gradients in{};
    in.struct_size = sizeof in, in.colour = v_rgb.data();
    hs_screen_gradients screen{};
    screen.struct_size = sizeof screen, screen.means2d = result.v_means2d.data();
    hs_scene_gradients out{};
    out.struct_size = sizeof out, out.means = result.v_means.data();
    out.opacities = result.v_opacities.data(), out.sh = result.v_sh.data();
    if (status == HS_OK) status = hs_rasterize_backward_pictures(drawn, &in, &screen);
    if (status == HS_OK) status = hs_rasterize_backward_scene(drawn, nullptr, &out);
    hs_drawn_free(drawn);
    return status;
  }

  const hs_test::Arrays arrays_ = hs_test::some_splats(kSplats, 1);
  std::vector<float> scales_, opacities_;
};

void expect_close(const std::vector<float>& a, const std::vector<float>& b, const char* what) {
  double most = 0;
  for (const float value : b) most = std::max(most, std::abs(double(value)));
  EXPECT_GT(most, 0) << what;
  for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4 * most) << what << " " << i;
}

TEST_F(LibraryOnAGpu, DrawsAndDifferentiatesAsTheProcessor) {
  const hs_test::Device gpu = hs_test::open_device("hip"), cpu = hs_test::open_device("cpu", 2);
  ASSERT_NE(gpu, nullptr) << hs_error();
  Result by_gpu, by_cpu;
  ASSERT_EQ(draw(gpu.get(), scene(), by_gpu), HS_OK) << hs_error();
  ASSERT_EQ(draw(cpu.get(), scene(), by_cpu), HS_OK) << hs_error();
  expect_close(by_gpu.rgb, by_cpu.rgb, "rgb");
  expect_close(by_gpu.v_means2d, by_cpu.v_means2d, "means2d");
  expect_close(by_gpu.v_means, by_cpu.v_means, "means");
  expect_close(by_gpu.v_opacities, by_cpu.v_opacities, "opacities");
  expect_close(by_gpu.v_sh, by_cpu.v_sh, "sh");
}

TEST_F(LibraryOnAGpu, DoublesAreForTheHost) {
  const hs_test::Device gpu = hs_test::open_device("hip");
  ASSERT_NE(gpu, nullptr) << hs_error();
  hs_scene doubles = scene();
  doubles.type = HS_FLOAT64;
  Result result;
  EXPECT_EQ(draw(gpu.get(), doubles, result), HS_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(hs_error()).find("HS_FLOAT64 is for the host"), std::string::npos) << hs_error();
}

// In a process of its own: a plugin is loaded once, and a device is what it is then.
TEST_F(LibraryOnAGpu, AFailedCheckOfThePluginIsAnInternalError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto open = [] {
    setenv("HIPSPLAT_EMULATOR", "wave=16", 1);
    hs_device_options options{};
    options.struct_size = sizeof options, options.backend = "hip";
    hs_device* device = nullptr;
    const hs_status status = hs_device_open(&options, &device);
    std::fprintf(stderr, "%s\n", hs_error());
    std::exit(status);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(HS_ERROR_INTERNAL), "gpu_backend.cpp:[0-9]+: .*wave_size == 32");
}

}  // namespace
