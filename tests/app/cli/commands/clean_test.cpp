// --convert --clean through the program: floaters that were put into scenes go, what belongs there stays, the held-out
// photos show it; and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/dataset/load_dataset.h"
#include "io/image_file.h"
#include "io/io.h"
#include "splat/core/random.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/test_paths.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;

// Round a training camera each: between it and the scene, at 0.1 to 0.6 of `depth`, its size 0.1 % to 1 % of that.
Gaussians with_floaters(Gaussians model, const splat::Dataset& dataset, double depth, size_t count) {
  splat::random::Sequence random(7, splat::random::kTest);
  const std::vector<int> views = dataset.training_views();
  const size_t first = model.size(), width = 3 * size_t(model.coefficients());
  model.resize(first + count);
  for (size_t row = first; row < model.size(); ++row) {
    const splat::View view = dataset.views[size_t(views[random.below(uint32_t(views.size()))])].view();
    const splat::PinholeCamera& c = view.camera;
    const double z = depth * (0.1 + 0.5 * random.uniform());
    const double at[3] = {(random.uniform() * c.width - c.cx) / c.fx * z,
                          (random.uniform() * c.height - c.cy) / c.fy * z, z};
    for (size_t k = 0; k < 3; ++k) {
      double world = 0;
      for (size_t r = 0; r < 3; ++r)
        world += view.cam_from_world.rotation[3 * r + k] * (at[r] - view.cam_from_world.translation[r]);
      model.means[3 * row + k] = float(world);
      model.log_scales[3 * row + k] = float(std::log(depth * 0.001 * std::pow(10, random.uniform())));
      model.sh[width * row + k] = (random.uniform() - 0.5f) / 0.2820948f;
    }
    for (size_t k = 0; k < 4; ++k) model.quats[4 * row + k] = random.normal();
    const float opacity = 0.1f + 0.85f * random.uniform();
    model.logit_opacities[row] = std::log(opacity / (1 - opacity));
  }
  return model;
}

struct Left {
  size_t floaters = 0, others = 0;
};
Left left_in(const fs::path& cleaned, const Gaussians& before, size_t first_floater) {
  const auto file = io::read_splat_file(cleaned);
  EXPECT_TRUE(file.ok());
  std::multiset<std::array<float, 3>> floaters;
  const auto mean = [](const Gaussians& m, size_t i) {
    return std::array<float, 3>{m.means[3 * i], m.means[3 * i + 1], m.means[3 * i + 2]};
  };
  for (size_t i = first_floater; i < before.size(); ++i) floaters.insert(mean(before, i));
  Left left;
  for (size_t i = 0; i < file->gaussians.size(); ++i)
    ++(floaters.contains(mean(file->gaussians, i)) ? left.floaters : left.others);
  return left;
}

class Clean : public testing::Test {
 protected:
  Clean() : scene_("scene") {}
  std::string path(const std::string& name) const { return scene_.output(name); }
  std::string write(const std::string& name, const Gaussians& model) const {
    EXPECT_TRUE(io::write_splat_file(path(name), model).ok());
    return path(name);
  }
  SceneOnDisk scene_;
};

TEST_F(Clean, FloatersBeforeTheDemoGoAndItsSplatsStay) {
  constexpr size_t kFloaters = 2000;
  const fs::path demo = test_paths::source() / "assets/demo";
  const Ran trained =
      run({"--train", demo, "-o", path("demo.ply"), "-r", "4", "-i", "1500", "--eval", "--quiet", "--strategy", "adc"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  io::DatasetOptions options;
  options.resolution = 4;
  options.eval = true;
  const auto dataset = io::load_dataset(demo, options);
  ASSERT_TRUE(dataset.ok());
  const auto file = io::read_splat_file(path("demo.ply"));
  ASSERT_TRUE(file.ok());
  const size_t others = file->gaussians.size();
  const Gaussians before = with_floaters(file->gaussians, *dataset, 2.2, kFloaters);
  write("floaters.ply", before);
  const Ran ran = run(
      {"--convert", path("floaters.ply"), path("clean.ply"), "--clean", "normal", "--data", demo, "-r", "4", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Left left = left_in(path("clean.ply"), before, others);
  EXPECT_LE(double(left.floaters), 0.05 * kFloaters);
  EXPECT_GE(double(left.others), 0.995 * double(others));
  const nlohmann::json report = ran.summary()["clean"];
  EXPECT_GT(report["psnr_after"].get<double>(), report["psnr_before"].get<double>() + 0.5);
  size_t taken = 0;
  for (const auto& count : report["taken"]) taken += count.get<size_t>();
  EXPECT_EQ(taken, before.size() - left.floaters - left.others);
  EXPECT_GT(report["taken"]["floater"], 0);
}

TEST_F(Clean, TheSameBytesOnAnyNumberOfThreads) {
  const splat::test::TinyDataset tiny = splat::test::make_tiny_dataset();
  const std::string model = write("a.ply", with_floaters(tiny.truth, tiny.dataset, 4, 20));
  for (const char* threads : {"1", "3"}) {
    const Ran ran = run({"--convert", model, path(std::string(threads) + ".ply"), "--clean", "strong", "--data",
                         scene_.dataset(), "--threads", threads, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_LT(ran.summary()["splats"], 60);
    EXPECT_EQ(ran.summary()["clean"]["strength"], "strong");
  }
  EXPECT_TRUE(text_of(path("1.ply")) == text_of(path("3.ply")));
}

// The photos were made with exactly these splats.
TEST_F(Clean, WhatFitsStays) {
  const std::string model = write("a.ply", splat::test::make_tiny_dataset().truth);
  const Ran ran = run({"--convert", model, path("b.ply"), "--clean", "normal", "--data", scene_.dataset(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["splats"], 40) << ran.summary();
}

// It contradicts all that the others agree on.
TEST_F(Clean, OnePhotoThatFitsNothingTakesNothing) {
  const splat::test::TinyDataset tiny = splat::test::make_tiny_dataset();
  const std::string model = write("a.ply", tiny.truth);
  const splat::TrainingImage& photo = tiny.images.photos[1];
  const splat::Image8 black{photo.width, photo.height, 3, std::vector<uint8_t>(photo.rgb.size())};
  scene_.write("images/" + tiny.dataset.views[1].name, io::encode_png(black));
  const Ran ran = run({"--convert", model, path("b.ply"), "--clean", "strong", "--data", scene_.dataset(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["splats"], 40) << ran.summary();
}

TEST_F(Clean, PhotosOfAnotherSceneTakeNothing) {
  const std::string other = write("a.ply", splat::test::make_tiny_dataset({.seed = 2}).truth);
  const std::string before = text_of(other);
  expect_refused(run({"--convert", other, "-o", other, "--clean", "normal", "--data", scene_.dataset()}), 2,
                 {scene_.dataset(), "do not show these splats", "nothing was taken out"});
  EXPECT_TRUE(text_of(other) == before);
}

TEST_F(Clean, WhatCannotBeDoneIsRefused) {
  const std::string model = write("a.ply", splat::test::make_tiny_dataset().truth);
  const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& parts) {
    std::vector<std::string> words{"--convert", model, path("b.ply")};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(run(words), 2, parts);
    EXPECT_FALSE(fs::exists(path("b.ply")));
  };
  refused({"--clean", "normal"}, {"--clean needs --data"});
  refused({"--clean", "much", "--data", scene_.dataset()}, {"careful, normal or strong", "much"});
  refused({"--clean", "normal", "--data", path("nowhere")}, {"nowhere"});
  refused({"--data", scene_.dataset()}, {"--data", "--clean"});
  refused({"--backend", "cpu"}, {"--backend", "--clean"});
}

}  // namespace
}  // namespace app::test
