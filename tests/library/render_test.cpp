#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/library/some_splats.h"
#include "tests/support/temp_folder.h"

namespace {

using hs_test::Device;
using hs_test::open_device;

constexpr int kWidth = 40, kHeight = 30;
constexpr size_t kPixels = size_t(kWidth) * kHeight;

struct Pictures {
  std::vector<float> rgb, alpha, depth;
};

Pictures draw(const Device& device, const hs_splats& splats, const std::vector<hs_camera>& cameras,
              const hs_render_settings& settings) {
  const size_t pixels = cameras.size() * kPixels;
  Pictures drawn{std::vector<float>(3 * pixels), std::vector<float>(pixels), std::vector<float>(pixels)};
  EXPECT_EQ(hs_render(device.get(), &splats, cameras.data(), int32_t(cameras.size()), &settings, drawn.rgb.data(),
                      drawn.alpha.data(), drawn.depth.data()),
            HS_OK)
      << hs_error();
  return drawn;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(double(a[i]) - double(b[i])));
  return largest;
}

TEST(LibraryRender, TheProcessorDrawsWhatTheReferenceDraws) {
  const hs_test::Arrays arrays = hs_test::some_splats(60, 2);
  const hs_splats splats = arrays.splats();
  hs_render_settings settings = hs_test::settings(kWidth, kHeight);
  settings.background[2] = 0.5f;
  std::vector<hs_camera> cameras(2, hs_test::camera(kWidth, kHeight));
  cameras[1].cam_from_world[3] = 0.3;
  const Pictures cpu = draw(open_device("cpu", 2), splats, cameras, settings);
  const Pictures reference = draw(open_device("reference"), splats, cameras, settings);
  EXPECT_LT(largest_difference(cpu.rgb, reference.rgb), 1e-4);
  EXPECT_LT(largest_difference(cpu.alpha, reference.alpha), 1e-4);
  EXPECT_LT(largest_difference(cpu.depth, reference.depth), 1e-2);
  const auto half = std::vector<float>(cpu.rgb.begin() + 3 * kPixels, cpu.rgb.end());
  EXPECT_GT(largest_difference(half, std::vector<float>(cpu.rgb.begin(), cpu.rgb.begin() + 3 * kPixels)), 0.05)
      << "both cameras have the same picture";
}

// A wide red splat before blue ground fills the left half of the picture.
TEST(LibraryRender, PixelsAreRowsFromTheTopLeftInRgb) {
  hs_test::Arrays arrays;
  arrays.means = {-4, 0, 2};
  arrays.quats = {1, 0, 0, 0};
  arrays.log_scales = {0.5f, 4, 0};
  arrays.logit_opacities = {8};
  arrays.sh = {1.5f, -1.5f, -1.5f};
  hs_render_settings settings = hs_test::settings(kWidth, kHeight);
  settings.background[2] = 1;
  const Pictures drawn = draw(open_device(), arrays.splats(), {hs_test::camera(kWidth, kHeight)}, settings);
  const auto pixel = [&](int x, int y, size_t channel) {
    return drawn.rgb[3 * (size_t(y) * kWidth + size_t(x)) + channel];
  };
  EXPECT_GT(pixel(0, 15, 0), pixel(kWidth - 1, 15, 0) + 0.05f);
  EXPECT_NEAR(pixel(kWidth - 1, 0, 2), 1, 0.02);
  EXPECT_GT(drawn.alpha[size_t(15) * kWidth], 0.05f);
}

TEST(LibraryRender, SettingsChangeThePicture) {
  const hs_test::Arrays arrays = hs_test::some_splats(60, 3);
  hs_splats splats = arrays.splats();
  const std::vector<hs_camera> cameras{hs_test::camera(kWidth, kHeight)};
  const Device device = open_device();
  hs_render_settings settings = hs_test::settings(kWidth, kHeight);
  const Pictures plain = draw(device, splats, cameras, settings);
  settings.max_sh_degree = 0;
  EXPECT_GT(largest_difference(plain.rgb, draw(device, splats, cameras, settings).rgb), 0.05);
  settings = hs_test::settings(kWidth, kHeight);
  settings.antialias = 1;
  const Pictures compensated = draw(device, splats, cameras, settings);
  EXPECT_GT(largest_difference(plain.rgb, compensated.rgb), 1e-3);
  settings.antialias = -1;
  splats.antialiased = 1;
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, compensated.rgb);
  settings.low_pass = 0.1f;
  const Pictures sharper = draw(device, splats, cameras, settings);
  EXPECT_GT(largest_difference(sharper.rgb, compensated.rgb), 1e-3);
  EXPECT_LT(largest_difference(sharper.rgb, draw(open_device("reference"), splats, cameras, settings).rgb), 1e-4);
  settings.low_pass = 0;
  const Pictures sharpest = draw(device, splats, cameras, settings);
  settings.low_pass = -1;  // as the splats say
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, compensated.rgb) << "the usual one";
  splats.low_pass = 0.1;
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, sharper.rgb);
  splats.low_pass = -1;
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, sharpest.rgb);
}

TEST(LibraryRender, ArraysOfNoIdentityAreReadEveryTime) {
  hs_test::Arrays arrays = hs_test::some_splats(20, 0);
  const std::vector<hs_camera> cameras{hs_test::camera(kWidth, kHeight)};
  const Device device = open_device();
  const hs_render_settings settings = hs_test::settings(kWidth, kHeight);
  hs_splats splats = arrays.splats();
  const Pictures before = draw(device, splats, cameras, settings);
  for (float& value : arrays.sh) value = -value;
  EXPECT_GT(largest_difference(before.rgb, draw(device, splats, cameras, settings).rgb), 0.05);
  splats.identity = 5;  // a promise, which is broken here to see that it is believed
  const Pictures promised = draw(device, splats, cameras, settings);
  for (float& value : arrays.sh) value = -value;
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, promised.rgb);
  splats.identity = 6;
  EXPECT_EQ(draw(device, splats, cameras, settings).rgb, before.rgb);
}

TEST(LibraryRender, FilesHaveIdentitiesOfTheirOwn) {
  const splat::test::TempFolder folder;
  const auto path = folder.path() / "a.ply";
  const hs_test::Arrays arrays = hs_test::some_splats(20, 0);
  const hs_splats given = arrays.splats();
  ASSERT_EQ(hs_save(path.c_str(), &given, nullptr, nullptr), HS_OK);
  std::vector<uint64_t> identities;
  for (int i = 0; i < 2; ++i) {
    hs_file* loaded = nullptr;
    ASSERT_EQ(hs_load(path.c_str(), &loaded), HS_OK);
    const hs_test::File file(loaded);
    hs_splats splats{};
    splats.struct_size = sizeof splats;
    ASSERT_EQ(hs_file_splats(loaded, &splats), HS_OK);
    identities.push_back(splats.identity);
  }
  EXPECT_NE(identities[0], 0u);
  EXPECT_NE(identities[0], identities[1]);
}

TEST(LibraryRender, NothingIsDrawnOfNothing) {
  const hs_test::Arrays arrays;
  hs_splats splats = arrays.splats();
  splats.means = splats.quats = splats.log_scales = splats.logit_opacities = splats.sh = nullptr;
  const Pictures drawn =
      draw(open_device(), splats, {hs_test::camera(kWidth, kHeight)}, hs_test::settings(kWidth, kHeight));
  EXPECT_EQ(drawn.rgb, std::vector<float>(3 * kPixels, 0.0f));
  EXPECT_EQ(drawn.alpha, std::vector<float>(kPixels, 0.0f));
}

}  // namespace
