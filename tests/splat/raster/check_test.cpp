// What a call must be, before it is carried out.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "splat/raster/raster.h"

namespace splat::raster {
namespace {

Call<float> good_call(const float* values, const Camera& camera) {
  Call<float> call;
  call.scene = {1, values, values, values, nullptr, values, values, 16, 3, nullptr, false, 3};
  call.cameras = {&camera, 1};
  call.settings.width = call.settings.height = 32;
  return call;
}

TEST(RasterCheck, TakesWhatIsWhole) {
  const float values[48] = {};
  const Camera camera;
  EXPECT_TRUE(check(good_call(values, camera)).ok());
  Call<float> empty;
  empty.settings.width = empty.settings.height = 1;
  EXPECT_TRUE(check(empty).ok());
  Call<float> covariances = good_call(values, camera);
  covariances.scene.quats = covariances.scene.scales = nullptr, covariances.scene.covariances = values;
  EXPECT_TRUE(check(covariances).ok());
  Call<float> depth_alone = good_call(values, camera);
  depth_alone.scene.sh = nullptr, depth_alone.scene.channels = 0;
  EXPECT_TRUE(check(depth_alone).ok());
}

TEST(RasterCheck, NamesTheFieldThatIsWrong) {
  const float values[48] = {};
  float room = 0;
  const Camera camera;
  Camera flat;
  flat.fx = 0;
  const struct {
    const char* named;
    std::function<void(Call<float>&)> spoil;
  } cases[] = {
      {"width", [](auto& c) { c.settings.width = 0; }},
      {"width", [](auto& c) { c.settings.height = 1 << 20; }},
      {"low_pass", [](auto& c) { c.settings.low_pass = -0.1; }},
      {"near_plane", [](auto& c) { c.settings.near_plane = 0; }},
      {"far_plane", [](auto& c) { c.settings.far_plane = 0.001; }},
      {"scale_modifier", [](auto& c) { c.settings.scale_modifier = -1; }},
      {"alpha_max", [](auto& c) { c.settings.alpha_max = 1; }},
      {"transmittance_stop", [](auto& c) { c.settings.transmittance_stop = 0; }},
      {"channels", [](auto& c) { c.scene.channels = 33; }},
      {"channels", [](auto& c) { c.scene.channels = 4; }},
      {"colours", [&](auto& c) { c.scene.colours = values; }},
      {"colours", [](auto& c) { c.scene.sh = nullptr; }},
      {"sh_degree", [](auto& c) { c.scene.sh_degree = 4, c.scene.sh_coefficients = 25; }},
      {"sh_coefficients", [](auto& c) { c.scene.sh_coefficients = 15; }},
      {"sh_coefficients", [](auto& c) { c.scene.sh_coefficients = 25; }},
      {"means", [](auto& c) { c.scene.means = nullptr; }},
      {"covariances", [&](auto& c) { c.scene.covariances = values; }},
      {"quats", [](auto& c) { c.scene.quats = nullptr; }},
      {"depth", [&](auto& c) { c.pictures.depth = &room; }},
      {"fx",
       [&](auto& c) {
         c.cameras = {&flat, 1};
       }},
  };
  for (const auto& at : cases) {
    Call<float> call = good_call(values, camera);
    at.spoil(call);
    const Status status = check(call);
    ASSERT_FALSE(status.ok()) << at.named;
    EXPECT_NE(status.error().message.find(at.named), std::string::npos) << status.error().message;
  }
}

}  // namespace
}  // namespace splat::raster
