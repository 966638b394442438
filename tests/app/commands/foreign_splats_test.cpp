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
