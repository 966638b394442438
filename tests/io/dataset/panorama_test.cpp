// How a panorama is cut into its faces.
#include "io/dataset/panorama.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/io/dataset/panorama_sky.h"
#include "tests/support/pictures.h"

namespace {

using io::panorama_faces, io::PanoramaFace;
using splat::Image8, splat::PinholeCamera, splat::TrainingImage;
using splat::test::face_ray, splat::test::flat_picture, splat::test::kPi, splat::test::panorama;
using splat::test::panorama_ray, splat::test::psnr_of, splat::test::Ray, splat::test::sky;

TEST(Panorama, FacesAreRotationsThatTileAllDirections) {
  ASSERT_EQ(panorama_faces().size(), 6u);
  for (const PanoramaFace& face : panorama_faces()) {
    const auto& r = face.face_from_photo;
    const Ray x{r[0], r[1], r[2]}, y{r[3], r[4], r[5]}, z{r[6], r[7], r[8]};
    const Ray cross{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    EXPECT_EQ(cross, z) << face.name;  // right-handed, of unit vectors
  }
  for (int j = 0; j < 90; ++j)
    for (int i = 0; i < 180; ++i) {
      const Ray ray = panorama_ray((i + 0.3) / 180, (j + 0.4) / 90);
      int seen_by = 0;
      for (const PanoramaFace& face : panorama_faces()) {
        const auto& r = face.face_from_photo;
        Ray p{};
        for (size_t k = 0; k < 3; ++k)
          for (size_t c = 0; c < 3; ++c) p[k] += r[3 * k + c] * ray[c];
        seen_by += p[2] > 0 && std::abs(p[0]) <= p[2] && std::abs(p[1]) <= p[2];
      }
      EXPECT_EQ(seen_by, 1);
    }
}

TEST(Panorama, NamesTellTheFace) {
  const PanoramaFace& front = panorama_faces()[0];
  EXPECT_EQ(io::face_name("a.jpg", front), "a.front.jpg");
  EXPECT_EQ(io::face_name("tour.2/12.png", front), "tour.2/12.front.png");
  EXPECT_EQ(io::face_name("tour.2/12", front), "tour.2/12.front");
  EXPECT_EQ(io::face_name(".hidden", front), ".hidden.front");
}

TEST(Panorama, FacesShowWhatAPinholeSees) {
  const Image8 photo = panorama(1024, 512, sky);
  for (const int side : {io::panorama_face_side(1024), 160, 81, 700}) {
    const PinholeCamera camera = io::panorama_face_camera(side);
    for (const PanoramaFace& face : panorama_faces()) {
      const TrainingImage image = io::cut_panorama_face({photo, {}, {}}, face, camera);
      ASSERT_EQ(image.width, side);
      ASSERT_EQ(image.rgb.size(), size_t(3 * side * side));
      EXPECT_TRUE(image.mask.empty());
      double squared = 0, largest = 0;
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          for (size_t c = 0; c < 3; ++c) {
            const double expected = sky(face_ray(face, camera, x + 0.5, y + 0.5), c);
            const double difference = image.rgb[(c * size_t(side) + size_t(y)) * size_t(side) + size_t(x)] - expected;
            squared += difference * difference;
            largest = std::max(largest, std::abs(difference));
          }
      EXPECT_GT(psnr_of(squared, image.rgb.size()), 52) << face.name << " " << side;
      EXPECT_LT(largest, 2) << face.name << " " << side;
    }
  }
}

// Along every edge of the cube, both faces give the same colours: none has its border cut or repeated.
TEST(Panorama, AdjacentFacesAgreeOnTheirEdge) {
  const int side = 326;
  const PinholeCamera camera = io::panorama_face_camera(side);
  const Image8 photo = panorama(1024, 512, sky);
  std::map<std::array<long, 3>, std::vector<double>> seen;  // by direction: the colour on the edge, of every face
  for (const PanoramaFace& face : panorama_faces()) {
    const TrainingImage image = io::cut_panorama_face({photo, {}, {}}, face, camera);
    const auto value = [&](int x, int y) { return double(image.rgb[size_t(y) * size_t(side) + size_t(x)]); };
    for (int i = 1; i < side; ++i)  // corners of pixels, but for those of the cube
      for (const int edge : {0, 1, 2, 3}) {
        const bool across = edge < 2;  // the edge is a column
        const int outer = edge % 2 == 0 ? 0 : side - 1, inner = edge % 2 == 0 ? 1 : side - 2;
        const auto at = [&](int line, int k) { return across ? value(line, k) : value(k, line); };
        const double on_edge = 0.75 * (at(outer, i - 1) + at(outer, i)) - 0.25 * (at(inner, i - 1) + at(inner, i));
        const double place = edge % 2 == 0 ? 0 : side;
        const Ray ray = across ? face_ray(face, camera, place, i) : face_ray(face, camera, i, place);
        seen[{std::lround(1e6 * ray[0]), std::lround(1e6 * ray[1]), std::lround(1e6 * ray[2])}].push_back(on_edge);
      }
  }
  EXPECT_EQ(seen.size(), size_t(12 * (side - 1)));
  for (const auto& [ray, colours] : seen) {
    ASSERT_EQ(colours.size(), 2u);
    EXPECT_NEAR(colours[0], colours[1], 2.5);
  }
}

TEST(Panorama, FineDetailBecomesItsMean) {
  // Columns in turn black and white: at a pole a pixel sees hundreds of them, and a small face several anywhere.
  Image8 photo{1024, 512, 1, std::vector<uint8_t>(1024 * 512)};
  for (size_t i = 0; i < photo.pixels.size(); ++i) photo.pixels[i] = i % 2 ? 255 : 0;
  const TrainingImage down = io::cut_panorama_face({photo, {}, {}}, panorama_faces()[5], io::panorama_face_camera(325));
  for (int y = 152; y < 173; ++y)
    for (int x = 152; x < 173; ++x) EXPECT_NEAR(down.rgb[size_t(y * 325 + x)], 127.5, 13) << x << " " << y;
  for (const PanoramaFace& face : panorama_faces()) {
    const TrainingImage small = io::cut_panorama_face({photo, {}, {}}, face, io::panorama_face_camera(20));
    for (const uint8_t value : small.rgb) EXPECT_NEAR(value, 127.5, 22) << face.name;
  }
}

TEST(Panorama, FlatPicturesStayFlatToTheLastPixel) {
  for (const uint8_t value : {0, 1, 77, 254, 255})
    for (const int side : {1, 2, 33, 64})
      for (const PanoramaFace& face : panorama_faces()) {
        const TrainingImage image =
            io::cut_panorama_face({flat_picture(100, 51, 3, value), {}, {}}, face, io::panorama_face_camera(side));
        EXPECT_EQ(std::count(image.rgb.begin(), image.rgb.end(), value), long(image.rgb.size())) << face.name << side;
      }
}

TEST(Panorama, MasksAreCutLikeThePicture) {
  const Image8 photo = panorama(512, 256, sky);
  std::vector<uint8_t> keep(512 * 256, 255);
  for (size_t i = 512 * 200; i < keep.size(); ++i) keep[i] = 0;  // what lies more than 50.6 degrees below: the tripod
  const PinholeCamera camera = io::panorama_face_camera(163);
  for (const PanoramaFace& face : panorama_faces()) {
    const TrainingImage image = io::cut_panorama_face({photo, keep, {}}, face, camera);
    const bool touched = face.name == "down";  // of the others, only corners look down that far: 35 degrees
    ASSERT_EQ(image.mask.empty(), !touched) << face.name;
    for (int y = 0; touched && y < 163; ++y)
      for (int x = 0; x < 163; ++x) {
        const Ray ray = face_ray(face, camera, x + 0.5, y + 0.5);
        const double row = 256 * (0.5 + std::atan2(ray[1], std::hypot(ray[0], ray[2])) / kPi);
        if (std::abs(row - 200) > 0.8) {
          EXPECT_EQ(image.mask[size_t(y * 163 + x)], row < 200 ? 255 : 0) << row;
        }
      }
  }
}

// A channel of the picture and alpha that are the same stay the same.
TEST(Panorama, AlphaIsCutLikeThePicture) {
  const Image8 photo = panorama(512, 256, sky);
  std::vector<uint8_t> alpha(512 * 256);
  for (size_t i = 0; i < alpha.size(); ++i) alpha[i] = photo.pixels[3 * i];
  for (const int side : {163, 20, 325}) {
    const PinholeCamera camera = io::panorama_face_camera(side);
    for (const PanoramaFace& face : panorama_faces()) {
      const TrainingImage image = io::cut_panorama_face({photo, {}, alpha}, face, camera);
      ASSERT_EQ(image.alpha.size(), size_t(side * side));
      EXPECT_TRUE(std::equal(image.alpha.begin(), image.alpha.end(), image.rgb.begin())) << face.name;
      EXPECT_TRUE(image.mask.empty());
    }
  }
}

}  // namespace
