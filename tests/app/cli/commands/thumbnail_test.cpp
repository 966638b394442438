// --thumbnail through the program: what file managers show of a splat file.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/image_file.h"
#include "io/io.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

splat::Image8 picture_of(const fs::path& path) {
  auto read = io::read_image(path);
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return read ? *read : splat::Image8{};
}

// A red ball of splats with a far outlier, which must not make it small.
fs::path red_ball(const splat::test::TempFolder& folder) {
  constexpr size_t kSplats = 400;
  splat::Gaussians ball;
  ball.resize(kSplats);
  constexpr float kGolden = 2.3999632f, kShC0 = 0.28209479f;
  for (size_t i = 0; i < kSplats; ++i) {
    const float z = 1 - 2 * (float(i) + 0.5f) / kSplats, r = std::sqrt(1 - z * z), angle = kGolden * float(i);
    const float mean[3] = {100 + r * std::cos(angle), r * std::sin(angle), z};
    for (size_t axis = 0; axis < 3; ++axis) {
      ball.means[3 * i + axis] = mean[axis];
      ball.log_scales[3 * i + axis] = -2.3f;
      ball.sh[3 * i + axis] = (axis == 0 ? 0.5f : -0.5f) / kShC0;
    }
    ball.quats[4 * i] = 1;
    ball.logit_opacities[i] = 6;
  }
  ball.means[0] = 5000;
  fs::path path = folder.path() / "ball.ply";
  EXPECT_TRUE(io::write_splat_file(path, ball, {}));
  return path;
}

const uint8_t* pixel(const splat::Image8& image, int x, int y) {
  return image.pixels.data() + size_t(y * image.width + x) * size_t(image.channels);
}

TEST(Thumbnail, ShowsTheSceneInItsMiddle) {
  const splat::test::TempFolder folder;
  const fs::path ball = red_ball(folder), png = folder.path() / "ball ü.png";
  const Ran ran = run({"--thumbnail", ball, "-o", png, "--size", "96"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  const splat::Image8 image = picture_of(png);
  ASSERT_EQ(image.width, 96);
  ASSERT_EQ(image.height, 96);
  EXPECT_GT(pixel(image, 48, 48)[0], 200);
  EXPECT_LT(pixel(image, 48, 48)[1], 60);
  int red = 0;
  for (int y = 0; y < 96; ++y)
    for (int x = 0; x < 96; ++x) red += pixel(image, x, y)[0] > 128;
  EXPECT_GT(red, 96 * 96 * 3 / 8) << "the ball fills the picture in spite of the outlier";
  EXPECT_NEAR(pixel(image, 1, 1)[0], 41, 1) << "and its corner is the dark grey of files that name no background";
}

// The near plane, a hundredth of a unit, would leave nothing of it: neither here nor in a film.
TEST(Thumbnail, OfATinySceneIsThatOfALargeOne) {
  const splat::test::TempFolder folder;
  const fs::path ball = red_ball(folder), tiny = folder.path() / "tiny.ply";
  ASSERT_EQ(run({"convert", ball, tiny, "--transform", "scale 0.0001"}).code, 0);
  splat::Image8 pictures[2], films[2];
  for (const size_t i : {0, 1}) {
    const fs::path splats = i == 0 ? ball : tiny, png = folder.path() / (std::to_string(i) + ".png");
    ASSERT_EQ(run({"thumbnail", splats, "-o", png, "--size", "96"}).code, 0);
    pictures[i] = picture_of(png);
    const fs::path film = folder.path() / ("film" + std::to_string(i));
    const Ran ran = run({"render", splats, "--path", "orbit", "-o", film, "--range", "0:1", "--size", "96x64"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    for (const auto& entry : fs::directory_iterator(film))
      if (entry.path().extension() == ".png") films[i] = picture_of(entry.path());
  }
  for (const splat::Image8* both : {pictures, films}) {
    ASSERT_FALSE(both[0].pixels.empty());
    ASSERT_EQ(both[0].pixels.size(), both[1].pixels.size());
    int worst = 0;
    for (size_t i = 0; i < both[0].pixels.size(); ++i)
      worst = std::max(worst, std::abs(int(both[0].pixels[i]) - int(both[1].pixels[i])));
    EXPECT_LE(worst, 3);
    EXPECT_GT(pixel(both[1], both[1].width / 2, both[1].height / 2)[0], 200);
  }
}

TEST(Thumbnail, IsTheSameOnAnyNumberOfThreadsAndAsLargeAsAskedFor) {
  const splat::test::TempFolder folder;
  const fs::path ball = red_ball(folder);
  for (const char* threads : {"1", "3"}) {
    const fs::path png = folder.path() / (std::string(threads) + ".png");
    ASSERT_EQ(run({"--thumbnail", ball, "-o", png, "--threads", threads}).code, 0);
    EXPECT_EQ(picture_of(png).width, 256);
  }
  EXPECT_EQ(text_of(folder.path() / "1.png"), text_of(folder.path() / "3.png"));
  ASSERT_EQ(run({"--thumbnail", ball, "-o", folder.path() / "wide.png", "--size", "64x48"}).code, 0);
  EXPECT_EQ(picture_of(folder.path() / "wide.png").height, 64);
}

// Mean difference of the values of a picture and of the part of a square one that it fills.
double difference(const splat::Image8& picture, const splat::Image8& square) {
  const int above = (square.height - picture.height) / 2, left = (square.width - picture.width) / 2;
  double sum = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      for (int c = 0; c < 3; ++c)
        sum += std::abs(int(pixel(picture, x, y)[c]) - int(pixel(square, x + left, y + above)[c]));
  return sum / (3.0 * picture.width * picture.height);
}

// A trained scene is seen as by its first photo, as in the window.
TEST(Thumbnail, OfATrainedSceneIsItsFirstPhoto) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out"), alone = scene.output("alone.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "60"}).code, 0);
  ASSERT_EQ(run({"--render", out, "--cameras", out, "-o", scene.output("pictures")}).code, 0);
  std::vector<fs::path> pictures;
  for (const auto& entry : fs::directory_iterator(scene.output("pictures"))) pictures.push_back(entry.path());
  ASSERT_FALSE(pictures.empty());
  std::sort(pictures.begin(), pictures.end());
  const splat::Image8 photo = picture_of(pictures.front());
  const std::string side = std::to_string(std::max(photo.width, photo.height));
  const auto thumbnail = [&](const fs::path& of) {
    const fs::path png = scene.output("thumbnail.png");
    EXPECT_EQ(run({"--thumbnail", of, "-o", png, "--size", side}).code, 0);
    return picture_of(png);
  };
  const fs::path splats = out / "point_cloud/iteration_60/point_cloud.ply";
  EXPECT_LT(difference(photo, thumbnail(out)), 8);
  EXPECT_LT(difference(photo, thumbnail(splats)), 8);
  fs::copy_file(splats, alone);
  EXPECT_GT(difference(photo, thumbnail(alone)), 16) << "splats without cameras are seen from elsewhere";
}

TEST(Thumbnail, RefusesWhatItCannotShow) {
  const splat::test::TempFolder folder;
  const fs::path ball = red_ball(folder), png = folder.path() / "a.png";
  expect_refused(run({"--thumbnail", ball}), 2, {"thumbnail", "-o"});
  expect_refused(run({"--thumbnail", ball, "-o", png, "--size", "5000"}), 2, {"--size", "1024"});
  expect_refused(run({"--thumbnail", ball, "-o", png, "--size", "0"}), 2, {"--size"});
  expect_refused(run({"--thumbnail", folder.path() / "no.ply", "-o", png}), 2, {"no.ply"});
  const fs::path broken = folder.write("broken.ply", "ply\nformat ascii 1.0\nelement vertex 5\n");
  expect_refused(run({"--thumbnail", broken, "-o", png}), 2, {"broken.ply"});
  expect_refused(run({"--thumbnail", ball, "-o", folder.path() / "none/a.png"}), 2, {"none"});
  EXPECT_FALSE(fs::exists(png));
}

}  // namespace
}  // namespace app::test
