// Which splat files are recognised, and the errors for others.
#include "io/io.h"

#include <gtest/gtest.h>

#include "io/beside_splats.h"
#include "io/bytes.h"
#include "io/splats/formats.h"
#include "tests/io/error_sentence.h"
#include "tests/io/splats/ply/golden_ply.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;

TEST(SplatFormatByExtension, NamesTheFormat) {
  EXPECT_EQ(*splat_format_by_extension("a/b.ply"), SplatFormat::kPly);
  EXPECT_EQ(*splat_format_by_extension("B.PLY"), SplatFormat::kPly);
  EXPECT_EQ(*splat_format_by_extension("b.ply.splat"), SplatFormat::kSplat);
  EXPECT_EQ(*splat_format_by_extension("b.Compressed.PLY"), SplatFormat::kCompressedPly);
  EXPECT_EQ(*splat_format_by_extension("b.spz"), SplatFormat::kSpz);
  for (const char* folder : {"out", "out/", "a.ply/out", "out.d"})
    EXPECT_FALSE(splat_format_by_extension(folder)->has_value()) << folder;
  expect_sentence(splat_format_by_extension("a.ksplat"), {"a.ksplat", "cannot write", ".ply", ".spz"});
}

TEST(SplatFormats, TheTableIsSound) {
  for (const SplatFormatEntry& entry : splat_formats()) {
    EXPECT_EQ(&splat_format(entry.format), &entry) << entry.name;
    EXPECT_FALSE(entry.name.empty());
    ASSERT_FALSE(entry.extensions.empty()) << entry.name;
    for (const std::string_view extension : entry.extensions)
      EXPECT_EQ(format_by_extension("a" + std::string(extension)), &entry) << extension;
    EXPECT_TRUE(entry.write || entry.loss.empty()) << entry.name;
    EXPECT_EQ(entry.write == nullptr, entry.output_extensions.empty()) << entry.name;
    for (const std::string_view extension : entry.output_extensions)
      EXPECT_EQ(format_by_extension("a" + std::string(extension)), &entry) << extension;
  }
}

TEST(SplatFormats, WritingKeepsTheDegreeThatTheTableNames) {
  const TempFolder folder;
  splat::Gaussians model;
  model.sh_degree = splat::kMaxShDegree;
  model.resize(300);
  for (size_t i = 0; i < model.size(); ++i) model.quats[4 * i] = 1, model.means[3 * i] = float(i);
  for (size_t i = 0; i < model.sh.size(); ++i) model.sh[i] = 0.01f * float(i % 37);
  for (const SplatFormatEntry& entry : splat_formats())
    for (const std::string_view extension : entry.output_extensions) {
      const fs::path path = folder.path() / ("a" + std::string(extension));
      const auto report = write_splat_file(path, model);
      ASSERT_TRUE(report.ok()) << report.error().message;
      EXPECT_EQ(report->sh_degree, entry.max_sh_degree) << extension;
      if (!entry.read) continue;
      const auto file = read_splat_file(path);
      ASSERT_TRUE(file.ok()) << file.error().message;
      EXPECT_EQ(file->gaussians.sh_degree, entry.max_sh_degree) << extension;
      EXPECT_EQ(file->kind, entry.format) << extension;
    }
  EXPECT_EQ(write_splat_file(folder.path() / "b.ply", model, {}, {.max_sh_degree = 1})->sh_degree, 1);
  expect_sentence(write_splat_file(folder.path() / "b.gltf", model), {"b.gltf", "glTF", ".glb"});
  expect_sentence(write_splat_file(folder.path() / "b.txt", model), {"b.txt", "splat file", ".ply"});
}

TEST(SplatFormats, WhatIsLostOfHigherBandsIsSaidWhereThereAreAny) {
  const TempFolder folder;
  for (const int degree : {0, 1})
    for (const SplatFormatEntry& entry : splat_formats()) {
      if (!entry.write) continue;
      splat::Gaussians model;
      model.sh_degree = degree;
      model.resize(3);
      for (size_t i = 0; i < model.size(); ++i) model.quats[4 * i] = 1;
      const auto report = write_splat_file(folder.path() / ("a" + std::string(entry.output_extensions[0])), model);
      ASSERT_TRUE(report.ok()) << report.error().message;
      std::vector<std::string> expected;
      for (const std::string_view loss : {entry.loss, degree > 0 ? entry.loss_of_bands : ""})
        if (!loss.empty()) expected.emplace_back(loss);
      EXPECT_EQ(report->losses, expected) << entry.name;
      EXPECT_EQ(entry.loss.empty(), entry.loss_of_bands.empty()) << entry.name;
    }
  EXPECT_EQ(splat_format(SplatFormat::kSplat).loss_of_bands, ".splat keeps no view-dependent colour");
}

// A reference system in feet: glTF's positions stay as they are, so that the unit has to be said.
TEST(SplatFormats, TheUnitOfASurveyStaysBesideGltf) {
  const TempFolder folder;
  splat::Gaussians model;
  model.resize(1);
  model.means = {10, 20, 30};
  model.quats = {1, 0, 0, 0};
  for (const int epsg : {0, 2263}) {
    const SceneFrame frame{{}, epsg, 0.3048};
    ASSERT_TRUE(write_splat_file(folder.path() / "a.glb", model, {.frame = frame}).ok());
    const auto file = read_splat_file(folder.path() / "a.glb");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->frame, epsg == 0 ? (SceneFrame{{}, 0, 1}) : frame);
    EXPECT_NEAR(file->gaussians.means[0], epsg == 0 ? 3.048 : 10, 1e-5);
  }
}

// As rows that come from a device, or from files that go on the way.
TEST(SplatFormats, RowsThatCannotBeReadCostNoFileThatWasThere) {
  const TempFolder folder;
  struct Gone {};
  for (const char* name : {"a.ply", "a.spz"}) {
    const fs::path path = folder.write(name, "old");
    const SplatRows rows{100'000, 0, [](size_t first, size_t count, splat::Gaussians& block) {
                           if (first > 0 || count == 100'000) throw Gone{};
                           block.resize(count);
                           for (size_t i = 0; i < count; ++i) block.quats[4 * i] = 1;
                         }};
    EXPECT_THROW((void)write_splat_file(path, rows), Gone);
    EXPECT_EQ(*read_file(path), "old");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
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

TEST(ReadSplatFile, WhatIsNoneIsNamed) {
  const TempFolder folder;
  const auto read = [&](const char* name, std::string_view bytes) {
    return read_splat_file(folder.write(name, bytes));
  };
  expect_sentence(read("x", "NGSP\x04"), {"'" + (folder.path() / "x").string() + "'", "header"});
  expect_sentence(read("x.ply", "\x1f\x8b more"), {"x.ply", "compressed data"});
  expect_sentence(read("x.spz", "0123456789"), {"x.spz", "no SPZ file"});
  expect_sentence(read("x.splat", "0123456789"), {"x.splat", "multiple of 32"});
  expect_sentence(read("x.ksplat", "0123456789"), {"x.ksplat", "header"});
  expect_sentence(read("x.ply", "0123456789"), {"x.ply", "does not start with 'ply'"});
  expect_sentence(read("x.jpg", "0123456789"), {"x.jpg", "not a splat file", ".ply"});
  expect_sentence(read("x", ""), {"empty"});
  expect_sentence(read_splat_file(folder.path() / "gone.ply"), {"gone.ply"});
  expect_sentence(read_splat_file(folder.path()), {"folder"});
}

TEST(ReadSplatFile, RealFilesAreRecognisedUnderAnyName) {
  const fs::path splats = test_paths::data() / "splats";
  if (!fs::exists(splats)) GTEST_SKIP() << "the real splats are not beside the source tree";
  const TempFolder folder;
  for (const auto& [name, kind] : {std::pair("biker.spz", SplatFormat::kSpz),
                                   {"minimal-v2.spz", SplatFormat::kSpz},
                                   {"minimal.ksplat", SplatFormat::kKsplat},
                                   {"playbot_31k_sh2_c1.ksplat", SplatFormat::kKsplat},
                                   {"playbot_31k_sh2.compressed.ply", SplatFormat::kCompressedPly},
                                   {"playbot_31k_sh2.ply", SplatFormat::kPly}}) {
    const auto file = read_splat_file(splats / name);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->kind, kind) << name;
    EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
    fs::copy_file(splats / name, folder.path() / "renamed.splat", fs::copy_options::overwrite_existing);
    const auto renamed = read_splat_file(folder.path() / "renamed.splat");
    ASSERT_TRUE(renamed.ok()) << renamed.error().message;
    EXPECT_EQ(renamed->kind, kind) << name;
    ASSERT_EQ(renamed->warnings.size(), 1u) << name;
    EXPECT_NE(renamed->warnings[0].find("named like .splat"), std::string::npos) << renamed->warnings[0];
  }
}

// NAME.scene.json says things of one file: those of another program that has its name by now are not believed, and
// what somebody else wrote is not replaced.
class SceneJsonBeside : public testing::Test {
 protected:
  SceneJsonBeside() {
    model_.resize(20);
    for (size_t i = 0; i < model_.size(); ++i) model_.quats[4 * i] = 1, model_.means[3 * i] = float(i);
    other_ = model_;
    other_.means[0] = 7;
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  const TempFolder folder_;
  splat::Gaussians model_, other_;
  const SplatFileInfo placed_{.frame = {{1000, 2000, 3}, 25832, 0}};
};

TEST_F(SceneJsonBeside, IsBelievedOfItsOwnFileAlone) {
  for (const char* name : {"a.spz", "a.splat", "a.sog"}) {
    const fs::path file = path(name);
    ASSERT_TRUE(write_splat_file(file, model_, placed_).ok());
    EXPECT_EQ(read_splat_file(file)->frame.epsg, 25832) << name;
    ASSERT_TRUE(write_splat_file(path(std::string("b-") + name), other_).ok());
    fs::rename(path(std::string("b-") + name), file);  // as another program replaces it
    const auto stale = read_splat_file(file);
    ASSERT_TRUE(stale.ok());
    EXPECT_EQ(stale->frame.epsg, 0) << name;
    ASSERT_EQ(stale->warnings.size(), 1u) << name;
    EXPECT_NE(stale->warnings[0].find(std::string(name) + ".scene.json"), std::string::npos) << stale->warnings[0];
    EXPECT_TRUE(write_splat_file(file, other_).ok()) << "which has nothing to say";
    expect_sentence(write_splat_file(file, other_, {.frame = {{1, 2, 3}, 4326, 0}}),
                    {std::string(name) + ".scene.json", "not written with"});
    EXPECT_TRUE(write_splat_file(file, other_, placed_).ok()) << "the same is no loss";
    EXPECT_EQ(read_splat_file(file)->frame.epsg, 25832);
    ASSERT_TRUE(write_splat_file(file, other_).ok());
    EXPECT_FALSE(fs::exists(scene_json_of(file))) << "its own, with nothing to say";
  }
}

TEST_F(SceneJsonBeside, OfOthersStays) {
  const std::string foreign = R"({"camera": "of a viewer"})", by_hand = R"({"epsg": 4326})";
  for (const std::string& text : {foreign, by_hand, std::string("no JSON")}) {
    const fs::path file = path("a.spz"), beside = folder_.write("a.spz.scene.json", text);
    expect_sentence(write_splat_file(file, model_, placed_), {"a.spz.scene.json", "not written with"});
    EXPECT_EQ(*read_file(beside), text);
    EXPECT_FALSE(fs::exists(file));
    EXPECT_TRUE(write_splat_file(file, model_, placed_, {}, {.replace = true}).ok());
    EXPECT_EQ(read_splat_file(file)->frame.epsg, 25832);
    fs::remove(file);
  }
  folder_.write("a.spz.scene.json", foreign);
  EXPECT_TRUE(write_splat_file(path("a.spz"), model_).ok());
  EXPECT_EQ(*read_file(path("a.spz.scene.json")), foreign);
}

// A low pass that somebody wrote beside another program's file: the file may be saved anew, in whose header it is then.
TEST_F(SceneJsonBeside, WhatIsTrueOfTheNewFileAsWellStays) {
  for (const char* name : {"a.ply", "a.glb", "a.spz"}) {
    ASSERT_TRUE(write_splat_file(path(name), model_).ok());
    folder_.write(std::string(name) + ".scene.json", R"({"low_pass": 0.1})");
    const auto file = read_splat_file(path(name));
    EXPECT_EQ(file->low_pass, 0.1f);
    const auto saved = write_splat_file(path(name), file->gaussians, info_of(*file));
    ASSERT_TRUE(saved.ok()) << name << ": " << saved.error().message;
    EXPECT_EQ(read_splat_file(path(name))->low_pass, 0.1f);
    EXPECT_TRUE(fs::exists(scene_json_of(path(name))));
  }
}

TEST_F(SceneJsonBeside, ByHandIsBelieved) {
  ASSERT_TRUE(write_splat_file(path("a.spz"), model_).ok());
  folder_.write("a.spz.scene.json", R"({"epsg": 4326})");
  EXPECT_EQ(read_splat_file(path("a.spz"))->frame.epsg, 4326);
}

}  // namespace
}  // namespace io::test
