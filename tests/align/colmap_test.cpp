// What COLMAP prints, recorded from 3.8 and 4.1 (tests/support/colmap/recorded), and what is made of its options and
// versions.
#include "align/colmap/colmap.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "align/causes.h"
#include "align/colmap/model_files.h"
#include "align/colmap/progress_lines.h"
#include "io/system_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace align {
namespace {

namespace fs = std::filesystem;

std::vector<ColmapLine> lines_of(const std::string& name) {
  std::ifstream file(test_paths::source() / "tests/support/colmap/recorded" / name);
  std::vector<ColmapLine> lines;
  for (std::string line; std::getline(file, line);)
    if (const auto parsed = parse_colmap_line(line)) lines.push_back(*parsed);
  return lines;
}

size_t count_of(const std::vector<ColmapLine>& lines, ColmapLine::Kind kind) {
  return size_t(std::count_if(lines.begin(), lines.end(), [&](const ColmapLine& line) { return line.kind == kind; }));
}

std::string number(uint64_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

// A binary model of one photo without a point.
void write_model(const splat::test::TempFolder& folder, const std::string& name) {
  folder.write(name + "/cameras.bin", number(0));
  folder.write(name + "/points3D.bin", number(0));
  folder.write(name + "/images.bin", number(1) + std::string(64, '\0') + "a.jpg" + '\0' + number(0));
}

TEST(ModelFiles, AModelThatIsReplacedIsThereAtEveryMoment) {
  const splat::test::TempFolder folder;
  write_model(folder, "new");
  const fs::path target = folder.path() / "scene/sparse/0";
  ASSERT_TRUE(copy_model(folder.path() / "new", {{"a.jpg", "b.jpg"}}, target).ok());
  for (const char* name : {"one", "other"}) fs::create_directories(folder.path() / name);
  if (io::system_file::exchange(folder.path() / "one", folder.path() / "other") != 0)
    GTEST_SKIP() << "this file system cannot exchange two folders in one step";
  std::atomic<bool> ended{false};
  std::atomic<int> missed{0}, looked{0};
  std::thread reader([&] {
    for (; !ended; ++looked) missed += ::access((target / "images.bin").c_str(), F_OK) != 0;
  });
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(copy_model(folder.path() / "new", {{"a.jpg", "c.jpg"}}, target).ok());
  ended = true;
  reader.join();
  EXPECT_GT(looked, 100);
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(summarise_model(target)->names, std::vector<std::string>{"c.jpg"});
  EXPECT_EQ(std::distance(fs::directory_iterator(target.parent_path()), {}), 1);
}

TEST(ColmapLines, ExtractionIsFollowed) {
  for (const char* version : {"3.8", "4.1"}) {
    const auto lines = lines_of(std::string("feature_extractor_") + version + ".txt");
    ASSERT_GE(count_of(lines, ColmapLine::kFile), 5u) << version;
    EXPECT_EQ(lines[0].kind, ColmapLine::kFile);
    EXPECT_EQ(lines[0].done, 1u);
    EXPECT_EQ(lines[0].total, 15u);
    EXPECT_EQ(lines[1].kind, ColmapLine::kFileName);
    EXPECT_EQ(lines[1].text, "DSC_0423.jpg");
    EXPECT_EQ(lines[2].kind, ColmapLine::kFeatures);
    EXPECT_EQ(lines[2].done, version[0] == '3' ? 6039u : 3234u);
  }
}

TEST(ColmapLines, MatchingIsFollowed) {
  for (const char* version : {"3.8", "4.1"}) {
    const auto lines = lines_of(std::string("matches_importer_") + version + ".txt");
    ASSERT_EQ(lines.size(), 1u) << version;
    EXPECT_EQ(lines[0].kind, ColmapLine::kBlock);
    EXPECT_EQ(lines[0].total, 1u);
  }
  const auto block = parse_colmap_line("Matching block [2/3, 1/3]");
  EXPECT_EQ(block->done, 3u);
  EXPECT_EQ(block->total, 9u);
}

TEST(ColmapLines, MappingIsFollowed) {
  for (const char* version : {"3.8", "4.1"}) {
    const auto lines = lines_of(std::string("mapper_") + version + ".txt");
    EXPECT_GE(count_of(lines, ColmapLine::kFirstPair), 1u) << version;
    EXPECT_GE(count_of(lines, ColmapLine::kNotRegistered), 3u) << version;
    for (const ColmapLine& line : lines) {
      if (line.kind != ColmapLine::kRegistering) continue;
      EXPECT_EQ(line.image, 3u) << version;
      EXPECT_EQ(line.done, 2u) << version;  // two photos are registered by then, however the version counts
      break;
    }
  }
  EXPECT_EQ(parse_colmap_line("  => No good initial image pair found.")->kind, ColmapLine::kNoFirstPair);
  EXPECT_EQ(parse_colmap_line("  ERROR: Failed to read image file format.")->text, "Failed to read image file format.");
  for (const char* other : {"", "Registering image #", "Processed file", "Matching block [", "I2026 no bracket",
                            "Matching block [0/0, 0/0]", "Processed file [99999999999999999999999/2]"})
    parse_colmap_line(other);  // nothing to be read, nothing that breaks
}

class ColmapOptions : public testing::TestWithParam<const char*> {
 protected:
  ColmapOptions() {
    setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
    setenv("FAKE_COLMAP_VERSION", GetParam(), 1);
  }
  ~ColmapOptions() override {
    unsetenv("HIPSPLAT_COLMAP");
    unsetenv("FAKE_COLMAP_VERSION");
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, ColmapOptions, testing::Values("3.8", "4.1.1"),
                         [](const auto& info) { return info.param[0] == '3' ? "Colmap38" : "Colmap41"; });

TEST_P(ColmapOptions, TheSpellingOfTheVersionIsTaken) {
  auto colmap = Colmap::find();
  ASSERT_TRUE(colmap.ok()) << colmap.error().message;
  EXPECT_EQ(colmap->version(), GetParam());
  ColmapArguments arguments(*colmap, "feature_extractor");
  arguments.add({"SiftExtraction.use_gpu", "FeatureExtraction.use_gpu"}, "0")
      .add("SiftExtraction.max_num_features", "7")
      .add("No.such_option", "1");
  const char* use_gpu = GetParam()[0] == '3' ? "--SiftExtraction.use_gpu" : "--FeatureExtraction.use_gpu";
  EXPECT_EQ(arguments.list(),
            (std::vector<std::string>{"feature_extractor", use_gpu, "0", "--SiftExtraction.max_num_features", "7"}));
}

TEST(Colmap, WhatIsNoColmapIsRefused) {
  setenv("HIPSPLAT_COLMAP", "/bin/true", 1);
  EXPECT_FALSE(Colmap::find().ok());
  setenv("HIPSPLAT_COLMAP", "/no/such/colmap", 1);
  const auto none = Colmap::find();
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("is not installed"), std::string::npos);
  unsetenv("HIPSPLAT_COLMAP");
}

// ---- why photos found no place

PhotoGraph graph(size_t photos, const std::map<ImagePair, Verified>& verified) {
  std::vector<DatabaseImage> images;
  std::map<std::string, std::string> names;
  for (uint32_t i = 1; i <= photos; ++i) {
    images.push_back({i, 1, "w" + std::to_string(i), 1000});
    names["w" + std::to_string(i)] = "P" + std::to_string(i);
  }
  return graph_of(images, verified, names);
}

TEST(Causes, IslandsAreFound) {
  const PhotoGraph found =
      graph(7, {{{1, 2}, {40, 3}}, {{2, 3}, {15, 3}}, {{4, 5}, {99, 2}}, {{3, 4}, {14, 3}}, {{6, 7}, {0, 1}}});
  ASSERT_EQ(found.components.size(), 2u);
  EXPECT_EQ(found.components[0], (std::vector<std::string>{"P1", "P2", "P3"}));
  EXPECT_EQ(found.components[1], (std::vector<std::string>{"P4", "P5"}));
  EXPECT_EQ(found.isolated, (std::vector<std::string>{"P6", "P7"}));
  const std::string text = explain(found, 7, 3);
  EXPECT_NE(text.find("2 groups with no overlap between them: 3 (P1 to P3), 2 (P4 to P5)"), std::string::npos) << text;
  EXPECT_NE(text.find("these share nothing with any other: P6, P7"), std::string::npos) << text;
}

TEST(Causes, EachCauseHasItsSentence) {
  EXPECT_NE(explain(graph(4, {}), 4, 0).find("no two photos show the same things"), std::string::npos);
  EXPECT_NE(explain(graph(3, {{{1, 2}, {50, 5}}, {{2, 3}, {50, 6}}}), 3, 0).find("turned on the spot in 2 of 2 pairs"),
            std::string::npos);
  const std::map<ImagePair, Verified> chain{{{1, 2}, {50, 3}}, {{2, 3}, {50, 3}}};
  EXPECT_NE(explain(graph(3, chain), 3, 0).find("no two of them fix a first pair of cameras"), std::string::npos);
  EXPECT_NE(explain(graph(3, chain), 3, 2).find("something moved"), std::string::npos);
  EXPECT_NE(explain(graph(5, chain), 5, 3).find("too little overlap; these share nothing"), std::string::npos);
}

TEST(Causes, AFullDiskAndARemovedFolderComeBeforeWhatColmapSays) {
  const splat::test::TempFolder folder;
  EXPECT_EQ(lack_of_room(folder.path(), uint64_t(1) << 30), "");
  EXPECT_NE(lack_of_room(folder.path(), 300 << 10).find("is full (300 KiB are left); make room"), std::string::npos);
  EXPECT_NE(lack_of_room(folder.path() / "gone", uint64_t(1) << 30).find("gone' was removed while"), std::string::npos);
}

TEST(Causes, PhotosThatShowTheSameButFitNowhereAreNamed) {
  const std::map<ImagePair, Verified> pairs{{{1, 2}, {99, 2}}, {{2, 3}, {99, 2}}, {{1, 4}, {60, 2}}, {{2, 4}, {60, 2}}};
  const std::string text = explain(graph(4, pairs), 4, 3, {"P4"});
  EXPECT_NE(text.find("1 of them clearly show what the others show"), std::string::npos) << text;
  EXPECT_NE(text.find("something large moved"), std::string::npos) << text;
  EXPECT_NE(text.find("P4"), std::string::npos) << text;
  EXPECT_EQ(explain(graph(4, pairs), 4, 2, {"P3", "P4"}).find("clearly show"), std::string::npos)
      << "one pair may be by chance, and so may those with photos that found no place themselves";
}

TEST(Causes, MissingPhotosAreNamedBesideTheirNeighbours) {
  EXPECT_EQ(missing_beside({"a", "b", "c", "d"}, {"a", "c", "d"}), "a (next to b), c (next to b), d");
}

}  // namespace
}  // namespace align
