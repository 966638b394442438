// --mesh from end to end: splats on a sphere become a mesh of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "io/image_file.h"
#include "io/splats/ply/ply.h"
#include "splat/model/gaussians.h"
#include "tests/quality/shapes/scene.h"
#include "tests/support/dead_process.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

constexpr double kRadius = 2;

// Flat, opaque splats all over a sphere (Fibonacci's spiral), red above and blue below.
splat::Gaussians sphere(size_t count) {
  splat::Gaussians model;
  model.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const double z = 1 - 2 * (double(i) + 0.5) / double(count), r = std::sqrt(1 - z * z), a = 2.399963 * double(i);
    const double n[3] = {r * std::cos(a), r * std::sin(a), z};
    for (size_t k = 0; k < 3; ++k) {
      model.means[3 * i + k] = float(kRadius * n[k]);
      model.log_scales[3 * i + k] = std::log(k == 2 ? 0.002f : 0.03f);
      model.sh[3 * i + k] = (k == (z > 0 ? 0 : 2)) ? 1.7f : -1.7f;
    }
    // From z to n.
    const double w = 1 + n[2];
    const std::array<double, 4> q =
        w > 1e-6 ? std::array<double, 4>{w, -n[1], n[0], 0} : std::array<double, 4>{0, 1, 0, 0};
    for (size_t k = 0; k < 4; ++k) model.quats[4 * i + k] = float(q[k]);
    model.logit_opacities[i] = 6;
  }
  return model;
}

struct Meshing : public testing::Test {
  const splat::test::TempFolder folder;
  const fs::path splats = folder.path() / "sphere.ply";
  void SetUp() override { ASSERT_TRUE(io::write_splat_ply(splats, sphere(12000))); }
};

TEST_F(Meshing, OfASphereOfSplatsIsASphere) {
  const fs::path out = folder.path() / "mesh.ply";
  const fs::path left_by_a_killed_run =
      folder.write("mesh.ply.hipsplat.part" + std::to_string(splat::test::dead_process()) + "-0", "half");
  const Ran ran = run({"--mesh", splats, "-o", out, "--mesh-detail", "coarse", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(fs::exists(left_by_a_killed_run));
  EXPECT_EQ(ran.summary()["open_edges"], 0);
  EXPECT_EQ(ran.summary()["crowded_edges"], 0);
  EXPECT_EQ(ran.summary()["degenerate_faces"], 0);
  EXPECT_NE(ran.err.find("memory: about"), std::string::npos) << ran.err;
  EXPECT_GT(ran.summary()["predicted_seconds"], 0.2 * ran.summary()["seconds"].get<double>());
  EXPECT_LT(ran.summary()["predicted_seconds"], 5 * ran.summary()["seconds"].get<double>()) << "on a busy machine";
  EXPECT_GE(ran.summary()["stages"].size(), 5u);
  EXPECT_EQ(ran.json_lines().at(0)["type"], "stage");
  const std::string bytes = text_of(out);
  const size_t data = bytes.find("end_header\n") + 11, vertices = ran.summary()["vertices"].get<size_t>();
  ASSERT_GT(vertices, 2000u);
  size_t near = 0, coloured = 0;
  for (size_t v = 0; v < vertices; ++v) {
    float p[3];
    std::memcpy(p, bytes.data() + data + 27 * v, sizeof p);
    near += std::abs(std::hypot(p[0], p[1], p[2]) - kRadius) < 0.02 * kRadius;
    const auto red = uint8_t(bytes[data + 27 * v + 24]), blue = uint8_t(bytes[data + 27 * v + 26]);
    coloured += std::abs(p[2]) < 0.2 || (p[2] > 0) == (red > blue);
  }
  EXPECT_GT(double(near), 0.99 * double(vertices));
  EXPECT_GT(double(coloured), 0.99 * double(vertices));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have memory of their own
// Each has its most in another place: the depth maps, the field, the faces, the texture.
TEST_F(Meshing, MemoryIsPredicted) {
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), folder.path() / "scene", 24, 200));
  splat::Gaussians model = sphere(12000);
  for (float& x : model.means) x /= float(kRadius);
  for (float& s : model.log_scales) s -= std::log(float(kRadius));
  std::fill(model.sh.begin(), model.sh.end(), 0.0f);  // the photos show it painted
  const fs::path small = folder.path() / "small.ply";
  ASSERT_TRUE(io::write_splat_ply(small, model));
  const auto expect_predicted = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "--threads", "2", "-o"});
    words.push_back(folder.path() / (words[2] == "--texture" ? "m.glb" : "m.ply"));
    const Ran ran = run(words);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const double predicted = ran.summary()["predicted_bytes"], held = double(ran.peak_rss_bytes);
    EXPECT_GT(predicted, 0.94 * held) << testing::PrintToString(words);
    EXPECT_LT(predicted, 1.1 * held) << testing::PrintToString(words);
  };
  expect_predicted({"--mesh", splats, "--mesh-detail", "coarse"});
  const std::string scene = folder.path() / "scene";
  expect_predicted({"--mesh", small, "--data", scene, "--mesh-detail", "fine"});
  expect_predicted({"--mesh", small, "--data", scene, "--mesh-detail", "fine", "--watertight", "--faces", "20000"});
  expect_predicted({"--mesh", small, "--texture", "4096", "--data", scene});
}
#endif

TEST_F(Meshing, BytesDoNotDependOnThreads) {
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(run({"--mesh", splats, "-o", folder.path() / (std::string(threads) + ".glb"), "--mesh-detail", "coarse",
                   "--texture", "1024", "--threads", threads, "--quiet"})
                  .code,
              0);
  EXPECT_TRUE(text_of(folder.path() / "1.glb") == text_of(folder.path() / "3.glb"));
}

// Seen from above alone, a sphere is a bowl until its hole is closed: no view looks through there.
TEST_F(Meshing, WatertightMeansClosed) {
  const fs::path scene = folder.path() / "scene", images = scene / "sparse" / "0" / "images.txt";
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), scene, 24, 200));
  std::istringstream all(text_of(images));
  std::string above;
  for (std::string line; std::getline(all, line);)
    if (line.find("view_00") != std::string::npos) above += line + "\n\n";
  folder.write("scene/sparse/0/images.txt", above);
  splat::Gaussians model = sphere(12000);
  for (float& x : model.means) x /= float(kRadius);
  for (float& s : model.log_scales) s -= std::log(float(kRadius));
  std::fill(model.sh.begin(), model.sh.end(), 0.0f);  // the photos show it painted
  ASSERT_TRUE(io::write_splat_ply(splats, model));
  const auto made = [&](const std::string& option, const std::string& value = "coarse") {
    const Ran ran = run({"--mesh", splats, "--data", scene, "-o", folder.path() / "m.ply", "--json", option, value});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.summary();
  };
  EXPECT_GT(made("--mesh-detail")["open_edges"], 0);
  const nlohmann::json closed = made("--watertight", "--mesh-detail=coarse");
  EXPECT_EQ(closed["open_edges"], 0);
  EXPECT_EQ(closed["crowded_edges"], 0);
  EXPECT_EQ(closed["degenerate_faces"], 0);
  EXPECT_GT(closed["volume"], 0.3 * 4 / 3 * M_PI);
  EXPECT_LT(closed["volume"], 0.9 * 4 / 3 * M_PI);
}

TEST_F(Meshing, FewerFacesWhereAskedFor) {
  const Ran ran =
      run({"--mesh", splats, "-o", folder.path() / "few.obj", "--mesh-detail", "coarse", "--faces", "2000", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(ran.summary()["faces"].get<int>(), 2000);
  EXPECT_GT(ran.summary()["faces"].get<int>(), 200);
  EXPECT_EQ(ran.summary()["crowded_edges"], 0);
}

TEST_F(Meshing, ATextureIsMadeOfSplatsWithoutPhotos) {
  const fs::path out = folder.path() / "sphere.obj";
  const Ran ran = run({"--mesh", splats, "-o", out, "--mesh-detail", "coarse", "--texture", "1024", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["texture"], 1024);
  EXPECT_LT(ran.summary()["charts"].get<double>(), 0.01 * ran.summary()["faces"].get<double>());
  EXPECT_GT(ran.summary()["texture_filled"], 1.0 / 3);
  EXPECT_TRUE(fs::exists(folder.path() / "sphere.mtl"));
  const auto texture = io::read_image(folder.path() / "sphere.texture.jpg");
  ASSERT_TRUE(texture.ok());
  EXPECT_EQ(texture->width, 1024);
  size_t red = 0, blue = 0, other = 0;
  for (size_t i = 0; i < texture->pixels.size(); i += 3) {
    const int r = texture->pixels[i], g = texture->pixels[i + 1], b = texture->pixels[i + 2];
    red += r > 150 && g < 100 && b < 100;
    blue += b > 150 && g < 100 && r < 100;
    other += g > 120;
  }
  EXPECT_GT(red, 200'000u);
  EXPECT_GT(blue, 200'000u);
  EXPECT_LT(other, 1000u);
}

// Photos of a painted sphere for splats that have its shape and no colour: what the texture shows is the photos, also
// from where it was not photographed.
TEST_F(Meshing, TheTextureComesFromThePhotos) {
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), folder.path() / "scene", 24, 200));
  splat::Gaussians model = sphere(12000);
  for (float& x : model.means) x /= float(kRadius);
  for (float& s : model.log_scales) s -= std::log(float(kRadius));
  std::fill(model.sh.begin(), model.sh.end(), 0.0f);
  ASSERT_TRUE(io::write_splat_ply(splats, model));
  const Ran ran = run({"--mesh", splats, "--data", folder.path() / "scene", "--eval", "-o", folder.path() / "m.glb",
                       "--mesh-detail", "coarse", "--texture", "1024", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.summary()["views"], 21) << "three of 24 are held out";
  EXPECT_GT(ran.summary()["held_out_psnr"], 27);
  EXPECT_GT(ran.summary()["held_out_covered"], 0.2);
}

// The lower half of the box is cut off, in every way of looking.
TEST_F(Meshing, OfARegionIsTheSurfaceInIt) {
  const fs::path out = folder.path() / "half.ply";
  const auto lowest = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--mesh",   splats,           "-o", out, "--mesh-detail", "coarse", "--json",
                                   "--region", "-3,-3,0.5,3,3,3"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string bytes = text_of(out);
    const size_t data = bytes.find("end_header\n") + 11, vertices = ran.summary()["vertices"].get<size_t>();
    EXPECT_GT(vertices, 1000u);
    float low = 9, high = -9;
    for (size_t v = 0; v < vertices; ++v) {
      float p[3];
      std::memcpy(p, bytes.data() + data + 27 * v, sizeof p);
      low = std::min(low, p[2]), high = std::max(high, p[2]);
      EXPECT_NEAR(std::hypot(p[0], p[1], p[2]), kRadius, 0.1);
    }
    EXPECT_NEAR(high, kRadius, 0.05);
    return low;
  };
  EXPECT_NEAR(lowest({}), 0.5, 0.1);
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), folder.path() / "scene", 24, 200));
  splat::Gaussians model = sphere(12000);
  for (float& x : model.means) x /= float(kRadius);
  for (float& s : model.log_scales) s -= std::log(float(kRadius));
  std::fill(model.sh.begin(), model.sh.end(), 0.0f);  // the photos show it painted
  ASSERT_TRUE(io::write_splat_ply(splats, model));
  const Ran ran = run({"--mesh", splats, "--data", folder.path() / "scene", "--eval", "-o", folder.path() / "m.glb",
                       "--mesh-detail", "coarse", "--texture", "1024", "--json", "--region", "-3,-3,0,3,3,3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(ran.summary()["held_out_psnr"], 26);
  EXPECT_GT(ran.summary()["open_edges"], 0) << "it ends at the region";
}

TEST_F(Meshing, PhotosOfAnotherSceneMakeNone) {
  const SceneOnDisk scene;
  const fs::path out = folder.path() / "m.ply";
  expect_refused(run({"--mesh", splats, "--data", scene.dataset(), "-o", out}), 2,
                 {scene.dataset(), "do not show these splats", "no mesh was made"});
  EXPECT_FALSE(fs::exists(out));
}

// Splats that hang beside the sphere, where transparent photos say that nothing is; and no colour is the background's.
TEST_F(Meshing, TransparentPhotosSayWhereNothingIs) {
  const fs::path scene = folder.path() / "scene";
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), scene, 24, 200));
  for (const auto& entry : fs::directory_iterator(scene / "images")) {
    const splat::Image8 photo = io::read_image(entry.path()).value();
    splat::Image8 clear{photo.width, photo.height, 4, {}};
    for (size_t p = 0; p < photo.pixels.size(); p += 3) {
      const bool sphere = photo.pixels[p] + photo.pixels[p + 1] + photo.pixels[p + 2] > 60;
      clear.pixels.insert(clear.pixels.end(), 3, sphere ? 128 : 0);  // as grey as the splats
      clear.pixels.push_back(sphere ? 255 : 0);
    }
    folder.write("scene/images/" + entry.path().filename().string(), io::encode_png(clear));
  }
  splat::Gaussians model = sphere(12000);
  for (size_t i = 0; i < model.size(); ++i)
    for (size_t k = 0; k < 3; ++k) {
      const bool beside = i % 4 == 0;
      float& x = model.means[3 * i + k];
      x = x / float(kRadius) * (beside ? 0.25f : 1.0f) + (beside && k == 0 ? 1.4f : 0.0f);
      model.log_scales[3 * i + k] -= std::log(float(kRadius) * (beside ? 2.0f : 0.7f));
    }
  std::fill(model.sh.begin(), model.sh.end(), 0.0f);
  ASSERT_TRUE(io::write_splat_ply(splats, model));
  const auto made = [&](const std::string& alpha) {
    const fs::path out = folder.path() / "m.ply";
    const Ran ran =
        run({"--mesh", splats, "--data", scene, "--alpha", alpha, "-o", out, "--mesh-detail", "coarse", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string bytes = text_of(out);
    const size_t data = bytes.find("end_header\n") + 11, vertices = ran.summary()["vertices"].get<size_t>();
    float farthest = 0;
    size_t dark = 0;
    for (size_t v = 0; v < vertices; ++v) {
      float p[3];
      std::memcpy(p, bytes.data() + data + 27 * v, sizeof p);
      farthest = std::max(farthest, p[0]);
      const char* rgb = &bytes[data + 27 * v + 24];
      dark += std::max({uint8_t(rgb[0]), uint8_t(rgb[1]), uint8_t(rgb[2])}) < 30;
    }
    EXPECT_GT(vertices, 2000u);
    EXPECT_LT(double(dark), alpha == "empty" ? 1 : 0.2 * double(vertices));
    return farthest;
  };
  EXPECT_LT(made("empty"), 1.05);
  EXPECT_GT(made("ignore"), 1.5) << "their pixels do not count there, so the splats stay";
}

TEST_F(Meshing, WhatCannotBeDoneIsRefused) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(ran.error_lines().size(), 1u) << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  };
  refused({"--mesh", splats, "-o", folder.path() / "m.stl", "--quiet"}, ".glb, .obj, .ply");
  refused({"--mesh", splats, "--quiet"}, "mesh needs -o");
  refused({"--mesh", folder.path() / "none.ply", "-o", folder.path() / "m.ply", "--quiet"}, "none.ply");
  refused({"--mesh", splats, "-o", folder.path() / "m.ply", "--mesh-detail", "huge", "--quiet"}, "coarse");
  refused({"--mesh", splats, "-o", folder.path() / "m.glb", "--texture", "500", "--quiet"}, "1024 to 8192");
  refused({"--mesh", splats, "-o", folder.path() / "m.glb", "--texture", "large", "--quiet"}, "1024 to 8192");
  refused({"--mesh", splats, "-o", folder.path() / "m.ply", "--texture", "2048", "--quiet"}, "cannot hold a texture");
  refused({"--mesh", splats, "-o", folder.path() / "m.ply", "--region", "5,5,5,6,6,6", "--quiet"}, "no splat of");
}

}  // namespace
}  // namespace app::test
