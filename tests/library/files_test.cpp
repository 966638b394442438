#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/library/some_splats.h"
#include "tests/support/temp_folder.h"

namespace {

void expect_same(const float* a, const float* b, size_t count) { EXPECT_TRUE(std::equal(a, a + count, b)); }

using hs_test::File;

File load(const std::filesystem::path& path) {
  hs_file* file = nullptr;
  EXPECT_EQ(hs_load(path.c_str(), &file), HS_OK) << hs_error();
  return File(file);
}

hs_splats splats_of(const File& file) {
  hs_splats splats{};
  splats.struct_size = sizeof splats;
  EXPECT_EQ(hs_file_splats(file.get(), &splats), HS_OK) << hs_error();
  return splats;
}

TEST(LibraryFiles, PlyKeepsEveryBitAndWhatIsSaidOfTheScene) {
  const splat::test::TempFolder folder;
  const hs_test::Arrays arrays = hs_test::some_splats(5000, 3);
  hs_splats given = arrays.splats();
  given.antialiased = 1;
  given.up[1] = -1;
  given.origin[0] = 500000;
  given.epsg = 25832;
  given.low_pass = 0.1;
  hs_save_report report{};
  report.struct_size = sizeof report;
  const auto path = folder.path() / "a.ply";
  ASSERT_EQ(hs_save(path.c_str(), &given, nullptr, &report), HS_OK) << hs_error();
  EXPECT_EQ(report.written, 5000u);
  EXPECT_EQ(report.sh_degree, 3);
  const File file = load(path);
  const hs_splats read = splats_of(file);
  ASSERT_EQ(read.count, 5000u);
  ASSERT_EQ(read.sh_degree, 3);
  expect_same(read.means, given.means, 3 * 5000);
  expect_same(read.quats, given.quats, 4 * 5000);
  expect_same(read.log_scales, given.log_scales, 3 * 5000);
  expect_same(read.logit_opacities, given.logit_opacities, 5000);
  expect_same(read.sh, given.sh, 48 * 5000);
  EXPECT_EQ(read.antialiased, 1);
  EXPECT_EQ(read.up[1], -1);
  EXPECT_EQ(read.origin[0], 500000);
  EXPECT_EQ(read.epsg, 25832);
  EXPECT_EQ(read.low_pass, 0.1);
  given.low_pass = 0;
  ASSERT_EQ(hs_save(path.c_str(), &given, nullptr, nullptr), HS_OK);
  EXPECT_EQ(splats_of(load(path)).low_pass, 0.3) << "the usual one";
  given.low_pass = -1;
  ASSERT_EQ(hs_save(path.c_str(), &given, nullptr, nullptr), HS_OK);
  EXPECT_EQ(splats_of(load(path)).low_pass, -1) << "none";
}

TEST(LibraryFiles, EveryFormatIsWrittenAndReadAgain) {
  const splat::test::TempFolder folder;
  const hs_test::Arrays arrays = hs_test::some_splats(300, 1);
  const hs_splats given = arrays.splats();
  for (const char* name : {"a.ply", "a.compressed.ply", "a.splat", "a.spz", "a.sog", "a.glb"}) {
    SCOPED_TRACE(name);
    hs_save_report report{};
    report.struct_size = sizeof report;
    const auto path = folder.path() / name;
    ASSERT_EQ(hs_save(path.c_str(), &given, nullptr, &report), HS_OK) << hs_error();
    EXPECT_EQ(report.written, 300u);
    const std::string format = name;
    EXPECT_EQ(std::string(report.losses).empty(), format == "a.ply" || format == "a.glb") << report.losses;
    const File file = load(path);
    EXPECT_EQ(splats_of(file).count, 300u);
    hs_file_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(hs_file_describe(file.get(), &info), HS_OK);
    EXPECT_STRNE(info.format, "");
    EXPECT_EQ(info.invalid_rows, 0u);
  }
}

TEST(LibraryFiles, TheVersionOfAnSpzCanBeChosen) {
  const splat::test::TempFolder folder;
  const hs_test::Arrays arrays = hs_test::some_splats(30, 0);
  const hs_splats given = arrays.splats();
  for (const int version : {3, 4}) {
    const auto path = folder.path() / ("v" + std::to_string(version) + ".spz");
    const hs_save_options options{sizeof options, version, 1};
    ASSERT_EQ(hs_save(path.c_str(), &given, &options, nullptr), HS_OK) << hs_error();
    hs_file_info info{};
    info.struct_size = sizeof info;
    const File file = load(path);
    ASSERT_EQ(hs_file_describe(file.get(), &info), HS_OK);
    EXPECT_NE(std::string(info.format).find("version " + std::to_string(version)), std::string::npos) << info.format;
  }
}

TEST(LibraryFiles, OddNumbersAndUnreadPropertiesAreReported) {
  const splat::test::TempFolder folder;
  const auto path = folder.write("odd.ply",
                                 "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                                 "property float z\nproperty float f_dc_0\nproperty float f_dc_1\nproperty float "
                                 "f_dc_2\nproperty float opacity\nproperty float scale_0\nproperty float scale_1\n"
                                 "property float scale_2\nproperty float rot_0\nproperty float rot_1\nproperty float "
                                 "rot_2\nproperty float rot_3\nproperty float motion\nend_header\n"
                                 "0 0 1 0 0 0 0 -2 -2 -2 1 0 0 0 7\n0 nan 1 0 0 0 0 -2 -2 -2 1 0 0 0 7\n");
  const File file = load(path);
  hs_file_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(hs_file_describe(file.get(), &info), HS_OK);
  EXPECT_EQ(info.invalid_rows, 1u);
  EXPECT_NE(std::string(info.warnings).find("not read: "), std::string::npos) << info.warnings;
  hs_save_report report{};
  report.struct_size = sizeof report;
  const hs_splats splats = splats_of(file);
  ASSERT_EQ(hs_save((folder.path() / "b.ply").c_str(), &splats, nullptr, &report), HS_OK) << hs_error();
  EXPECT_EQ(report.written, 1u);
  EXPECT_EQ(report.dropped, 1u);
}

// What lies beside the named file and was not written with it is somebody's.
TEST(LibraryFiles, NoFileBesideIsReplacedThatIsNotItsOwn) {
  const splat::test::TempFolder folder;
  const hs_test::Arrays arrays = hs_test::some_splats(50, 0);
  hs_splats given = arrays.splats();
  const auto scene = folder.write("index.spz", "a scene"), page = folder.path() / "index.html";
  EXPECT_EQ(hs_save(page.c_str(), &given, nullptr, nullptr), HS_ERROR_FILE);
  EXPECT_NE(std::string(hs_error()).find("index.spz"), std::string::npos) << hs_error();
  EXPECT_EQ(std::filesystem::file_size(scene), 7u);
  EXPECT_FALSE(std::filesystem::exists(page));
  std::filesystem::remove(scene);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(hs_save(page.c_str(), &given, nullptr, nullptr), HS_OK) << hs_error();
  folder.write("b.splat.scene.json", R"({"epsg": 4326})");
  given.epsg = 25832;
  EXPECT_EQ(hs_save((folder.path() / "b.splat").c_str(), &given, nullptr, nullptr), HS_ERROR_FILE);
  EXPECT_NE(std::string(hs_error()).find("b.splat.scene.json"), std::string::npos) << hs_error();
}

TEST(LibraryFiles, WhatCannotBeReadOrWrittenIsASentence) {
  const splat::test::TempFolder folder;
  const auto text = folder.write("text.ply", "this is no splat file");
  hs_file* file = reinterpret_cast<hs_file*>(&file);
  for (const auto& path : {folder.path() / "absent.ply", text, folder.path(), folder.write("empty.spz", "")}) {
    EXPECT_EQ(hs_load(path.c_str(), &file), HS_ERROR_FILE) << path;
    EXPECT_NE(std::string(hs_error()).find(path.filename().string()), std::string::npos) << hs_error();
    EXPECT_EQ(file, nullptr);
  }
  const hs_test::Arrays arrays = hs_test::some_splats(3, 0);
  const hs_splats given = arrays.splats();
  for (const char* name : {"a.ksplat", "a.txt", "a", "no/such/folder/a.ply"})
    EXPECT_EQ(hs_save((folder.path() / name).c_str(), &given, nullptr, nullptr), HS_ERROR_FILE) << name;
}

}  // namespace
