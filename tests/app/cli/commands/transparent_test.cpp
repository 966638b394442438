// Datasets of transparent photos through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/image_file.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

// The photos of the scene: transparent beside the middle, fading towards it, or the same laid over white.
struct Transparent : public testing::Test {
  SceneOnDisk scene{"transparent"}, on_white{"on_white"};

  Transparent() {
    for (const auto& entry : fs::directory_iterator(fs::path(scene.dataset()) / "images")) {
      const splat::Image8 photo = io::read_image(entry.path()).value();
      splat::Image8 clear{photo.width, photo.height, 4, {}}, white = photo;
      for (size_t p = 0; p < white.pixels.size() / 3; ++p) {
        const double beside = std::abs(double(p % size_t(photo.width)) - photo.width / 2.0) / photo.width;
        const double alpha = std::round(std::clamp(10 * (0.4 - beside), 0.0, 1.0) * 255);
        for (size_t c = 0; c < 3; ++c) {
          const double value = photo.pixels[3 * p + c];
          clear.pixels.push_back(uint8_t(value));
          white.pixels[3 * p + c] = uint8_t(std::round(alpha / 255 * value + (1 - alpha / 255) * 255));
        }
        clear.pixels.push_back(uint8_t(alpha));
      }
      const std::string name = "images/" + entry.path().filename().string();
      scene.write(name, io::encode_png(clear));
      on_white.write(name, io::encode_png(white));
    }
  }
  static Ran train(const SceneOnDisk& from, const std::vector<std::string>& more) {
    std::vector<std::string> words{"--train", from.dataset(), "-o",  from.output("out"), "-i",  "40",
                                   "--eval",  "--strategy",   "adc", "--exposure",       "off", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  static std::string splats(const SceneOnDisk& of) {
    return text_of(fs::path(of.output("out")) / "point_cloud/iteration_40/point_cloud.ply");
  }
};

TEST_F(Transparent, AreToTheByteWhatSomebodyLaidOverTheBackground) {
  for (const char* resolution : {"1", "2"}) {
    const Ran clear = train(scene, {"--background", "white", "-r", resolution});
    const Ran white = train(on_white, {"--background", "white", "-r", resolution});
    EXPECT_EQ(splats(scene), splats(on_white));
    EXPECT_EQ(clear.summary()["psnr"], white.summary()["psnr"]) << "of the whole picture";
    EXPECT_EQ(clear.summary()["views"], white.summary()["views"]);
    EXPECT_NE(clear.err.find("10 photos: what is transparent is known to be empty"), std::string::npos) << clear.err;
    EXPECT_EQ(white.err.find("transparent"), std::string::npos);
    const Ran again = run({"--evaluate", scene.output("out"), "--data", scene.dataset(), "--background", "white", "-r",
                           resolution, "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.summary()["psnr"], clear.summary()["psnr"]);
  }
}

TEST_F(Transparent, IgnoredTheyDoNotCountAndResumedRunsKnowIt) {
  const double whole = train(scene, {}).summary()["psnr"];
  const Ran ignored = train(scene, {"--alpha", "ignore"});
  EXPECT_NE(ignored.summary()["psnr"].get<double>(), whole);
  EXPECT_NE(ignored.err.find("10 photos: what is transparent does not count"), std::string::npos) << ignored.err;
  const fs::path checkpoint = fs::path(scene.output("out")) / "checkpoints/iteration_40.checkpoint";
  const Ran resumed =
      run({"--train", scene.dataset(), "-o", scene.output("more"), "--resume", checkpoint, "-i", "41", "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("what is transparent does not count"), std::string::npos) << resumed.err;
  const nlohmann::json config = nlohmann::json::parse(text_of(fs::path(scene.output("more")) / "config.json"));
  EXPECT_EQ(config["alpha"], "ignore");
  const Ran evaluated =
      run({"--evaluate", scene.output("out"), "--data", scene.dataset(), "--alpha", "ignore", "--json"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(evaluated.summary()["psnr"], ignored.summary()["psnr"]);
}

TEST_F(Transparent, EveryCommandLaysThemOverTheBackgroundOfItsPictures) {
  train(scene, {"--background", "white"});
  const std::string out = scene.output("out");
  const Ran info = run({"--info", scene.dataset()});
  EXPECT_NE(info.out.find("what is transparent is known to be empty"), std::string::npos) << info.out;
  for (const char* background : {"black", "white", "0.5,0.25,1"}) {
    const Ran clean = run({"--convert", out, scene.output(std::string("clean ") + background + ".ply"), "--clean",
                           "normal", "--data", scene.dataset(), "--background", background});
    EXPECT_EQ(clean.code, 0) << clean.err;
  }
  const Ran unknown = run({"--train", scene.dataset(), "-o", out, "--alpha", "maybe"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("--alpha is empty or ignore, not 'maybe'"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace app::test
