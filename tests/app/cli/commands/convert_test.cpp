// --convert through the program: every format there and back, filters and their order, refusals, Ctrl-C; and what
// --info says about the results.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "io/io.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/dead_process.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;
using splat::test::cloud;

class Convert : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const Gaussians& model, const io::SplatFileInfo& info = {}) const {
    const auto report = io::write_splat_file(path(name), model, info);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return path(name);
  }
  io::SplatFile read(const std::string& name) const {
    auto file = io::read_splat_file(path(name));
    EXPECT_TRUE(file.ok()) << file.error().message;
    return file ? std::move(*file) : io::SplatFile{};
  }
  size_t files() const {
    return size_t(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  splat::test::TempFolder folder_;
};

TEST_F(Convert, EveryFormatThereAndBack) {
  const std::string start = write("start.ply", cloud(3000, 2));
  for (const char* name : {"a.compressed.ply", "a.splat", "a.spz", "a.sog", "a.glb", "a.ply"}) {
    const Ran there = run({"--convert", start, path(name), "--json"});
    ASSERT_EQ(there.code, 0) << name << there.err;
    const nlohmann::json summary = there.summary();
    EXPECT_EQ(summary["splats"], 3000) << name;
    EXPECT_EQ(summary["bytes"], fs::file_size(path(name)));
    EXPECT_GT(summary["peak_rss_bytes"].get<uint64_t>(), 0u);
    const bool exact = std::string(name) == "a.ply" || std::string(name) == "a.glb";
    EXPECT_EQ(summary["losses"].empty(), exact) << name << summary["losses"];
    const Ran back = run({"--convert", path(name), "-o", path("back.ply")});
    ASSERT_EQ(back.code, 0) << name << back.err;
    EXPECT_EQ(read("back.ply").gaussians.size(), 3000u) << name;
    const nlohmann::json info = run({"--info", path(name), "--json"}).json_lines().at(0);
    EXPECT_EQ(info["splats"], 3000);
    EXPECT_EQ(info["sh_degree"], std::string(name) == "a.splat" ? 0 : 2) << name;
    EXPECT_TRUE(info["warnings"].empty()) << name << info["warnings"];
  }
  EXPECT_EQ(read("a.ply").gaussians.means, read("start.ply").gaussians.means);
}

TEST_F(Convert, LossIsSaidInWords) {
  const Ran ran = run({"--convert", write("start.ply", cloud(300, 1)), "-o", path("out.splat")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("loss: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("300 splats"), std::string::npos) << ran.out;
}

TEST_F(Convert, FiltersAndMerging) {
  const std::string a = write("a.ply", cloud(400, 3, 1)), b = write("b.ply", cloud(300, 1, 2));
  const Ran ran = run({"--convert", a, b, path("out.ply"), "--json", "--min-opacity", "0.3", "--crop-box",
                       "-1,-1,-1,1,1,1", "--crop-sphere", "0,0,0,1.5", "--max-splats", "50", "--sh-degree", "2",
                       "--transform", "rotate 0 0 90, scale 2, translate 10 0 0", "--morton", "--drop-invalid"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json summary = ran.summary();
  EXPECT_EQ(summary["splats_in"], 700);
  EXPECT_EQ(summary["splats"], 50);
  size_t removed = 0;
  for (const auto& count : summary["removed"]) removed += count.get<size_t>();
  EXPECT_EQ(removed, 650u);
  for (const char* why : {"transparent", "outside_box", "least_contribution"})
    EXPECT_GT(summary["removed"][why], 0) << why;
  const io::SplatFile out = read("out.ply");
  EXPECT_EQ(out.gaussians.sh_degree, 2);
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_GE(out.gaussians.logit_opacities[i], std::log(0.3f / 0.7f) - 1e-4);
    EXPECT_LE(std::abs(out.gaussians.means[3 * i] - 10), 2.001);  // the box, turned about z, doubled and moved
    EXPECT_LE(std::abs(out.gaussians.means[3 * i + 1]), 2.001);
  }
}

TEST_F(Convert, TagsTravel) {
  io::SplatFileInfo info;
  info.antialiased = true;
  info.view_up = {{0, 0, 1}};
  const std::string start = write("start.ply", cloud(100, 0), info);
  ASSERT_EQ(run({"--convert", start, path("out.sog")}).code, 0);
  EXPECT_TRUE(read("out.sog").antialiased);
  const std::string blurred = write("blurred.ply", cloud(100, 1), {.low_pass = 0.1f});
  const Ran both = run({"--convert", blurred, start, path("both.ply")});
  ASSERT_EQ(both.code, 0);
  EXPECT_NE(both.err.find("low pass of 0.3 px^2, those before with 0.1"), std::string::npos) << both.err;
  EXPECT_EQ(read("both.ply").low_pass, 0.1f);
  ASSERT_EQ(run({"--convert", start, path("out.ply"), "--transform", "rotate 90 0 0"}).code, 0);
  const io::SplatFile turned = read("out.ply");
  ASSERT_TRUE(turned.view_up);
  EXPECT_NEAR((*turned.view_up)[1], -1, 1e-9);  // z turned about x: to -y
  // z-up is reported, with the cure; after the cure nothing is.
  const nlohmann::json before = run({"--info", start, "--json"}).json_lines().at(0);
  EXPECT_NE(before["warnings"].dump().find("rotate 90 0 0"), std::string::npos) << before["warnings"];
  EXPECT_TRUE(run({"--info", path("out.ply"), "--json"}).json_lines().at(0)["warnings"].empty());
}

TEST_F(Convert, OntoItselfAndWithWrongWords) {
  const std::string file = write("a.ply", cloud(100, 1));
  ASSERT_EQ(run({"--convert", file, "-o", file, "--max-splats", "40"}).code, 0);
  EXPECT_EQ(read("a.ply").gaussians.size(), 40u);
  const size_t before = files();
  expect_refused(run({"--convert", file}), 2, {"IN and OUT"});
  expect_refused(run({"--convert", file, path("out.xyz")}), 2, {"out.xyz", ".ply"});
  expect_refused(run({"--convert", file, path("out.ksplat")}), 2, {"KSPLAT"});
  expect_refused(run({"--convert", file, path("out.gltf")}), 2, {".glb"});
  expect_refused(run({"--convert", path("missing.ply"), path("out.ply")}), 2, {"missing.ply"});
  expect_refused(run({"--convert", file, path("out.ply"), "--crop-box", "1,2,3"}), 2, {"--crop-box", "corners"});
  expect_refused(run({"--convert", file, path("out.ply"), "--crop-sphere", "0,0,0,-1"}), 2, {"--crop-sphere"});
  expect_refused(run({"--convert", file, path("out.ply"), "--min-opacity", "2"}), 2, {"--min-opacity"});
  expect_refused(run({"--convert", file, path("out.ply"), "--transform", "turn 3"}), 2, {"--transform", "turn 3"});
  expect_refused(run({"--convert", file, path("out.ply"), "--crop-sphere", "99,0,0,1"}), 2,
                 {"no splats are left of 40"});
  expect_refused(run({"--convert", file, path("out.ply"), "--iterations", "5"}), 2, {"--iterations"});
  expect_refused(run({"--info", file, "--morton"}), 2, {"--morton"});
  expect_refused(run({"--convert", file, file + "/out.ply"}), 2, {"a.ply", "not a folder"});
  EXPECT_EQ(files(), before);
  fs::create_directory(path("folder.ply"));
  expect_refused(run({"--convert", file, path("folder.ply")}), 2, {"folder.ply", "is a folder"});
  ASSERT_EQ(run({"--convert", file, path("no/such/folder/out.ply")}).code, 0);  // is made, as for --train
  EXPECT_EQ(read("no/such/folder/out.ply").gaussians.size(), 40u);
}

TEST_F(Convert, AFullDiskLeavesNothing) {
  const std::string file = write("a.ply", cloud(6000, 3));
  for (const char* name : {"out.ply", "out.glb", "out.sog"}) {
    const size_t before = files();
    RunOptions options;
    options.largest_file_bytes = 50'000;
    expect_refused(run({"--convert", file, path(name)}, options), 1, {name});
    EXPECT_EQ(files(), before) << name;
  }
}

TEST_F(Convert, InterruptedItLeavesNothing) {
  const std::string file = write("a.ply", cloud(60000, 3));
  const size_t before = files();
  Ran ran;
  for (const int milliseconds : {200, 800, 3200}) {
    RunOptions options;
    options.signal = 2;  // SIGINT
    options.when = [=, start = std::chrono::steady_clock::now()] {
      return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(milliseconds);
    };
    ran = run({"--convert", file, path("out.sog"), "--threads", "1"}, options);
    if (ran.code == 0) GTEST_SKIP() << "it was done before the signal came";
    if (!ran.err.empty()) break;  // else the signal came before the program had begun
  }
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find("nothing was written"), std::string::npos) << ran.err;
  EXPECT_EQ(files(), before);
}

// Nobody writes into the pipe: there is no safe point to wait for, and one signal is enough.
TEST_F(Convert, OneSignalEndsTheWaitForAPipe) {
  using Clock = std::chrono::steady_clock;
  ASSERT_EQ(mkfifo(path("a.ply").c_str(), 0600), 0);
  const size_t before = files();
  Ran ran;
  for (const int milliseconds : {200, 800, 3200}) {
    Clock::time_point signalled{};
    RunOptions options;
    options.signal = 15;  // SIGTERM
    options.when = [&, start = Clock::now()] {
      return (signalled = Clock::now()) - start > std::chrono::milliseconds(milliseconds);
    };
    ran = run({"--convert", path("a.ply"), path("out.spz")}, options);
    EXPECT_LT(Clock::now() - signalled, std::chrono::seconds(2));  // 0.7 s where the machine is free
    if (!ran.err.empty()) break;                                   // else the signal came before the program had begun
  }
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find("interrupted; nothing was written"), std::string::npos) << ran.err;
  EXPECT_EQ(files(), before);
}

TEST_F(Convert, WhatAKilledRunLeftIsRemovedByTheNext) {
  const std::string file = write("a.ply", cloud(10, 0));
  const std::string part = ".hipsplat.part" + std::to_string(splat::test::dead_process()) + "-0";
  for (const char* name : {"out.spz", "other.spz"}) std::ofstream(path(name + part)) << "half";
  ASSERT_EQ(run({"--convert", file, path("out.spz")}).code, 0);
  EXPECT_FALSE(fs::exists(path("out.spz" + part)));
  EXPECT_TRUE(fs::exists(path("other.spz" + part))) << "not of this file";
}

TEST_F(Convert, ColouredPointsBecomeRoundSplats) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string colours = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  folder_.write("points.ply",
                header + colours + "end_header\n0 0 0 255 0 0\n2 0 0 0 255 0\n0 2 0 0 0 255\n2 2 0 9 9 9\n");
  const Ran ran = run({"--convert", path("points.ply"), path("out.ply")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("4 coloured points, not splats"), std::string::npos) << ran.err;
  const Gaussians model = read("out.ply").gaussians;
  ASSERT_EQ(model.size(), 4u);
  EXPECT_EQ(model.means[3], 2);
  EXPECT_NEAR(0.5 + 0.28209479 * model.sh[0], 1, 1e-5);
  EXPECT_NEAR(std::exp(model.log_scales[0]), std::sqrt((4.0 + 4 + 8) / 3) / 2, 1e-3);
  EXPECT_GT(model.logit_opacities[0], 4);
  const nlohmann::json info = run({"--info", path("points.ply"), "--json"}).json_lines().at(0);
  EXPECT_EQ(info["format"], "PLY point cloud");
  EXPECT_EQ(info["splats"], 4);
  std::string lonely = header;  // one far away is no larger than the others
  lonely.replace(lonely.find("vertex 4"), 8, "vertex 5");
  folder_.write(
      "lonely.ply",
      lonely + colours + "end_header\n0 0 0 255 0 0\n2 0 0 0 255 0\n0 2 0 0 0 255\n2 2 0 9 9 9\n90 0 0 9 9 9\n");
  ASSERT_EQ(run({"--convert", path("lonely.ply"), "-o", path("out.ply")}).code, 0);
  EXPECT_EQ(read("out.ply").gaussians.log_scales[12], read("out.ply").gaussians.log_scales[0]);
  folder_.write("mesh.ply", header + "end_header\n0 0 0\n2 0 0\n0 2 0\n2 2 0\n");
  expect_refused(run({"--convert", path("mesh.ply"), "-o", path("out.ply")}), 2, {"mesh.ply", "point cloud or mesh"});
}

// ---- --info
TEST_F(Convert, InfoShowsBoundsAndHistograms) {
  Gaussians model = cloud(2000, 1);
  model.means[0] = 1e6f;  // one stray splat
  const std::string file = write("a.ply", model);
  const nlohmann::json info = run({"--info", file, "--json"}).json_lines().at(0);
  EXPECT_GT(info["bounds"]["max"][0].get<double>(), 9e5);
  EXPECT_LT(info["robust_bounds"]["max"][0].get<double>(), 4);
  EXPECT_EQ(info["opacity_histogram"]["counts"].size(), 10u);
  size_t counted = 0;
  for (const auto& count : info["opacity_histogram"]["counts"]) counted += count.get<size_t>();
  EXPECT_EQ(counted, 2000u);
  EXPECT_NE(info["warnings"].dump().find("--crop-box"), std::string::npos) << info["warnings"];
  const Ran text = run({"--info", file});
  for (const char* part : {"opacity", "size", "####", "98 % within"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << text.out;
}

// Flat splats on a wavy surface, each turned to lie on it.
Gaussians surface(bool xyzw) {
  Gaussians model = cloud(4000, 0);
  for (size_t i = 0; i < model.size(); ++i) {
    const double x = model.means[3 * i], y = model.means[3 * i + 1];
    model.means[3 * i + 2] = float(std::sin(2 * x) + std::cos(2 * y));
    model.log_scales[3 * i + 2] = -9;  // thin along z
    // From z to the surface's normal.
    const double nx = -2 * std::cos(2 * x), ny = 2 * std::sin(2 * y), length = std::sqrt(nx * nx + ny * ny + 1);
    const double w = 1 + 1 / length, qx = -ny / length, qy = nx / length;
    const double q[4] = {w, qx, qy, 0};
    for (size_t k = 0; k < 4; ++k) model.quats[4 * i + k] = float(q[xyzw ? (k + 1) % 4 : k]);
  }
  return model;
}

TEST_F(Convert, InfoFindsTheWrongQuaternionOrder) {
  const auto warnings = [&](const std::string& file) {
    return run({"--info", file, "--json"}).json_lines().at(0)["warnings"].dump();
  };
  EXPECT_EQ(warnings(write("right.ply", surface(false))), "[]");
  const std::string wrong = write("wrong.ply", surface(true));
  EXPECT_NE(warnings(wrong).find("--repair rotation"), std::string::npos) << warnings(wrong);
  ASSERT_EQ(run({"--convert", wrong, path("cured.ply"), "--repair", "rotation"}).code, 0);
  EXPECT_EQ(warnings(path("cured.ply")), "[]");
  EXPECT_EQ(read("cured.ply").gaussians.quats, read("right.ply").gaussians.quats);
}

TEST_F(Convert, InfoFindsActivatedValuesAndTheCureWorks) {
  const Gaussians good = cloud(500, 1);
  Gaussians model = good;
  for (float& value : model.logit_opacities) value = 1 / (1 + std::exp(-value));
  for (float& value : model.log_scales) value = std::exp(value);
  const std::string file = write("activated.ply", model);
  EXPECT_NE(run({"--info", file}).out.find("--repair opacity,scale"), std::string::npos);
  ASSERT_EQ(run({"--convert", file, path("cured.ply"), "--repair", "scale,opacity"}).code, 0);
  const Gaussians cured = read("cured.ply").gaussians;
  for (size_t i = 0; i < good.size(); ++i)
    ASSERT_NEAR(cured.logit_opacities[i], good.logit_opacities[i],
                1e-4 * std::max(1.0f, std::abs(good.logit_opacities[i])));
  for (size_t i = 0; i < good.log_scales.size(); ++i) ASSERT_NEAR(cured.log_scales[i], good.log_scales[i], 1e-5);
  EXPECT_TRUE(run({"--info", path("cured.ply"), "--json"}).json_lines().at(0)["warnings"].empty());
  expect_refused(run({"--convert", file, path("no.ply"), "--repair", "size"}), 2, {"--repair", "size", "rotation"});
}

TEST_F(Convert, TheCureOfAnyOtherUpLeadsToYDown) {
  for (const std::array<double, 3> up : {std::array<double, 3>{0, 1, 0},
                                         {0, 0, 1},
                                         {0, 0, -1},
                                         {1, 0, 0},
                                         {-1, 0, 0},
                                         {0.48, 0.6, -0.64},
                                         {-0.6, -0.48, 0.64}}) {
    SCOPED_TRACE(testing::Message() << up[0] << " " << up[1] << " " << up[2]);
    io::SplatFileInfo info;
    info.view_up = up;
    const std::string file = write("tilted.ply", cloud(20, 0), info);
    const nlohmann::json said = run({"--info", file, "--json"}).json_lines().at(0);
    EXPECT_EQ(said["up_source"], "the file");
    const std::string warning = said["warnings"].at(0);
    const size_t begin = warning.find("\"rotate"), end = warning.find('"', begin + 1);
    ASSERT_NE(end, std::string::npos) << warning;
    ASSERT_EQ(
        run({"--convert", file, "-o", path("up.ply"), "--transform", warning.substr(begin + 1, end - begin - 1)}).code,
        0);
    const auto turned = read("up.ply").view_up;
    ASSERT_TRUE(turned);
    EXPECT_NEAR((*turned)[1], -1, 1e-5) << warning;
  }
}

TEST_F(Convert, InfoLearnsFromTheCamerasBesideWhichWayIsUp) {
  // Held upright in a world that is y-up.
  const std::string cameras =
      R"([{"id": 0, "img_name": "a.jpg", "width": 40, "height": 30, "position": [0, 0, 5],
           "rotation": [[1, 0, 0], [0, -1, 0], [0, 0, -1]], "fx": 30, "fy": 30}])";
  fs::create_directories(path("scene/point_cloud/iteration_7"));
  fs::create_directories(path("scene/other/folder"));
  const std::string file = write("scene/point_cloud/iteration_7/point_cloud.ply", cloud(20, 0));
  const std::string elsewhere = write("scene/other/folder/a.ply", cloud(20, 0)),
                    beside = write("scene/b.ply", cloud(20, 0));
  const auto said = [&](const std::string& name) { return run({"--info", name, "--json"}).json_lines().at(0); };
  EXPECT_TRUE(said(file)["up"].is_null());
  EXPECT_NE(run({"--info", file}).out.find("up           not stated"), std::string::npos);
  folder_.write("scene/cameras.json", cameras);
  for (const std::string& name : {file, beside}) {
    EXPECT_NEAR(said(name)["up"][1].get<double>(), 1, 1e-9) << name;
    EXPECT_NE(said(name)["warnings"].dump().find("rotate 180 0 0"), std::string::npos) << said(name)["warnings"];
    EXPECT_NE(said(name)["up_source"].dump().find("cameras.json"), std::string::npos);
  }
  EXPECT_TRUE(said(elsewhere)["up"].is_null());
  folder_.write("scene/cameras.json", "[");
  EXPECT_TRUE(said(file)["up"].is_null());
}

TEST_F(Convert, SplatsOfWhichNoFileCanHoldAnyAreRefused) {
  const std::string good = write("good.ply", cloud(300, 0));
  std::string bytes;
  {
    std::ifstream file(good, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const size_t rows = bytes.find("end_header\n") + 11, row_bytes = (bytes.size() - rows) / 300;
  for (size_t row = 0; row < 300; ++row) std::memset(bytes.data() + rows + row * row_bytes, 0xFF, 4);  // x: NaN
  folder_.write("invalid.ply", bytes);
  for (const char* name : {"a.ply", "a.spz", "a.splat"}) {
    expect_refused(run({"--convert", path("invalid.ply"), path(name)}), 2, {"none of the 300 splats"});
    EXPECT_FALSE(fs::exists(path(name)));
  }
}

TEST_F(Convert, TheSpzVersionIsForSpzAlone) {
  const std::string start = write("start.ply", cloud(50, 0));
  expect_refused(run({"--convert", start, path("a.ply"), "--spz-version", "3"}), 2, {"--spz-version", "a.ply"});
  EXPECT_FALSE(fs::exists(path("a.ply")));
  EXPECT_EQ(run({"--convert", start, path("a.spz"), "--spz-version", "3"}).code, 0);
}

TEST_F(Convert, NamesCannotGarbleTheTerminal) {
  const std::string odd = write("odd \x1b[31m\nname.ply", cloud(50, 0));
  const Ran info = run({"--info", odd}),
            missing = run({"--info", path("no \x1b[5m\n" + std::string(3000, 'x') + ".ply")});
  EXPECT_EQ(info.code, 0);
  EXPECT_EQ(info.out.find('\x1b'), std::string::npos) << info.out;
  expect_refused(missing, 2, {"no ?[5m?"});
  EXPECT_EQ(missing.err.find('\x1b'), std::string::npos);
  EXPECT_LT(missing.err.size(), 600u) << "a long name is shortened";
}

TEST_F(Convert, ColouredPointsAreRenderedAsTheyAreConverted) {
  folder_.write("points.ply",
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
                "0 0 2 255 0 0\n0.5 0 2 0 255 0\n0 0.5 2 0 0 255\n");
  folder_.write("cameras.json", R"([{"id":0,"img_name":"a","width":32,"height":32,"position":[0,0,0],)"
                                R"("rotation":[[1,0,0],[0,1,0],[0,0,1]],"fx":32,"fy":32}])");
  const Ran ran = run({"--render", path("points.ply"), "--cameras", path("cameras.json"), "-o", path("pictures")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::exists(path("pictures/a.png")));
}

// As text, so that nothing but the file's own bytes is believed.
std::vector<double> wide_positions(const std::string& path, size_t row_bytes) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<double> positions;
  for (size_t at = bytes.find("end_header\n") + 11; at + row_bytes <= bytes.size(); at += row_bytes)
    for (size_t k = 0; k < 3; ++k) std::memcpy(&positions.emplace_back(), bytes.data() + at + 8 * k, 8);
  return positions;
}

TEST_F(Convert, SurveyCoordinatesAreWrittenBack) {
  const std::array<double, 3> origin{500'000.25, 5'400'321.5, 117.125};
  const Gaussians model = cloud(500, 0);
  const std::string local = write("local.ply", model, {.frame = {origin, 25832}});
  ASSERT_EQ(run({"--convert", local, path("survey.ply"), "--survey"}).code, 0);
  const std::vector<double> positions = wide_positions(path("survey.ply"), 3 * 8 + 14 * 4);
  ASSERT_EQ(positions.size(), model.means.size());
  for (size_t i = 0; i < positions.size(); ++i)
    ASSERT_NEAR(positions[i], double(model.means[i]) + origin[i % 3], 1e-3 / 1e5);
  const nlohmann::json info = run({"--info", path("survey.ply"), "--json"}).json_lines().at(0);
  EXPECT_EQ(info["epsg"], 25832);
  EXPECT_EQ(info["origin"][1], 5'400'321.5);
  // There and back, by way of a format that has no place for it.
  ASSERT_EQ(run({"--convert", path("survey.ply"), path("a.glb")}).code, 0);
  ASSERT_EQ(run({"--convert", path("a.glb"), path("again.ply"), "--survey"}).code, 0);
  const std::vector<double> again = wide_positions(path("again.ply"), 3 * 8 + 14 * 4);
  ASSERT_EQ(again.size(), positions.size());
  for (size_t i = 0; i < positions.size(); ++i) ASSERT_NEAR(again[i], positions[i], 1e-8);
}

TEST_F(Convert, WhatHasNoSurveyCoordinatesSaysSo) {
  const std::string placed = write("placed.ply", cloud(50, 0), {.frame = {{5e5, 5e6, 0}, 25832}});
  const std::string plain = write("plain.ply", cloud(50, 0));
  expect_refused(run({"--convert", placed, path("out.spz"), "--survey"}), 2, {"out.spz", "double precision"});
  expect_refused(run({"--convert", plain, path("out.ply"), "--survey"}), 2, {"plain.ply", "where on earth"});
  expect_refused(run({"--convert", placed, path("out.ply"), "--survey", "--transform", "scale 2"}), 2, {"--transform"});
  expect_refused(run({"--train", path("x"), "-o", path("y"), "--survey"}), 2, {"--survey"});
  EXPECT_FALSE(fs::exists(path("out.ply")));
  ASSERT_EQ(run({"--convert", placed, path("out.ply"), "--transform", "scale 2"}).code, 0);
  EXPECT_FALSE(read("out.ply").frame.says_something());
}

// Two scans of one place, each counted from its own origin.
TEST_F(Convert, ScenesAreMergedWhereTheyLie) {
  const Gaussians model = cloud(50, 0);
  const std::string a = write("a.ply", model, {.frame = {{5e5, 5e6, 0}, 25832}});
  const std::string b = write("b.ply", model, {.frame = {{5e5 + 40, 5e6 - 3.5, 1}, 25832}});
  ASSERT_EQ(run({"--convert", a, b, path("both.ply")}).code, 0);
  const io::SplatFile both = read("both.ply");
  EXPECT_EQ(both.frame, (io::SceneFrame{{5e5, 5e6, 0}, 25832}));
  const std::array<double, 3> shift{40, -3.5, 1};
  for (size_t i = 0; i < model.means.size(); ++i)
    ASSERT_NEAR(both.gaussians.means[model.means.size() + i], model.means[i] + shift[i % 3], 1e-5);
  const std::string other = write("other.ply", model, {.frame = {{5e5, 5e6, 0}, 31467}});
  expect_refused(run({"--convert", a, other, path("out.ply")}), 2, {"other.ply", "31467", "25832"});
  const std::string plain = write("plain.ply", model);
  const Ran ran = run({"--convert", a, plain, path("out.ply")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("same frame"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace app::test
