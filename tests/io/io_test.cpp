// Which splat files are recognised, and what the others are told.
#include "io/io.h"

#include <gtest/gtest.h>

#include "tests/io/error_sentence.h"
#include "tests/io/splats/golden_ply.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;

TEST(SplatFormatByExtension, NamesTheFormat) {
  EXPECT_EQ(*splat_format_by_extension("a/b.ply"), SplatFormat::kPly);
  EXPECT_EQ(*splat_format_by_extension("B.PLY"), SplatFormat::kPly);
  for (const char* folder : {"out", "out/", "a.ply/out", "out.d"})
    EXPECT_FALSE(splat_format_by_extension(folder)->has_value()) << folder;
  for (const char* later : {"a.spz", "a.splat", "a.SOG", "a.ksplat", "a.glb", "a.compressed.ply"})
    expect_sentence(splat_format_by_extension(later), {later, "cannot write", ".ply"});
}

TEST(ReadSplatFile, ContentCountsBeforeTheName) {
  const TempFolder folder;
  const std::string ply = golden_splats(1, 2).bytes();
  for (const char* name : {"a.ply", "noextension", "wrong.spz", "wrong.splat"}) {
    const auto file = read_splat_file(folder.write(name, ply));
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->gaussians.size(), 2u);
    EXPECT_EQ(file->kind, SplatFormat::kPly);
    const bool wrong = std::string(name).starts_with("wrong");
    ASSERT_EQ(file->warnings.size(), wrong ? 1u : 0u) << name;
    if (wrong) {
      EXPECT_NE(file->warnings[0].find("holds PLY"), std::string::npos) << file->warnings[0];
    }
  }
  GoldenPly windows = golden_splats(0, 1);
  windows.line_end = "\r\n";
  EXPECT_TRUE(read_splat_file(folder.write("crlf", windows.bytes())).ok());
}

TEST(ReadSplatFile, OtherFormatsAreNamed) {
  const TempFolder folder;
  const auto read = [&](const char* name, std::string_view bytes) {
    return read_splat_file(folder.write(name, bytes));
  };
  expect_sentence(read("x", "NGSP\x04"), {"SPZ", "cannot read yet"});
  expect_sentence(read("x.ply", "\x1f\x8b more"), {"SPZ", "cannot read yet"});
  expect_sentence(read("x", "PK\x03\x04zip"), {"SOG", "cannot read yet"});
  expect_sentence(read("x", "glTF\x02"), {"glTF", "cannot read yet"});
  expect_sentence(read("x.splat", "0123456789"), {".splat", "cannot read yet"});
  expect_sentence(read("x.ksplat", "0123456789"), {".ksplat", "cannot read yet"});
  expect_sentence(read("x.ply", "0123456789"), {"x.ply", "does not start with 'ply'"});
  expect_sentence(read("x.jpg", "0123456789"), {"x.jpg", "not a splat file", ".ply"});
  expect_sentence(read("x", ""), {"empty"});
  expect_sentence(read_splat_file(folder.path() / "gone.ply"), {"gone.ply"});
  expect_sentence(read_splat_file(folder.path()), {"folder"});
}

TEST(ReadSplatFile, RealFilesOfOtherFormats) {
  const fs::path splats = fs::path(HIPSPLAT_SOURCE_DIR) / "../shared/data/splats";
  if (!fs::exists(splats)) GTEST_SKIP() << "the real splats are not beside the source tree";
  for (const char* name : {"biker.spz", "minimal-v2.spz", "minimal.splat", "minimal.ksplat", "playbot_31k_sh2.sog",
                           "playbot_31k_sh2.compressed.ply"})
    expect_sentence(read_splat_file(splats / name), {name, "cannot read yet"});
  EXPECT_TRUE(read_splat_file(splats / "playbot_31k_sh2.ply").ok());
}

}  // namespace
}  // namespace io::test
