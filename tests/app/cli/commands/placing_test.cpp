// --convert of several inputs: placed one by one, brought to one scale, laid on another file by its surface.
#include <gtest/gtest.h>

#include <cmath>

#include "io/io.h"
#include "splat/core/random.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

using splat::Gaussians;
using splat::test::cloud;

class Placing : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const Gaussians& model, const io::SplatFileInfo& info = {}) const {
    EXPECT_TRUE(io::write_splat_file(path(name), model, info).ok());
    return path(name);
  }
  io::SplatFile read(const std::string& name) const {
    auto file = io::read_splat_file(path(name));
    EXPECT_TRUE(file.ok()) << file.error().message;
    return file ? std::move(*file) : io::SplatFile{};
  }

  splat::test::TempFolder folder_;
};

// Each input by its own steps, once; the box is of the merged scene.
TEST_F(Placing, InputsArePlacedBeforeTheyAreMerged) {
  const Gaussians first = cloud(40, 1, 1), second = cloud(30, 3, 2), third = cloud(20, 3, 3);
  const std::string a = write("a.ply", first), b = write("b=1.ply", second), c = write("c.ply", third);
  const Ran ran = run({"--convert", a, b, c, path("out.ply"), "--place", b + "=rotate 0 0 90, scale 2", "--place",
                       c + "=translate 100 0 0", "--crop-box", "-50,-50,-50,150,50,50"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Gaussians out = read("out.ply").gaussians;
  ASSERT_EQ(out.size(), 90u);
  EXPECT_EQ(out.sh_degree, 3);
  EXPECT_TRUE(std::equal(first.means.begin(), first.means.end(), out.means.begin()));
  for (size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(out.means[3 * (40 + i)], -2 * second.means[3 * i + 1], 1e-5);
    EXPECT_NEAR(out.log_scales[3 * (40 + i)], second.log_scales[3 * i] + std::log(2.0), 1e-5);
  }
  for (size_t i = 0; i < 20; ++i) EXPECT_NEAR(out.means[3 * (70 + i)], third.means[3 * i] + 100, 1e-4);
  EXPECT_NE(out.sh[size_t(out.coefficients()) * 3 * 40 + 3], second.sh[3]) << "colours turn along";
  expect_refused(run({"--convert", a, path("o.ply"), "--place", b + "=scale 2"}), 2, {"--place", "b=1.ply", a});
  expect_refused(run({"--convert", a, path("o.ply"), "--place", a + "=turn 2"}), 2, {"--place", "turn 2"});
}

TEST_F(Placing, ScenesOfKnownScalesAreMergedInThatOfTheFirst) {
  io::SplatFileInfo info;
  info.frame.metres_per_unit = 2;
  const Gaussians first = cloud(10, 0, 1), second = cloud(10, 0, 2);
  const std::string a = write("a.ply", first, info);
  info.frame.metres_per_unit = 0.5;
  const std::string b = write("b.spz", second, info);
  ASSERT_EQ(run({"--convert", a, b, path("both.ply")}).code, 0);
  const io::SplatFile both = read("both.ply"), alone = read("b.spz");
  EXPECT_EQ(both.frame.metres_per_unit, 2);
  for (size_t i = 0; i < 30; ++i) EXPECT_NEAR(both.gaussians.means[30 + i], alone.gaussians.means[i] / 4, 1e-6);
  ASSERT_EQ(run({"--convert", a, path("half.ply"), "--transform", "scale 2"}).code, 0);
  EXPECT_EQ(read("half.ply").frame.metres_per_unit, 1);
  EXPECT_EQ(run({"--info", path("half.ply"), "--json"}).json_lines().at(0)["metres_per_unit"], 1);
}

// Points of a bowl with a rim that is nowhere round.
Gaussians bowl(size_t count, uint64_t seed) {
  Gaussians model = cloud(count, 1, seed);
  splat::random::Sequence random(seed, splat::random::kTest);
  for (size_t i = 0; i < count; ++i) {
    const float x = 2 * random.uniform() - 1, y = 3 * random.uniform() - 1;
    model.means[3 * i] = x, model.means[3 * i + 1] = y;
    model.means[3 * i + 2] = 0.4f * x * x + 0.2f * y * y * y + 0.3f * std::sin(4 * x * y);
    model.logit_opacities[i] = 2;
  }
  return model;
}

TEST_F(Placing, IsLaidOnAnotherFileOfTheSameSurface) {
  const std::string fixed = write("fixed.ply", bowl(6000, 1)), moving = write("moving.ply", bowl(4000, 2));
  ASSERT_EQ(run({"--convert", moving, path("off.ply"), "--transform", "rotate 3 -4 5, translate 0.1 0.05 -0.1"}).code,
            0);
  const Ran ran = run({"--convert", path("off.ply"), path("on.ply"), "--align-to", fixed, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(ran.summary()["aligned"]["share"].get<double>(), 0.9);
  EXPECT_LT(ran.summary()["aligned"]["rms"].get<double>(), 0.01);
  const Gaussians on = read("on.ply").gaussians, there = read("moving.ply").gaussians;
  for (size_t i = 0; i < on.means.size(); ++i) ASSERT_NEAR(on.means[i], there.means[i], 0.02) << i;
  const Ran said = run({"--convert", path("off.ply"), "-o", path("on.ply"), "--align-to", fixed});
  EXPECT_NE(said.out.find("aligned: "), std::string::npos) << said.out;
  EXPECT_TRUE(run({"--convert", moving, path("o.ply"), "--json"}).summary()["aligned"].is_null());
  expect_refused(run({"--convert", moving, "-o", path("o.ply"), "--align-to", path("none.ply")}), 2, {"none.ply"});
  const std::string few = write("few.ply", bowl(5, 3));
  expect_refused(run({"--convert", moving, "-o", path("o.ply"), "--align-to", few}), 2, {"--align-to", "too few"});
}

// Laid on something else, or on itself at another size: nothing is written, and what the output names stays.
TEST_F(Placing, IsNotLaidOnWhatItDoesNotFit) {
  Gaussians other = cloud(4000, 1, 4);
  for (size_t i = 0; i < other.size(); ++i) {
    other.logit_opacities[i] = 2;
    float* const mean = &other.means[3 * i];
    const float length = std::hypot(mean[0], mean[1], mean[2]);
    for (size_t c = 0; c < 3; ++c) mean[c] /= length;
  }
  const std::string fixed = write("fixed.ply", bowl(6000, 1)), ball = write("ball.ply", other),
                    moving = write("moving.ply", bowl(4000, 2)), out = write("out.ply", cloud(7, 0));
  expect_refused(run({"--convert", ball, "-o", out, "--align-to", fixed}), 2,
                 {"--align-to", "fixed.ply", "% of the surface", "not be the same thing", "nothing was written"});
  expect_refused(run({"--convert", moving, "-o", out, "--align-to", ball}), 2, {"ball.ply", "nothing was written"});
  ASSERT_EQ(run({"--convert", moving, path("large.ply"), "--transform", "scale 2"}).code, 0);
  expect_refused(run({"--convert", path("large.ply"), "-o", out, "--align-to", fixed}), 2,
                 {"fixed.ply", "at 0.5 times their size", "--place"});
  EXPECT_EQ(read("out.ply").gaussians.size(), 7u);
  const Ran ran = run({"--convert", path("large.ply"), "-o", out, "--align-to", fixed, "--place",
                       path("large.ply") + "=scale 0.5", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(ran.summary()["aligned"]["near"].get<double>(), 0.5);
}

}  // namespace
}  // namespace app::test
