// Splat files of other programs through the commands: what is read, what is said, what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using io::test::golden_splats;
using io::test::GoldenPly;

void add(GoldenPly& ply, const std::string& name, double value, const char* type = "float") {
  ply.types.resize(ply.properties.size(), "float");
  ply.types.push_back(type);
  ply.properties.push_back(name);
  for (auto& row : ply.rows) row.push_back(value);
}

struct ForeignSplats : ::testing::Test {
  splat::test::TempFolder folder;
};

TEST_F(ForeignSplats, WhatIsNotReadIsListedAndWarnedOf) {
  GoldenPly ply = golden_splats(0, 3);
  for (int i = 0; i < 4; ++i) add(ply, "semantic_" + std::to_string(i), 1);
  const fs::path path = folder.write("labels.ply", ply.bytes());
  const Ran info = run({"--info", path, "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(info.json_lines().at(0)["unread"], nlohmann::json({"semantic_0 to semantic_3"}));
  EXPECT_NE(run({"--info", path}).out.find("not read     semantic_0 to semantic_3"), std::string::npos);
  const Ran converted = run({"--convert", path, folder.path() / "out.ply"});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_NE(converted.err.find("missing in the result: semantic_0 to semantic_3"), std::string::npos) << converted.err;
}

TEST_F(ForeignSplats, IncompleteSplatsAreNotShownAsPoints) {
  GoldenPly ply = golden_splats(0, 3);
  ply.properties[9] = "transparency";
  add(ply, "red", 200, "uchar"), add(ply, "green", 20, "uchar"), add(ply, "blue", 2, "uchar");
  const fs::path path = folder.write("splats.ply", ply.bytes());
  expect_refused(run({"--info", path}), 2, {"splats.ply", "has f_dc_*, scale_*, rot_*", "opacity"});
  expect_refused(run({"--convert", path, folder.path() / "out.ply"}), 2, {"opacity"});
  EXPECT_FALSE(fs::exists(folder.path() / "out.ply"));
}

// A mesh with colours at its corners, which would do as points.
TEST_F(ForeignSplats, MeshesAreCalledSo) {
  const std::string corners =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  const std::string rows = "0 0 0 9 0 0\n1 0 0 0 9 0\n0 1 0 0 0 9\n";
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const Ran mesh = run({"--info", folder.write("m.ply", corners + faces + rows + "3 0 1 2\n")});
  ASSERT_EQ(mesh.code, 0) << mesh.err;
  EXPECT_NE(mesh.out.find("3 coloured corners of a mesh, which the window shows"), std::string::npos) << mesh.out;
  const Ran points = run({"--info", folder.write("p.ply", corners + "end_header\n" + rows)});
  EXPECT_NE(points.out.find("3 coloured points, not splats"), std::string::npos) << points.out;
  EXPECT_NE(mesh.out.find("not read     the element 'face'"), std::string::npos) << mesh.out;
  EXPECT_EQ(points.out.find("not read"), std::string::npos) << points.out;
  expect_refused(run({"--info", folder.write("m.obj", "v 0 0 0\n")}), 2, {"m.obj", "a mesh (OBJ), which the window"});
}

// Points of a survey, and splats whose positions floats cannot hold.
TEST_F(ForeignSplats, PositionsFarFromZero) {
  const auto ply = [&](const char* name, const std::string& type, bool splats) {
    GoldenPly file = splats ? golden_splats(0, 40) : GoldenPly();
    if (!splats) file.properties = {"x", "y", "z"}, file.rows.resize(40, std::vector<double>(3));
    file.types.resize(file.properties.size(), "float");
    for (size_t c = 0; c < 3; ++c) file.types[c] = type;
    for (size_t i = 0; i < file.rows.size(); ++i)
      for (size_t c = 0; c < 3; ++c) file.rows[i][c] = 5'400'000 + 0.01 * double(i);
    if (!splats) add(file, "red", 200, "uchar"), add(file, "green", 20, "uchar"), add(file, "blue", 2, "uchar");
    return run({"--info", folder.write(name, file.bytes()), "--json"}).json_lines().at(0);
  };
  for (const bool splats : {false, true}) {
    const nlohmann::json exact = ply("doubles.ply", "double", splats);
    EXPECT_NEAR(exact["origin"][0].get<double>(), 5'400'000, 1);
    EXPECT_NEAR(exact["bounds"]["max"][0].get<double>() - exact["bounds"]["min"][0].get<double>(), 0.39, 1e-5);
    EXPECT_EQ(exact["warnings"].dump().find("step by"), std::string::npos);
    const nlohmann::json coarse = ply("floats.ply", "float", splats);
    EXPECT_TRUE(coarse["origin"].is_null());
    EXPECT_NE(coarse["warnings"].dump().find("step by 0.5"), std::string::npos) << coarse["warnings"];
  }
}

TEST_F(ForeignSplats, PointersOfGitAreNamedForDatasetsToo) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
  fs::create_directories(folder.path() / "set/images");
  folder.write("set/sparse/0/cameras.bin", pointer);
  folder.write("set/sparse/0/images.bin", pointer);
  folder.write("set/sparse/0/points3D.bin", pointer);
  expect_refused(run({"--info", folder.path() / "set"}), 2, {".bin", "git lfs pull"});
  expect_refused(run({"--info", folder.write("nerf/transforms.json", pointer)}), 2,
                 {"transforms.json", "git lfs pull"});
}

}  // namespace
}  // namespace app::test
