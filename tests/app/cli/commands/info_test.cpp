// --info, --doctor, --help and --version through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "io/image_file.h"
#include "splat/train/config.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

TEST(Info, OfASplatFile) {
  const SceneOnDisk scene;
  const std::string file = scene.output("splats.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", file, "-i", "0", "--sh-degree", "2", "--antialias", "--far-points",
                 "0", "--matched-photos", "0"})
                .code,
            0);
  const Ran ran = run({"--info", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json info = ran.json_lines().at(0);
  EXPECT_EQ(info["splats"], 120);
  EXPECT_EQ(info["sh_degree"], 2);
  EXPECT_EQ(info["antialiased"], true);
  EXPECT_TRUE(info["format"].get<std::string>().starts_with("PLY"));
  EXPECT_NE(info["producer"].get<std::string>().find("hipsplat"), std::string::npos);
  EXPECT_EQ(info["bounds"]["min"].size(), 3u);
  EXPECT_LT(info["bounds"]["min"][0].get<double>(), info["bounds"]["max"][0].get<double>());
  EXPECT_TRUE(info["warnings"].is_array());
  const Ran text = run({"--info", file});
  EXPECT_NE(text.out.find("splats       120"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("low pass"), std::string::npos) << "the usual one";
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", file, "-i", "0", "--low-pass", "0.1", "--far-points", "0",
                 "--matched-photos", "0"})
                .code,
            0);
  EXPECT_NE(run({"--info", file}).out.find("low pass     0.1 px^2"), std::string::npos);
  EXPECT_EQ(run({"--info", file, "--json"}).json_lines().at(0)["low_pass"], 0.1);
}

TEST(Info, OfADataset) {
  const SceneOnDisk scene;
  const Ran text = run({"--info", scene.dataset(), "--eval"});
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part : {"COLMAP text", "PINHOLE", "120"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
  const Ran ran = run({"--info", scene.dataset(), "--json", "--eval"});
  ASSERT_EQ(ran.code, 0);
  EXPECT_EQ(ran.json_lines().size(), 1u);
}

TEST(Info, OfADatasetWithoutPointsCountsTheRandomSplats) {
  const SceneOnDisk scene;
  const auto bytes_at_start = [&] {
    const Ran ran = run({"--info", scene.dataset(), "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.json_lines().at(0)["bytes"]["splats_start"].get<size_t>();
  };
  const size_t of_120_points = bytes_at_start();
  fs::remove(fs::path(scene.dataset()) / "sparse/0/points3D.txt");
  EXPECT_EQ(bytes_at_start(), of_120_points / 120 * splat::TrainConfig().random_splats);
}

TEST(Info, OfPhotosWithoutCameras) {
  const splat::test::TempFolder folder;
  for (int i = 0; i < 5; ++i)
    folder.write("photos/" + std::to_string(i) + ".jpg", io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, i), 90));
  folder.write("photos/again.jpg", io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, 0), 90));
  folder.write("photos/broken.jpg", "\xFF\xD8\xFF and no more");
  folder.write("photos/scan.tif", "II*");
  const std::string photos = (folder.path() / "photos").string();
  const Ran ran = run({"--info", photos});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"photos    5 in", "without cameras", "64x48", "broken.jpg", "again.jpg (as 0.jpg)",
                           "'scan.tif' is there, in a format", "to be found: roughly", "hipsplat train"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
  const nlohmann::json json = run({"--info", photos, "--json"}).json_lines().at(0);
  EXPECT_EQ(json["photos"], 5);
  EXPECT_GT(json["align_seconds"].get<double>(), 0);
}

TEST(Info, LooksIntoMasksAndLeavesOut) {
  const SceneOnDisk scene;
  const nlohmann::json before = run({"--info", scene.dataset(), "--json"}).json_lines().at(0);
  EXPECT_TRUE(before["images"]["mask_share"].is_null());
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(scene.dataset()) / "images"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  fs::create_directories(fs::path(scene.dataset()) / "masks");
  splat::Image8 mask = splat::test::flat_picture(8, 6, 1, 255);
  const auto write = [&](const std::string& photo) {
    std::ofstream(fs::path(scene.dataset()) / "masks" / (photo + ".png"), std::ios::binary) << io::encode_png(mask);
  };
  write(names[0]);
  for (size_t i = 0; i < 24; ++i) mask.pixels[i] = 0;
  write(names[1]);
  const Ran ran = run({"--info", scene.dataset(), "--leave-out", names[2]});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const std::string& part : {std::string("the masks exclude 25.0 %"),
                                  "1 of the masks exclude nothing: " + names[0], "left out: " + names[2]})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

TEST(Info, OfNothing) { expect_refused(run({"--info", "/nowhere"}), 2, {"/nowhere"}); }

TEST(Doctor, NamesTheMachineAndWhyThereIsNoGpu) {
  const Ran ran = run({"--doctor", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json doctor = ran.json_lines().at(0);
  std::set<std::string> names;
  for (const auto& backend : doctor["backends"]) {
    for (const char* name : {"name", "usable", "reason", "devices"}) EXPECT_TRUE(backend.contains(name)) << name;
    names.insert(backend["name"].get<std::string>());
    EXPECT_EQ(backend["usable"].get<bool>(), backend["name"] == "cpu");
    EXPECT_FALSE(backend["reason"].get<std::string>().empty());
  }
  EXPECT_EQ(names, (std::set<std::string>{"cpu", "cuda", "hip"}));
  bool rendered = false;
  for (const auto& check : doctor["checks"]) {
    for (const char* name : {"name", "ok", "detail", "cure"}) EXPECT_TRUE(check.contains(name)) << name;
    if (check["name"] == "render") rendered = check["ok"].get<bool>();
  }
  EXPECT_TRUE(rendered);
  EXPECT_GT(doctor["memory_total_bytes"].get<uint64_t>(), 100'000'000u);
  EXPECT_GE(doctor["threads"].get<int>(), 1);

  const Ran text = run({"--doctor"});
  for (const char* part : {"hip", "cuda", "cpu", "simd", "memory"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST(Help, GoesToStdout) {
  const Ran help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("train DATASET -o OUT"), std::string::npos);
  EXPECT_EQ(help.err, "");
  const Ran version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("hipsplat ")) << version.out;
}

}  // namespace
}  // namespace app::test
