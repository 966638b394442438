// Files that are not what their name says, and splat files that come packed.
#include "io/foreign_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/bytes.h"
#include "io/gzip.h"
#include "io/image_file.h"
#include "io/io.h"
#include "io/splats/common/zip_archive.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using splat::test::TempFolder;

const std::string kPointer =
    "version https://git-lfs.github.com/spec/v1\noid "
    "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e"
    "2393\nsize 12345\n";

std::string zip_of(const std::vector<ZipEntry>& entries) { return *make_zip(entries); }

std::string gzipped(const std::string& bytes) {
  std::string packed;
  splat::ThreadPool pool(1);
  GzipWriter writer([&](std::string_view piece) { packed += piece; }, pool);
  writer.write(bytes);
  writer.finish();
  return packed;
}

TEST(ForeignFile, WhatStandsInPlaceOfAFileIsNamedByEveryReader) {
  const TempFolder folder;
  for (const char* name : {"a.ply", "a.splat", "a.spz", "a.sog", "a.glb", "a.ksplat", "a.compressed.ply", "a"}) {
    expect_sentence(read_splat_file(folder.write(name, kPointer)), {name, "Git LFS pointer", "git lfs pull"});
    expect_sentence(read_splat_file(folder.write(name, "\n<!DOCTYPE html><html>404</html>")), {name, "web page"});
    expect_sentence(read_splat_file(folder.write(name, "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>")),
                    {name, "error message of a server"});
  }
  const fs::path photo = folder.write("photo.jpg", kPointer);
  expect_sentence(read_image(photo), {"photo.jpg", "git lfs pull"});
  expect_sentence(read_image_size(photo), {"photo.jpg", "git lfs pull"});
  expect_sentence(read_file(folder.write("cameras.bin", kPointer)), {"cameras.bin", "git lfs pull"});
  EXPECT_TRUE(read_file(folder.write("notes.txt", "see https://git-lfs.github.com")).ok());
}

TEST(ForeignFile, FormatsThatAreNotReadAreNamed) {
  const TempFolder folder;
  struct Case {
    const char *name, *said;
    std::string bytes;
  };
  for (const Case& one : {Case{"a.usda", "USD", "#usda 1.0\n"},
                          Case{"a.ply", "USD", "PXR-USDC\0\0"s},
                          Case{"a.lcc", "LCC", "{\"version\": 4}"},
                          Case{"a.las", "LAS", "LASF\0\0"s},
                          Case{"a.npz", "NumPy", "PK\x03\x04zzzz"s},
                          Case{"a.csv", "table", "x,y,z\n"},
                          Case{"a.obj", "mesh", "v 0 0 0\n"},
                          Case{"a.splatv", "splatv", "\x01\x02"s},
                          Case{"a.ply", "JSON", "{\"message\": \"not found\"}"},
                          Case{"a.splat", "JSON", "[1, 2]"},
                          Case{"a.splat", "look like splats", std::string(64, '0')},
                          Case{"a.lgsc", "L-GSC", "\x01"},
                          Case{"a.4dgs", "moving splats", "\x01"},
                          Case{"a.abc", "Alembic", "Ogawa\xff"},
                          Case{"a.b3dm", "3D Tiles", "b3dm\1"},
                          Case{"a", "3D Tiles", "pnts\1"},
                          Case{"a.xyz", "point cloud", "1 2 3\n"},
                          Case{"a.PTS", "point cloud", "1\n1 2 3\n"},
                          Case{"a.ply", "PNG", "\x89PNG\r\n\x1a\n"s},
                          Case{"a.gz", "gzip", gzipped("hello")}}) {
    const auto result = read_splat_file(folder.write(one.name, one.bytes));
    if (std::string(one.name) == "a.npz") {
      EXPECT_FALSE(result.ok());  // a zip that is cut off
      continue;
    }
    expect_sentence(result, {one.name, one.said});
  }
  expect_sentence(read_splat_file(folder.write("b.npz", zip_of({{"means.npy", "x"}}))), {"NumPy"});
  expect_sentence(read_splat_file(folder.write("b.usdz", zip_of({{"s.usdc", "x"}}))), {"USD"});
  expect_sentence(read_splat_file(folder.write("c.zip", zip_of({{"readme.txt", "x"}}))),
                  {"without splats", "readme.txt", "unpack it"});
  expect_sentence(read_splat_file(folder.write("a.jpg", "\xff\xd8\xff\xe0")),
                  {"JPEG", "no splats", "open the folder of photos"});
}

TEST(ForeignFile, SplatFilesThatComePackedAreRead) {
  const TempFolder folder;
  const std::string ply = golden_splats(1, 3).bytes(), other = golden_splats(0, 1).bytes();
  const auto expected = read_splat_file(folder.write("plain.ply", ply));
  ASSERT_TRUE(expected.ok());
  const std::string zip = zip_of({{"__MACOSX/._a.ply", "x"}, {"out/a.ply", ply}, {"out/notes.txt", "n"}});
  for (const fs::path& path : {folder.write("export.zip", zip), folder.write("scene.ply.gz", gzipped(ply)),
                               folder.write("named.spz", gzipped(ply))}) {
    const auto file = read_splat_file(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.sh, expected->gaussians.sh) << path;
    EXPECT_EQ(file->kind, SplatFormat::kPly);
    EXPECT_NE(file->format.find(path.extension() == ".zip" ? "zip archive" : "gzip"), std::string::npos);
  }
  expect_sentence(read_splat_file(folder.write("two.zip", zip_of({{"a.ply", ply}, {"b.ply", other}}))),
                  {"two.zip", "2 splat files", "a.ply, b.ply"});
  const std::string glb_path = folder.path() / "m.glb";
  ASSERT_TRUE(write_splat_file(glb_path, expected->gaussians).ok());
  for (const auto& [name, whole] : {std::pair("m.ply.gz", ply), {"m.glb.gz", *read_file(glb_path)}}) {
    const size_t middle = whole.size() / 3;
    const std::string members =
        gzipped(whole.substr(0, middle)) + gzipped(whole.substr(middle)) + std::string(512, '\0');
    const auto file = read_splat_file(folder.write(name, members));
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.size(), expected->gaussians.size()) << name;
  }
  const std::string cut = gzipped(ply);
  expect_sentence(read_splat_file(folder.write("cut.ply.gz", cut.substr(0, cut.size() - 20))), {"cut.ply.gz"});
}

}  // namespace
}  // namespace io::test
