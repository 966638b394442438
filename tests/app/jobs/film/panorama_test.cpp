// Six squares become a picture of all directions.
#include "app/jobs/film/panorama.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/math/equirectangular.h"

namespace app {
namespace {

// Something smooth of a direction in the camera's frame.
double shade(const splat::math::Vec3<double>& d) {
  return 0.5 + 0.2 * d.x + 0.15 * std::sin(3 * d.y) + 0.1 * d.z * d.x + 0.05 * std::cos(5 * d.z);
}

TEST(Panorama, ShowsEveryDirectionWhereItIs) {
  const Panorama shape{256, 128, face_side(256), 1, {}};
  std::array<splat::ImageF, 6> faces;
  for (int face = 0; face < 6; ++face) {
    const splat::View view = face_view({}, face, shape.side);
    const auto& r = view.cam_from_world.rotation;
    EXPECT_NEAR(
        r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]), 1,
        1e-12)
        << "a square must not be a mirror";
    for (int y = 0; y < shape.side; ++y)
      for (int x = 0; x < shape.side; ++x) {
        const double u = (x + 0.5 - double(view.camera.cx)) / double(view.camera.fx);
        const double v = (y + 0.5 - double(view.camera.cy)) / double(view.camera.fy),
                     length = std::sqrt(u * u + v * v + 1);
        faces[size_t(face)].rgb.push_back(
            float(shade({(r[0] * u + r[3] * v + r[6]) / length, (r[1] * u + r[4] * v + r[7]) / length,
                         (r[2] * u + r[5] * v + r[8]) / length})));
      }
  }
  std::vector<float> panorama;
  splat::ThreadPool pool(2);
  resample(shape, faces, panorama, pool);
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x)
      ASSERT_NEAR(double(panorama[size_t(y * shape.width + x)]),
                  shade(splat::math::ray_from_equirectangular((x + 0.5) / shape.width, (y + 0.5) / shape.height)), 1e-3)
          << x << " " << y;
}

// Where squares differ by all there is, black and white, a step from pixel to pixel is 2 of 255 at 3840 px; also where
// three of them meet.
TEST(Panorama, SquaresFadeIntoEachOther) {
  const Panorama shape{512, 256, face_side(512), 1, {}};
  const float most = 2.f / 255 * 3840 / 512;
  splat::ThreadPool pool(2);
  for (const unsigned white : {0b101010u, 0b1u, 0b10000u, 0b100000u}) {
    std::array<splat::ImageF, 6> faces;
    for (size_t face = 0; face < 6; ++face)
      faces[face].rgb.assign(size_t(shape.side) * size_t(shape.side), white >> face & 1 ? 1.0f : 0.0f);
    std::vector<float> panorama;
    resample(shape, faces, panorama, pool);
    for (size_t y = 0; y + 1 < 256; ++y)
      for (size_t x = 0; x < 512; ++x) {
        const float* at = panorama.data() + y * 512;
        EXPECT_LE(std::abs(at[(x + 1) % 512] - at[x]), most) << white << ": " << x << " " << y;
        EXPECT_LE(std::abs(at[x + 512] - at[x]), most) << white << ": " << x << " " << y;
      }
    EXPECT_EQ(*std::min_element(panorama.begin(), panorama.end()), 0);
    EXPECT_EQ(*std::max_element(panorama.begin(), panorama.end()), 1);
  }
}

}  // namespace
}  // namespace app
