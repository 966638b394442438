// Photos without cameras through the program, with the stand-in for colmap.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "io/bytes.h"
#include "io/image_file.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

class AlignCommandTest : public testing::Test {
 protected:
  AlignCommandTest() {
    setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
    for (int i = 0; i < 10; ++i)
      folder_.write("photos/photo " + std::to_string(i) + ".jpg",
                    io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, i), 90));
  }
  ~AlignCommandTest() override {
    for (const char* name : {"HIPSPLAT_COLMAP", "FAKE_COLMAP_FAIL", "FAKE_COLMAP_DELAY_MS"}) unsetenv(name);
  }
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  nlohmann::json json_of(const char* name) const {
    return nlohmann::json::parse(*io::read_file(folder_.path() / name));
  }

  splat::test::TempFolder folder_;
};

TEST_F(AlignCommandTest, PhotosBecomeADataset) {
  const Ran ran = run({"--align", path("photos"), "-o", path("scene"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json summary = ran.summary();
  EXPECT_EQ(summary["photos"], 10);
  EXPECT_EQ(summary["registered"], 10);
  EXPECT_EQ(summary["missing"], nlohmann::json::array());
  std::set<std::string> stages;
  for (const nlohmann::json& line : ran.json_lines())
    if (line["type"] == "align") stages.insert(line["stage"].get<std::string>());
  EXPECT_EQ(stages, (std::set<std::string>{"photos", "features", "matching", "verification", "mapping", "refinement"}));
  const Ran info = run({"--info", path("scene"), "--json"});
  EXPECT_EQ(info.code, 0) << info.err;
}

TEST_F(AlignCommandTest, TrainingFindsTheCamerasFirst) {
  const Ran ran = run({"--train", path("photos"), "-o", path("out"), "-i", "3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("has no cameras: finding them first"), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(folder_.path() / "out/align/sparse/0/images.bin"));
  const nlohmann::json alignment = json_of("out/metrics.json")["alignment"];
  EXPECT_EQ(alignment["registered"], 10);
  EXPECT_NEAR(alignment["reprojection_error_px"].get<double>(), 0.7, 1e-9);
  std::ifstream report(folder_.path() / "out/report.html");
  const std::string page{std::istreambuf_iterator<char>(report), {}};
  EXPECT_NE(page.find("10 of 10"), std::string::npos);
  const Ran again = run({"--train", path("photos"), "-o", path("other.ply"), "-i", "1"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(fs::exists(folder_.path() / "other-align/sparse/0"));
}

TEST_F(AlignCommandTest, WhatCannotWorkEndsInOneSentence) {
  expect_refused(run({"--align", path("photos")}), 2, {"align needs -o SCENE"});
  expect_refused(run({"--align", path("none"), "-o", path("scene")}), 2, {"there is no"});
  folder_.write("text.txt", "no photo");
  expect_refused(run({"--align", path("text.txt"), "-o", path("scene")}), 2,
                 {"neither a folder of photos nor a video"});
  fs::create_directories(folder_.path() / "empty");
  expect_refused(run({"--align", path("empty"), "-o", path("scene")}), 2, {"holds 0 photos that can be used"});
  for (const char* video : {"films/x.mp4", "films/y.MOV"}) folder_.write(video, "ftyp");
  expect_refused(run({"--align", path("films"), "-o", path("scene")}), 2,
                 {"2 videos", "x.mp4, y.MOV", "hipsplat align", "films/x.mp4"});
  expect_refused(run({"--train", path("films"), "-o", path("out")}), 2,
                 {"2 videos", "one of them", "hipsplat train", "films/x.mp4"});
  for (int i = 0; i < 10; ++i) folder_.write("scans/" + std::to_string(i) + ".tif", "II*");
  expect_refused(run({"--align", path("scans"), "-o", path("scene")}), 2,
                 {"10 pictures are there in a format that hipsplat does not read (0.tif"});
  expect_refused(run({"--align", path("photos"), "-o", path("photos/in")}), 2, {"lies among the photos"});
  expect_refused(run({"--align", path("photos"), "-o", path("scene"), "--matcher", "magic"}), 2, {"ours or colmap"});
  setenv("FAKE_COLMAP_FAIL", "mapper=segv", 1);
  expect_refused(run({"--align", path("photos"), "-o", path("scene")}), 1, {"signal 11", "align.log"});
  setenv("HIPSPLAT_COLMAP", "/no/colmap", 1);
  expect_refused(run({"--align", path("photos"), "-o", path("scene")}), 1, {"is not installed"});
}

// As a drone's card has it: the proxy and the subtitles mean nothing, and the log names the video that is taken.
TEST_F(AlignCommandTest, AFolderWithOneVideoIsThatVideo) {
  for (const char* name : {"card/DJI_0001.MP4", "card/DJI_0001.LRF", "card/DJI_0001.SRT"}) folder_.write(name, "none");
  for (const Ran& ran : {run({"--align", path("card"), "-o", path("scene")}), run({"--info", path("card")}),
                         run({"--train", path("card"), "-o", path("out")})}) {
    EXPECT_NE(ran.code, 0);
    EXPECT_NE(ran.err.find("holds one video and no photos: taking '" + path("card/DJI_0001.MP4")), std::string::npos)
        << ran.err;
  }
}

TEST_F(AlignCommandTest, CamerasOfSomebodyElseAreKept) {
  folder_.write("scene/sparse/0/cameras.bin", "somebody's work");
  expect_refused(run({"--align", path("photos"), "-o", path("scene")}), 2,
                 {"scene/sparse/0", "has not found", "choose another folder"});
  EXPECT_EQ(*io::read_file(folder_.path() / "scene/sparse/0/cameras.bin"), "somebody's work");
  EXPECT_FALSE(fs::exists(folder_.path() / "scene/work"));
}

// What stands in align.json may be anybody's: it is in the report where it can be true.
TEST_F(AlignCommandTest, CountsThatCannotBeAreNotReported) {
  ASSERT_EQ(run({"--align", path("photos"), "-o", path("scene")}).code, 0);
  const auto train = [&](const std::string& counts) {
    folder_.write("scene/align.json",
                  R"({"result": {"reprojection_error_px": 0.7, "track_length": 3, )" + counts + "}}");
    const Ran ran = run({"--train", path("scene"), "-o", path("out"), "-i", "1"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json_of("out/metrics.json").value("alignment", nlohmann::json());
  };
  EXPECT_EQ(train(R"("photos": 12, "registered": 10)")["registered"], 10);
  for (const char* counts : {R"("photos": 1e300, "registered": 1e300)", R"("photos": 10, "registered": -5)",
                             R"("photos": 10, "registered": 11)", R"("photos": 2.5, "registered": 2)"})
    EXPECT_TRUE(train(counts).is_null()) << counts;
}

TEST_F(AlignCommandTest, ASecondOneIntoTheSameFolderIsRefused) {
  setenv("FAKE_COLMAP_DELAY_MS", "100", 1);
  Ran second;
  RunOptions options;
  options.signal = SIGINT;
  options.when = [&] {
    if (!fs::exists(folder_.path() / "scene" / "work" / "database.db")) return false;
    second = run({"--align", path("photos"), "-o", path("scene")});
    return true;
  };
  EXPECT_EQ(run({"--align", path("photos"), "-o", path("scene")}, options).code, 130);
  expect_refused(second, 2, {path("scene"), "is in use", "process"});
  unsetenv("FAKE_COLMAP_DELAY_MS");
  EXPECT_EQ(run({"--align", path("photos"), "-o", path("scene")}).code, 0);
  EXPECT_FALSE(fs::exists(folder_.path() / "scene/.hipsplat.lock"));
}

TEST_F(AlignCommandTest, TheLogSaysWhatAFailedProgramPrintedLast) {
  setenv("FAKE_COLMAP_FAIL", "mapper=exit", 1);
  const auto expect_in_log = [this](const char* file) {
    const auto log = io::read_file(folder_.path() / file);
    ASSERT_TRUE(log.ok()) << file;
    EXPECT_NE(log->find("  | Check failed: something is odd\n"), std::string::npos) << *log;
    EXPECT_NE(log->find("error: colmap mapper ended with exit code 2"), std::string::npos) << *log;
  };
  const Ran ran = run({"--train", path("photos"), "-o", path("out"), "-i", "3"});
  expect_refused(ran, 1, {"exit code 2", "something is odd"});
  EXPECT_EQ(ran.err.find("  | "), std::string::npos) << "not on the terminal: " << ran.err;
  expect_in_log("out/log.txt");
  EXPECT_EQ(run({"--align", path("photos"), "-o", path("scene")}).code, 1);
  expect_in_log("scene/log.txt");
  unsetenv("FAKE_COLMAP_FAIL");
  ASSERT_EQ(
      run({"--train", path("photos"), "-o", path("out"), "-i", "3", "--far-points", "0", "--matched-photos", "0"}).code,
      0);
  const std::string whole = *io::read_file(folder_.path() / "out/log.txt");
  EXPECT_NE(whole.find("aligned 10 of 10 photos"), std::string::npos) << whole;
  EXPECT_NE(whole.find(" training 50 splats"), std::string::npos) << whole;
}

TEST_F(AlignCommandTest, WithoutColmapNoFolderIsMade) {
  setenv("HIPSPLAT_COLMAP", "/no/colmap", 1);
  expect_refused(run({"--train", path("photos"), "-o", path("out"), "-i", "3"}), 1, {"is not installed"});
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(AlignCommandTest, InterruptedItSaysHowToGoOn) {
  setenv("FAKE_COLMAP_DELAY_MS", "100", 1);
  RunOptions options;
  options.signal = SIGINT;
  options.when = [this] { return fs::exists(folder_.path() / "scene" / "work" / "database.db"); };
  const Ran ran = run({"--align", path("photos"), "-o", path("scene")}, options);
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_NE(ran.err.find("the same command goes on where it was"), std::string::npos) << ran.err;
  unsetenv("FAKE_COLMAP_DELAY_MS");
  EXPECT_EQ(run({"--align", path("photos"), "-o", path("scene")}).code, 0);
}

}  // namespace
}  // namespace app::test
