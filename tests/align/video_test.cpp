// Frames of a video: by stand-ins for ffprobe and ffmpeg that give made-up pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "align/align.h"
#include "align/external_tool.h"
#include "align/video/frame_choice.h"
#include "align/video/jpeg_stream.h"
#include "align/video/probe.h"
#include "io/bytes.h"
#include "io/image_file.h"
#include "tests/support/dead_process.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace align {
namespace {

namespace fs = std::filesystem;
using splat::test::wavy_picture;

std::string probe_json(const std::string& duration, const std::string& transfer = "bt709") {
  return R"({"programs": [], "streams": [{"width": 640, "height": 360, "avg_frame_rate": "30000/1001", "color_transfer": ")" +
         transfer + R"("}], "format": {"duration": ")" + duration + R"("}})";
}

TEST(VideoProbe, WhatFfprobeSaysIsUnderstood) {
  const auto info = parse_probe(probe_json("12.5"), "v.mp4");
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info->width, 640);
  EXPECT_NEAR(info->fps, 29.97, 0.01);
  EXPECT_EQ(info->seconds, 12.5);
  EXPECT_FALSE(info->hdr);
  EXPECT_TRUE(parse_probe(probe_json("12.5", "smpte2084"), "v.mp4")->hdr);
  EXPECT_TRUE(parse_probe(probe_json("12.5", "arib-std-b67"), "v.mp4")->hdr);
  for (const char* json : {"", "{}", "[]", "{\"streams\": []}", "{\"streams\": [{}], \"format\": {}}",
                           "{\"streams\": [{\"width\": 5, \"height\": 5}], \"format\": {\"duration\": \"N/A\"}}"})
    EXPECT_FALSE(parse_probe(json, "v.mp4").ok()) << json;
}

std::string stream(int index, int width, const std::string& more = "") {
  return R"({"index": )" + std::to_string(index) + R"(, "width": )" + std::to_string(width) + R"(, "height": )" +
         std::to_string(width / 2) + R"(, "avg_frame_rate": "25/1")" + more + "}";
}

TEST(VideoProbe, TheStreamThatIsTheFilmIsFound) {
  const std::string cover = R"(, "disposition": {"attached_pic": 1}, "avg_frame_rate": "0/0")",
                    film = R"(, "disposition": {"attached_pic": 0}, "nb_frames": "200", "duration": "8")",
                    preview = R"(, "nb_frames": "3", "duration": "0.1")", still = R"(, "nb_frames": "1")";
  struct Case {
    const char* name;
    std::string streams;
    int index;
  };
  for (const Case& one : {
           Case{"cover first", stream(0, 4000, cover) + "," + stream(1, 640, film), 1},
           Case{"cover last", stream(0, 640, film) + "," + stream(2, 4000, cover), 0},
           Case{"two covers", stream(0, 160, cover) + "," + stream(1, 640, film) + "," + stream(3, 300, cover), 1},
           Case{"a still without the mark", stream(0, 4000, still) + "," + stream(1, 640, film), 1},
           Case{"a short preview", stream(0, 1920, preview) + "," + stream(2, 640, film), 2},
           Case{"two cameras", stream(0, 640, film) + "," + stream(1, 1920, film), 1},
           Case{"equal cameras", stream(0, 640, film) + "," + stream(1, 640, film), 0},
           Case{"sound first", stream(1, 640), 1},
       }) {
    const auto info = parse_probe(R"({"streams": [)" + one.streams + R"(], "format": {"duration": "8"}})", "v.mp4");
    ASSERT_TRUE(info.ok()) << one.name;
    EXPECT_EQ(info->stream, one.index) << one.name;
    EXPECT_EQ(info->fps, 25) << one.name;
  }
  EXPECT_FALSE(parse_probe(R"({"streams": [)" + stream(0, 160, cover) + R"(], "format": {"duration": "8"}})", "a.mp3"));
  const std::vector<std::string> words = probe_arguments("v.mp4");
  EXPECT_NE(std::find(words.begin(), words.end(), "v"), words.end());  // all of them
}

TEST(OnlyVideo, ADronesCardIsItsVideo) {
  const splat::test::TempFolder folder;
  EXPECT_EQ(only_video_in(folder.path()), "");
  const fs::path video = folder.write("card/DCIM/100MEDIA/DJI_0001.MP4", "film");
  folder.write("card/DCIM/100MEDIA/DJI_0001.LRF", "proxy");
  folder.write("card/DCIM/100MEDIA/DJI_0001.SRT", "subtitles");
  folder.write("card/DCIM/100MEDIA/._DJI_0001.MP4", "of macOS");
  folder.write("card/DCIM/100MEDIA/DJI_0001.jpg", io::encode_jpeg(wavy_picture(40, 30, 3), 90));
  EXPECT_EQ(only_video_in(folder.path() / "card"), video);
  EXPECT_EQ(only_video_in(folder.path() / "card/DCIM/100MEDIA"), video);
  EXPECT_EQ(only_video_in(video), "");
  folder.write("card/splats.ply", "ply");  // a film beside splats is their film
  EXPECT_EQ(only_video_in(folder.path() / "card"), "");
  fs::remove(folder.path() / "card/splats.ply");
  folder.write("card/DCIM/100MEDIA/DJI_0002.MP4", "film");
  EXPECT_EQ(only_video_in(folder.path() / "card"), "");
  fs::remove(folder.path() / "card/DCIM/100MEDIA/DJI_0002.MP4");
  for (const char* name : {"card/a.jpg", "card/b.jpg"})
    folder.write(name, io::encode_jpeg(wavy_picture(40, 30, 3), 90));
  EXPECT_EQ(only_video_in(folder.path() / "card"), "");  // photos
}

TEST(JpegStream, PicturesAreCutApartWhereverThePiecesEnd) {
  std::vector<std::string> pictures;
  for (int i = 0; i < 3; ++i) pictures.push_back(io::encode_jpeg(wavy_picture(40 + i, 30, 3, i), 80));
  const std::string all = pictures[0] + pictures[1] + pictures[2] + "\xFF\xD8\xFF";
  for (const size_t piece : {size_t(1), size_t(7), size_t(100), all.size()}) {
    std::vector<std::string> found;
    JpegStream stream([&](std::string_view jpeg) { found.emplace_back(jpeg); });
    for (size_t at = 0; at < all.size(); at += piece) stream.add(std::string_view(all).substr(at, piece));
    EXPECT_EQ(found, pictures) << piece;
    EXPECT_FALSE(stream.broken());
    EXPECT_EQ(stream.left(), 3u);
  }
  JpegStream other([](std::string_view) { FAIL(); });
  other.add("no jpeg at all");
  EXPECT_TRUE(other.broken());
}

TEST(FramePlan, TheNumberFollowsFromTheLength) {
  EXPECT_EQ(plan_frames({640, 360, 30, 20, false}, 0).frames, 50);
  EXPECT_EQ(plan_frames({640, 360, 30, 60, false}, 0).frames, 150);
  EXPECT_EQ(plan_frames({640, 360, 30, 4, false}, 0).frames, 24);
  EXPECT_EQ(plan_frames({640, 360, 30, 3600, false}, 0).frames, 300);
  EXPECT_EQ(plan_frames({640, 360, 30, 20, false}, 80).frames, 80);
  const FramePlan few = plan_frames({640, 360, 30, 0.5, false}, 0);  // 15 pictures in all
  EXPECT_EQ(few.frames, 15);
  EXPECT_EQ(few.candidates, 1);
  const FramePlan plan = plan_frames({640, 360, 30, 20, false}, 0);
  EXPECT_EQ(plan.candidates, 3);
  EXPECT_NEAR(plan.candidates_per_second, 7.5, 1e-9);
}

splat::Image8 dots(int shift, int contrast) {
  splat::Image8 image = wavy_picture(320, 240, 3, shift);
  for (size_t i = 0; i < image.pixels.size(); i += 21)
    image.pixels[i] = uint8_t(std::max(0, image.pixels[i] - contrast));
  return image;
}

TEST(FrameChoice, TheSharpestOfEachIntervalIsKeptUnlessNothingChanged) {
  FramePlan plan;
  plan.frames = 4;
  plan.candidates = 3;
  std::vector<std::string> candidates;
  for (const auto& [shift, contrast] : std::vector<std::pair<int, int>>{
           {0, 10}, {0, 90}, {0, 30}, {2, 80}, {2, 10}, {2, 10}, {2, 10}, {2, 10}, {2, 80}, {4, 20}})
    candidates.push_back(io::encode_jpeg(dots(shift, contrast), 95));
  std::vector<std::pair<int, std::string>> kept;
  FrameChoice choice(plan, 0, [&](int interval, const std::string& jpeg) { kept.emplace_back(interval, jpeg); });
  for (const std::string& jpeg : candidates) choice.candidate(jpeg);
  choice.candidate("broken");
  choice.end();
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0], std::pair(0, candidates[1]));
  EXPECT_EQ(kept[1], std::pair(1, candidates[3]));
  EXPECT_EQ(kept[2], std::pair(3, candidates[9]));
  EXPECT_EQ(choice.skipped(), 1);
}

class VideoTest : public testing::Test {
 protected:
  VideoTest() {
    program("ffprobe", "cat <<'END'\n" + probe_json("8") + "\nEND");
    // One file a candidate; -ss, where it is given, skips 3 for each third of a second.
    program("ffmpeg",
            "skip=0; if [ \"$4\" = -ss ]; then skip=$(awk \"BEGIN{print int($5 * 9 + 0.5)}\"); fi\n"
            "echo \"$@\" >> '" +
                (folder_.path() / "calls").string() +
                "'\n"
                "n=0; for f in '" +
                (folder_.path() / "candidates").string() +
                "'/*.jpg; do\n"
                "  n=$((n+1)); [ $n -le $skip ] && continue; cat \"$f\"\n"
                "  [ -n \"$FAKE_FFMPEG_STOP\" ] && [ $n -ge $FAKE_FFMPEG_STOP ] && exit 1\n"
                "done; exit 0");
    char name[32];
    for (int i = 0; i < 72; ++i) {
      std::snprintf(name, sizeof name, "candidates/%03d.jpg", i);
      folder_.write(name, io::encode_jpeg(dots(i, 20 + 40 * (i % 3)), 90));
    }
    path_ = std::getenv("PATH");
    setenv("PATH", ((folder_.path() / "bin").string() + ":" + path_).c_str(), 1);
    setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
    options_.input = folder_.write("film with blank.mp4", "not really");
    options_.scene = folder_.path() / "scene";
    options_.threads = 2;
    options_.warning = [this](const std::string& sentence) { warned_ += sentence; };
  }
  ~VideoTest() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("HIPSPLAT_COLMAP");
    unsetenv("FAKE_FFMPEG_STOP");
  }
  void program(const std::string& name, const std::string& script) {
    const fs::path path = folder_.write("bin/" + name, "#!/bin/sh\n" + script + "\n");
    fs::permissions(path, fs::perms::owner_all);
  }
  size_t frames() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(options_.scene / "images")) count += entry.is_regular_file();
    return count;
  }

  splat::test::TempFolder folder_;
  AlignOptions options_;
  std::string path_, warned_;
};

TEST_F(VideoTest, AVideoBecomesAScene) {
  EXPECT_TRUE(is_unaligned(options_.input));
  const AlignOutcome outcome = align_scene(options_);
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_EQ(outcome.report.photos, 24u);
  EXPECT_EQ(outcome.report.registered, 24u);
  EXPECT_EQ(frames(), 24u);
  EXPECT_EQ(*io::read_file(options_.scene / "images/frame_00002.jpg"),
            *io::read_file(folder_.path() / "candidates/005.jpg"));
  EXPECT_FALSE(fs::is_symlink(options_.scene / "images"));
  const std::string call = *io::read_file(folder_.path() / "calls");
  EXPECT_NE(call.find("film with blank.mp4 -map 0:0 -vf fps=9.000000 "), std::string::npos) << call;
  EXPECT_EQ(call.find("zscale"), std::string::npos);
  ASSERT_EQ(align_scene(options_).end, AlignEnd::kDone);
  EXPECT_EQ(*io::read_file(folder_.path() / "calls"), call);  // not decoded again
}

// Names that ffmpeg would take for a protocol or an option.
TEST_F(VideoTest, ANameIsANameAndNothingElse) {
  for (const char* name : {"-x.mp4", "pipe:1.mp4", "concat:a|b.mov"}) {
    const std::string there = "file:" + (fs::current_path() / name).string();
    EXPECT_EQ(probe_arguments(name).back(), there);
    EXPECT_EQ(ffmpeg_name(name), there);
  }
  EXPECT_EQ(ffmpeg_name("/a/-x.mp4"), "file:/a/-x.mp4");
}

// A decoder that ignores signals holds nobody up.
TEST_F(VideoTest, ADecoderThatHangsIsLeftAtOnce) {
  program("ffmpeg", "trap '' INT; while :; do sleep 5; done");
  const auto start = std::chrono::steady_clock::now();
  options_.cancelled = [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(300); };
  EXPECT_EQ(align_scene(options_).end, AlignEnd::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1300));
}

TEST_F(VideoTest, DecodingThatWasCutShortGoesOn) {
  setenv("FAKE_FFMPEG_STOP", "32", 1);
  AlignOutcome outcome = align_scene(options_);
  EXPECT_EQ(outcome.end, AlignEnd::kFailed) << outcome.sentence;
  EXPECT_EQ(frames(), 11u);
  unsetenv("FAKE_FFMPEG_STOP");
  const fs::path left_by_a_killed_run =
      options_.scene / "images" /
      ("frame_00012.jpg.hipsplat.part" + std::to_string(splat::test::dead_process()) + "-0");
  std::ofstream(left_by_a_killed_run) << "half";
  outcome = align_scene(options_);
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_FALSE(fs::exists(left_by_a_killed_run));
  EXPECT_EQ(frames(), 24u);
  EXPECT_EQ(*io::read_file(options_.scene / "images/frame_00020.jpg"),
            *io::read_file(folder_.path() / "candidates/059.jpg"));
}

TEST_F(VideoTest, ADamagedEndIsSaidAndTheRestUsed) {
  setenv("FAKE_FFMPEG_STOP", "60", 1);
  const AlignOutcome outcome = align_scene(options_);
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_EQ(outcome.report.photos, 20u);
  EXPECT_NE(warned_.find("the video is damaged"), std::string::npos) << warned_;
}

TEST_F(VideoTest, HdrIsToneMapped) {
  program("ffprobe", "cat <<'END'\n" + probe_json("8", "smpte2084") + "\nEND");
  ASSERT_EQ(align_scene(options_).end, AlignEnd::kDone);
  EXPECT_NE(io::read_file(folder_.path() / "calls")->find("tonemap=mobius"), std::string::npos);
}

TEST_F(VideoTest, WhatIsNoVideoIsUnusable) {
  program("ffprobe", "echo 'film: Invalid data found when processing input' >&2; exit 1");
  const AlignOutcome outcome = align_scene(options_);
  EXPECT_EQ(outcome.end, AlignEnd::kUnusable);
  EXPECT_NE(outcome.sentence.find("Invalid data found"), std::string::npos) << outcome.sentence;
}

TEST_F(VideoTest, FilesOfTheUsersAreNotTouched) {
  folder_.write("scene/images/holiday.jpg", "precious");
  const AlignOutcome outcome = align_scene(options_);
  EXPECT_EQ(outcome.end, AlignEnd::kUnusable);
  EXPECT_NE(outcome.sentence.find("already holds files"), std::string::npos) << outcome.sentence;
  EXPECT_EQ(*io::read_file(folder_.path() / "scene/images/holiday.jpg"), "precious");
}

}  // namespace
}  // namespace align
