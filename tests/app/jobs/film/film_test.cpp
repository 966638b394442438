// --render --path through the program.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "io/image_file.h"
#include "io/io.h"
#include "tests/app/jobs/film/decoded.h"
#include "tests/support/dead_process.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

// A short training run, which all tests film.
class Film : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scene_ = new SceneOnDisk;
    const Ran ran = run({"--train", scene_->dataset(), "-o", scene_->output("run"), "-i", "60", "--quiet"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  static void TearDownTestSuite() { delete scene_; }

  Film() : work_(scene_->output(testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(work_);
  }
  std::string out(const std::string& name) const { return (work_ / name).string(); }
  static Ran film(const std::string& output, std::vector<std::string> more, const RunOptions& options = {}) {
    std::vector<std::string> words{"render", scene_->output("run"), "-o", output, "--fps", "10"};
    for (const auto& [name, value] : {std::pair{"--path", "orbit"}, std::pair{"--size", "64x48"}})
      if (std::find(more.begin(), more.end(), name) == more.end()) words.insert(words.end(), {name, value});
    words.insert(words.end(), more.begin(), more.end());
    return run(words, options);
  }
  static fs::path picture(const std::string& folder, int index) {
    char name[32];
    std::snprintf(name, sizeof name, "picture_%06d.png", index);
    return fs::path(folder) / name;
  }
  static std::string pixels(const std::string& folder, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      const auto image = io::read_image(picture(folder, i));
      EXPECT_TRUE(image.ok()) << image.error().message;
      if (image) all.append(reinterpret_cast<const char*>(image->pixels.data()), image->pixels.size());
    }
    return all;
  }

  static SceneOnDisk* scene_;
  fs::path work_;
};
SceneOnDisk* Film::scene_ = nullptr;

TEST_F(Film, PicturesInAFolderAreMadeOnce) {
  const std::string folder = out("orbit");
  Ran ran = film(folder, {"--seconds", "0.6", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["pictures"], 6);
  EXPECT_EQ(ran.summary()["drawn"], 6);
  const std::string all = pixels(folder, 6);
  EXPECT_EQ(all.size(), 6u * 64 * 48 * 3);
  EXPECT_LT(psnr(all.substr(0, 64 * 48 * 3), all.substr(3 * 64 * 48 * 3, 64 * 48 * 3)), 30) << "it moves";
  fs::remove(picture(folder, 4));
  ran = film(folder, {"--seconds", "0.6", "--json"});
  EXPECT_EQ(ran.summary()["drawn"], 1);
  EXPECT_EQ(pixels(folder, 6), all);
  ran = film(folder, {"--seconds", "0.5", "--json"});
  EXPECT_EQ(ran.summary()["drawn"], 5) << "of another film";
  EXPECT_FALSE(fs::exists(picture(folder, 5))) << "which was longer";
}

TEST_F(Film, IsDrawnWithTheLowPassOfItsSplats) {
  const auto trained = io::read_splat_file(scene_->output("run") + "/point_cloud/iteration_60/point_cloud.ply");
  ASSERT_TRUE(trained.ok()) << trained.error().message;
  ASSERT_TRUE(io::write_splat_file(out("usual.ply"), trained->gaussians).ok());
  ASSERT_TRUE(io::write_splat_file(out("soft.ply"), trained->gaussians, {.low_pass = 5}).ok());
  const auto pictures = [&](const std::string& splats, std::vector<std::string> more) {
    const std::string folder = out(splats + std::to_string(more.size()));
    std::vector<std::string> words{"render", out(splats), "--path", "orbit", "--size",    "64x48",
                                   "--fps",  "10",        "-o",     folder,  "--seconds", "0.2"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return pixels(folder, 2);
  };
  EXPECT_NE(pictures("soft.ply", {}), pictures("usual.ply", {}));
  EXPECT_EQ(pictures("soft.ply", {}), pictures("usual.ply", {"--low-pass", "5"}));
}

TEST_F(Film, NamesNeedNotBeUtf8) {
  const std::string splats = out("caf\xe9.ply");
  fs::copy_file(scene_->output("run") + "/point_cloud/iteration_60/point_cloud.ply", splats);
  for (const int missing : {2, 0}) {
    const Ran ran = run({"render", splats, "-o", out("caf\xe9"), "--path", "orbit", "--size", "32x32", "--seconds",
                         "0.2", "--fps", "10", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.summary()["drawn"], missing) << "it goes on";
  }
}

TEST_F(Film, APartIsThatPartOfTheWhole) {
  ASSERT_EQ(film(out("whole"), {"--seconds", "0.6"}).code, 0);
  ASSERT_EQ(film(out("parts"), {"--seconds", "0.6", "--range", "0:2"}).code, 0);
  ASSERT_EQ(film(out("parts"), {"--seconds", "0.6", "--range", "2:"}).code, 0);
  EXPECT_EQ(pixels(out("parts"), 6), pixels(out("whole"), 6));
}

TEST_F(Film, TheFilmShowsThePictures) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  ASSERT_EQ(film(out("pictures"), {"--seconds", "7", "--path", "photos"}).code, 0);
  const Ran ran = film(out("film.mp4"), {"--seconds", "7", "--path", "photos"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GE(psnr(decoded(out("film.mp4")), pixels(out("pictures"), 70)), 38);
  EXPECT_EQ(film(out("film.mp4"), {"--seconds", "1"}).code, 0) << "a film may replace a film";
}

TEST_F(Film, GoesOnWhereItWasInterrupted) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::vector<std::string> how{"--seconds", "13", "--json"};
  ASSERT_EQ(film(out("whole.mp4"), how).code, 0);
  RunOptions stopped;
  stopped.signal = SIGINT;
  stopped.when = [&] { return fs::exists(out("film.mp4.parts/000000.mp4")); };
  const Ran broken = film(out("film.mp4"), how, stopped);
  ASSERT_EQ(broken.code, 130) << broken.err;
  EXPECT_NE(broken.err.find("the same command goes on"), std::string::npos) << broken.err;
  EXPECT_FALSE(fs::exists(out("film.mp4")));
  const Ran ran = film(out("film.mp4"), how);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(ran.summary()["drawn"], 70);
  EXPECT_EQ(text_of(out("film.mp4")), text_of(out("whole.mp4")));
  EXPECT_FALSE(fs::exists(out("film.mp4.parts")));
}

// Killed while it wrote its note; or longer, and killed in its fifth piece.
TEST_F(Film, WhatKilledOnesLeftGoesWithThePieces) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string parts = out("film.mp4.parts/"),
                    dead = ".hipsplat.part" + std::to_string(splat::test::dead_process()) + "-3";
  const std::vector<std::string> lefts[] = {
      {"film.json" + dead},
      {"film.json", "000003.mp4", "000003.mp4.sum", "unfinished_000004.mp4", "000003.mp4.sum" + dead}};
  for (const auto& left : lefts) {
    fs::create_directories(parts);
    for (const std::string& name : left) std::ofstream(parts + name) << R"({"splats": "others.ply"})";
    ASSERT_EQ(film(out("film.mp4"), {"--seconds", "0.2"}).code, 0);
    EXPECT_FALSE(fs::exists(parts)) << fs::directory_iterator(parts)->path();
  }
}

// As a cluster would run it: a queue that runs each task at once, and the join after them.
TEST_F(Film, ASlurmScriptDrawsItInParts) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::vector<std::string> how{"--seconds", "13", "--size", "32x32"};
  ASSERT_EQ(film(out("whole.mp4"), how).code, 0);
  fs::create_directories(out("queue"));
  std::ofstream(out("queue/sbatch")) << R"(#!/bin/sh
echo "$*" >> "$(dirname "$0")/queued"
for word in "$@"; do
  case $word in --array=*) last=${word#--array=0-} ;; --*) ;; *) break ;; esac
  shift
done
if [ "$2" = join ]; then sh "$@" > /dev/null && echo 8; exit; fi
for task in $(seq "$last" -1 0); do
  SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=2 sh "$@" > /dev/null || exit 1
done
echo "7;cluster"
)";
  fs::permissions(out("queue/sbatch"), fs::perms::owner_all);
  std::vector<std::string> words = how;
  words.insert(words.end(), {"--slurm", "50"});
  Ran ran = film(out("it's.mp4"), words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string script = out("it's.mp4.slurm.sh");
  EXPECT_EQ(ran.out, script + "\n");
  EXPECT_FALSE(fs::exists(out("it's.mp4.parts"))) << "nothing is drawn";
  ASSERT_NE(text_of(script).find("--array=0-2"), std::string::npos) << "130 pictures are three pieces";
  const std::string said =
      output_of("PATH='" + out("queue") + ":'$PATH HIPSPLAT='" HIPSPLAT_PROGRAM "' \"" + script + "\" --partition=gpu");
  EXPECT_EQ(said, "tasks 7;cluster, join 8\n");
  EXPECT_NE(text_of(out("queue/queued")).find("--array=0-2 --partition=gpu"), std::string::npos);
  EXPECT_NE(text_of(out("queue/queued")).find("--dependency=afterok:7 "), std::string::npos);
  EXPECT_EQ(text_of(out("it's.mp4")), text_of(out("whole.mp4")));
  EXPECT_FALSE(fs::exists(out("it's.mp4.parts")));

  const auto memory = [&](const std::string& name) {
    EXPECT_EQ(film(out(name), {"--slurm", "2", "--size", "640x360"}).code, 0);
    const std::string text = text_of(out(name) + ".slurm.sh"), mark = "--mem=";
    EXPECT_NE(text.find(mark), std::string::npos) << text;
    return std::atoi(text.c_str() + text.find(mark) + mark.size());
  };
  EXPECT_GT(memory("large.mp4"), memory("large") + 60) << "ffmpeg's is asked for as well";

  for (const char* task : {"0/2", "1/2"}) {
    ran = film(out("pictures"), {"--seconds", "0.5", "--task", task, "--json"});
    EXPECT_EQ(ran.summary()["drawn"], task[0] == '0' ? 2 : 3) << ran.err;
  }
  EXPECT_EQ(pixels(out("pictures"), 5).size(), 5u * 64 * 48 * 3);
  expect_refused(film(out("a"), {"--task", "2/2"}), 2, {"--task", "3/10"});
  expect_refused(film(out("a"), {"--slurm", "0"}), 2, {"--slurm"});
}

TEST_F(Film, PathsOfFilesDecideLengthRateAndSize) {
  std::ofstream(out("path.json")) << R"({"camera_path": [
      {"camera_to_world": [1,0,0,0, 0,1,0,0, 0,0,1,3, 0,0,0,1], "fov": 50},
      {"camera_to_world": [1,0,0,0.1, 0,1,0,0, 0,0,1,3, 0,0,0,1], "fov": 50}], "fps": 5, "render_width": 41,
      "render_height": 30})";
  const Ran ran = run({"render", scene_->output("run"), "-o", out("a"), "--path", out("path.json"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["pictures"], 2) << "one for each pose";
  EXPECT_EQ(ran.summary()["fps"], 5);
  const auto image = io::read_image(picture(out("a"), 0));
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->width, 41) << "pictures are as large as the file says";
  const Ran even = run({"render", scene_->output("run"), "-o", out("b"), "--path", out("path.json"), "--projection",
                        "stereo", "--json"});
  EXPECT_NE(even.err.find("41x30: the film has 40x30"), std::string::npos) << even.err;
}

TEST_F(Film, NamesInCapitalsAndRatesOfTelevision) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  for (const char* rate : {"29.97", "30000/1001"}) {
    const Ran ran = film(out("-a:b.MP4"), {"--seconds", "0.2", "--fps", rate});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(output_of("ffprobe -v error -select_streams v -show_entries stream=r_frame_rate -of csv=p=0 '" +
                        out("-a:b.MP4") + "'"),
              "30000/1001\n");
  }
}

// Splats on a sphere about the camera are as sharp in every direction, with a lens as without.
TEST_F(Film, ALensThatLooksAllAroundIsSharpAtOneDistance) {
  splat::Gaussians ball;
  constexpr size_t kSplats = 3000;
  ball.resize(kSplats);
  for (size_t i = 0; i < kSplats; ++i) {
    const double z = 1 - (2 * double(i) + 1) / kSplats, r = std::sqrt(1 - z * z), turn = 2.39996 * double(i);
    const double at[] = {4 * r * std::cos(turn), 4 * z, 4 * r * std::sin(turn)};
    for (size_t c = 0; c < 3; ++c) {
      ball.means[3 * i + c] = float(at[c]), ball.log_scales[3 * i + c] = std::log(0.02f);
      ball.sh[3 * i + c] = 1.7f;
    }
    ball.quats[4 * i] = 1, ball.logit_opacities[i] = 5;
  }
  ASSERT_TRUE(io::write_splat_file(out("ball.ply"), ball).ok());
  const auto energy = [&](const std::string& name, double target, const std::string& lens) {
    std::ofstream(out("path.json")) << R"({"format": "hipsplat camera path", "version": 1, "target": [0, 0, )" << target
                                    << R"(], "keys": [{"seconds": 0, "position": [0, 0, 0],
        "rotation": [1, 0, 0, 0], "fov_y": 50}]})";
    std::vector<std::string> words{"render",       out("ball.ply"), "-o",     out(name), "--path",    out("path.json"),
                                   "--projection", "360",           "--size", "256x128", "--samples", "8"};
    if (!lens.empty()) words.insert(words.end(), {"--aperture", lens});
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string all = pixels(out(name), 1);
    std::array<double, 4> sums{};  // back, left, front and right
    for (size_t row = 48; row < 80; ++row)
      for (size_t x = 0; x < 256; ++x) {
        const auto at = [&](size_t column) { return double(uint8_t(all[(row * 256 + column % 256) * 3])); };
        sums[((x + 32) % 256) / 64] += std::pow(at(x + 1) - at(x), 2);
      }
    return sums;
  };
  const auto plain = energy("plain", 4, ""), sharp = energy("sharp", 4, "0.8"), behind = energy("behind", -4, "0.8"),
             near = energy("near", 1, "0.8");
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_GT(sharp[i], 0.6 * plain[i]) << i;
    EXPECT_GT(behind[i], 0.6 * plain[i]) << i << ": a target behind is at a distance, too";
    EXPECT_LT(near[i], 0.3 * plain[i]) << i;
  }
  EXPECT_NE(text_of(picture(out("sharp"), 0)).find("GPano:ProjectionType=\"equirectangular\""), std::string::npos);
}

// Eyes and lenses go by a target behind the camera as by one before it.
TEST_F(Film, ATargetBehindTheCameraIsAsFarAwayAsItIs) {
  const auto one = [&](const std::string& name, const std::string& target, std::vector<std::string> more) {
    std::ofstream(out("path.json")) << R"({"format": "hipsplat camera path", "version": 1, "target": [0, 0, )" << target
                                    << R"(], "keys": [{"seconds": 0, "position": [0, 0, -6],
        "rotation": [1, 0, 0, 0], "fov_y": 50}]})";
    more.insert(more.end(), {"--path", out("path.json"), "--size", "128x48"});
    const Ran ran = film(out(name), more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return pixels(out(name), 1);
  };
  const std::vector<std::string> eyes{"--projection", "stereo"}, lens{"--aperture", "0.5"};
  EXPECT_GT(psnr(one("a", "0", eyes), one("b", "-18", eyes)), 30) << "half as far as it is";
  EXPECT_GT(psnr(one("c", "0", lens), one("d", "-18", lens)), 30);
}

TEST_F(Film, ADamagedPictureIsDrawnAgain) {
  ASSERT_EQ(film(out("a"), {"--seconds", "0.3"}).code, 0);
  const std::string all = pixels(out("a"), 3);
  fs::resize_file(picture(out("a"), 1), fs::file_size(picture(out("a"), 1)) - 20);
  std::fstream(picture(out("a"), 2), std::ios::in | std::ios::out).seekp(200).write("damage", 6);
  const Ran ran = film(out("a"), {"--seconds", "0.3", "--json"});
  EXPECT_EQ(ran.summary()["drawn"], 2);
  EXPECT_EQ(pixels(out("a"), 3), all);
}

// A picture that takes long, and an encoder that hangs, are left within a second.
TEST_F(Film, IsGoneWithinASecond) {
  const auto seconds_of = [&](const std::string& output, const std::vector<std::string>& more,
                              const std::string& path) {
    RunOptions stopped;
    stopped.signal = SIGTERM;
    std::chrono::steady_clock::time_point asked;
    stopped.when = [&, begun = std::chrono::steady_clock::now()] {
      asked = std::chrono::steady_clock::now();
      return asked - begun > std::chrono::milliseconds(500);
    };
    const std::string before = std::getenv("PATH");
    if (!path.empty()) setenv("PATH", (path + ":" + before).c_str(), 1);
    const Ran ran = film(output, more, stopped);
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(ran.code, 130) << ran.err;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
  };
  EXPECT_LT(seconds_of(out("many"), {"--samples", "4096", "--size", "640x480"}, ""), 1);
  std::ofstream(out("ffmpeg")) << "#!/bin/sh\ntrap '' INT\nwhile :; do sleep 9; done\n";
  fs::permissions(out("ffmpeg"), fs::perms::owner_all);
  EXPECT_LT(seconds_of(out("hangs.mp4"), {}, work_.string()), 1);
}

TEST_F(Film, TransparencyAndDepth) {
  const Ran ran = film(out("a"), {"--seconds", "0.2", "--transparent", "--depth"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto image = io::read_image(picture(out("a"), 0));
  ASSERT_TRUE(image.ok());
  ASSERT_EQ(image->channels, 4);
  const auto depth = io::read_grey16(fs::path(out("a")) / "depth_000000.png");
  ASSERT_TRUE(depth.ok()) << depth.error().message;
  const double unit = nlohmann::json::parse(text_of(fs::path(out("a")) / "film.json"))["depth_unit"];
  EXPECT_GT(unit, 0);
  size_t seen = 0;
  for (size_t i = 0; i < depth->pixels.size(); ++i) {
    const bool opaque = image->pixels[4 * i + 3] > 140, empty = image->pixels[4 * i + 3] < 110;
    EXPECT_TRUE(!opaque || depth->pixels[i] > 0) << i;
    EXPECT_TRUE(!empty || depth->pixels[i] == 0) << i;
    seen += opaque;
  }
  EXPECT_GT(seen, 20u);
}

TEST_F(Film, SamplesSmoothAndBlurAndKeepTheMean) {
  const auto one = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"--seconds", "1", "--range", "3:4"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = film(out(name), words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto image = io::read_image(picture(out(name), 3));
    EXPECT_TRUE(image.ok());
    return image ? std::string(image->pixels.begin(), image->pixels.end()) : std::string();
  };
  const auto roughness = [](const std::string& p) {
    double sum = 0;
    for (size_t i = 3; i < p.size(); ++i) sum += std::pow(double(uint8_t(p[i])) - double(uint8_t(p[i - 3])), 2);
    return sum;
  };
  const std::string plain = one("plain", {}), smooth = one("smooth", {"--samples", "4"});
  EXPECT_GT(psnr(plain, smooth), 25);
  EXPECT_NE(plain, smooth);
  const std::string moving = one("moving", {"--shutter", "1"}), lens = one("lens", {"--aperture", "1"});
  EXPECT_LT(roughness(moving), 0.9 * roughness(plain));
  EXPECT_LT(roughness(lens), 0.98 * roughness(plain));
}

TEST_F(Film, StereoShowsTwoEyes) {
  ASSERT_EQ(film(out("a"), {"--seconds", "0.1", "--projection", "stereo", "--size", "128x48"}).code, 0);
  ASSERT_EQ(film(out("b"), {"--seconds", "0.1"}).code, 0);
  const std::string both = pixels(out("a"), 1), middle = pixels(out("b"), 1);
  std::string left, right;
  for (size_t row = 0; row < 48; ++row) {
    left += both.substr(row * 128 * 3, 64 * 3);
    right += both.substr(row * 128 * 3 + 64 * 3, 64 * 3);
  }
  EXPECT_NE(left, right);
  EXPECT_GT(psnr(left, middle), psnr(left, right));
  EXPECT_GT(psnr(right, middle), psnr(left, right));
}

// A camera that turns moves the picture of all directions, and changes little else.
TEST_F(Film, PanoramasShowAllDirections) {
  const auto panorama = [&](const std::string& name, const std::string& rotation) {
    std::ofstream(out(name + ".json")) << R"({"format": "hipsplat camera path", "version": 1, "keys": [{"seconds": 0,
        "position": [0, 0, -6], "rotation": )" +
                                              rotation + R"(, "fov_y": 50}]})";
    const Ran ran = film(out(name), {"--path", out(name + ".json"), "--projection", "360", "--size", "128x64"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return pixels(out(name), 1);
  };
  const std::string straight = panorama("straight", "[1, 0, 0, 0]");
  const std::string turned = panorama("turned", "[0.70710678, 0, 0.70710678, 0]");
  ASSERT_EQ(straight.size(), turned.size());
  std::string moved;
  for (size_t i = 0; i < straight.size(); i += 3) {
    const size_t row = i / 3 / 128, x = i / 3 % 128;
    moved += straight.substr((row * 128 + (x + 32) % 128) * 3, 3);
  }
  EXPECT_GT(psnr(moved, turned), 45) << "a quarter turn: the same squares, in other places";
  EXPECT_LT(psnr(straight, turned), 30);
  if (!has_ffmpeg()) return;
  ASSERT_EQ(
      film(out("a.mp4"), {"--path", out("turned.json"), "--projection", "360", "--size", "128x64", "--seconds", "0.3"})
          .code,
      0);
  EXPECT_NE(text_of(out("a.mp4")).find("GSpherical:Spherical"), std::string::npos);
  EXPECT_EQ(decoded(out("a.mp4")).size(), 3u * 128 * 64 * 3) << "the mark moved what it must not";
}

TEST_F(Film, WrongInputsAreRefusedAndNothingIsLost) {
  expect_refused(film(out("a.mp4"), {"--path", out("none.json")}), 2, {"none.json", "orbit, wiggle"});
  std::ofstream(out("broken.json")) << R"({"camera_path": [{"fov": 50}]})";
  expect_refused(film(out("a.mp4"), {"--path", out("broken.json")}), 2, {"broken.json", "picture 1"});
  expect_refused(film(out("a.mp4"), {"--size", "63x48"}), 2, {"even"});
  expect_refused(film(out("a.mp4"), {"--transparent"}), 2, {".webm"});
  expect_refused(film(out("a.MP4"), {"--transparent"}), 2, {".webm"});
  expect_refused(film(out("a.mp4"), {"--fps", "30000/0"}), 2, {"--fps", "30000/1001"});
  fs::create_directories(out("other.mp4.parts"));
  std::ofstream(out("other.mp4.parts/000000.mp4")) << "mine";
  expect_refused(film(out("other.mp4"), {}), 2, {"other.mp4.parts", "000000.mp4", "no film"});
  for (const char* name : {"a.avi", "a.MKV", "a.png", "a.JPG"})
    expect_refused(film(out(name), {}), 2, {name, ".mp4", "folder"});
  expect_refused(film(out("a.mp4"), {"--depth"}), 2, {"folder"});
  expect_refused(film(out("a"), {"--range", "100:101", "--seconds", "1"}), 2, {"picture 100"});
  expect_refused(film(out("a"), {"--projection", "360"}), 2, {"twice as wide"});
  expect_refused(run({"render", scene_->output("run"), "-o", out("a.mp4"), "--cameras", scene_->dataset()}), 2,
                 {"--path"});
  expect_refused(run({"render", scene_->output("run"), "-o", out("a"), "--cameras", scene_->dataset(), "--fps", "3"}),
                 2, {"--fps", "--path"});
  std::ofstream(out("text.mp4")) << "a letter";
  expect_refused(film(out("text.mp4"), {"--seconds", "0.1"}), 2, {"text.mp4"});
  EXPECT_EQ(text_of(out("text.mp4")), "a letter");
  fs::create_directories(out("mine"));
  std::ofstream(picture(out("mine"), 0)) << "mine";
  expect_refused(film(out("mine"), {"--seconds", "0.1"}), 2, {"picture_000000.png"});
  EXPECT_EQ(text_of(picture(out("mine"), 0)), "mine");
  fs::copy_file(scene_->output("run") + "/point_cloud/iteration_60/point_cloud.ply", out("lone.ply"));
  expect_refused(run({"render", out("lone.ply"), "-o", out("b"), "--path", "photos"}), 2, {"--cameras"});
  EXPECT_EQ(
      run({"render", out("lone.ply"), "-o", out("b"), "--path", "wiggle", "--size", "32x32", "--seconds", "0.1"}).code,
      0);
}

}  // namespace
}  // namespace app::test
