// The installed colmap and ffmpeg, where they are: photos of a made-up room from known places, and a video.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "align/align.h"
#include "align/external_tool.h"
#include "align/video/probe.h"
#include "io/bytes.h"
#include "io/image_file.h"
#include "io/reconstruction/colmap.h"
#include "tests/align/textured_room.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace align {
namespace {

namespace fs = std::filesystem;

using Places = std::map<std::string, std::array<double, 3>>;

Places places_of(const fs::path& model) {
  const auto reconstruction = io::read_colmap(model);
  EXPECT_TRUE(reconstruction.ok()) << reconstruction.error().message;
  Places places;
  for (const io::ReconstructionImage& image : reconstruction->images)
    places[image.name] = image.cam_from_world.origin_in_source();
  return places;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// How much the distances between cameras differ from `truth`, relative to the largest, once both have one scale: free
// of where a reconstruction puts its axes.
double mean_distance_error(const Places& found, const Places& truth) {
  double sum_found = 0, sum_truth = 0, largest = 0, error = 0;
  size_t pairs = 0;
  const auto for_pairs = [&](const auto& use) {
    for (const auto& [a, place_a] : found)
      for (const auto& [b, place_b] : found)
        if (a < b) use(distance(place_a, place_b), distance(truth.at(a), truth.at(b)));
  };
  for_pairs([&](double of_found, double of_truth) {
    sum_found += of_found;
    sum_truth += of_truth;
    largest = std::max(largest, of_truth);
  });
  for_pairs([&](double of_found, double of_truth) {
    error += std::abs(of_found * sum_truth / sum_found - of_truth) / largest;
    ++pairs;
  });
  return error / double(pairs);
}

TEST(RealColmap, PhotosFindThePlacesTheyWereTakenFrom) {
  if (find_program("colmap").empty()) GTEST_SKIP() << "colmap is not installed";
  constexpr int kPhotos = 14;
  const splat::test::TempFolder folder;
  Places truth;
  for (int i = 0; i < kPhotos; ++i) {
    const std::string name = "from " + std::to_string(10 + i) + ".jpg";
    truth[name] = test::TexturedRoom::place(i, kPhotos, 80);
    folder.write("photos/" + name, io::encode_jpeg(test::TexturedRoom::photo(truth[name]), 92));
  }
  AlignOptions options;
  options.input = folder.path() / "photos";
  options.scene = folder.path() / "scene";
  options.quality = Quality::kFast;
  const AlignOutcome outcome = align_scene(options);
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_EQ(outcome.report.registered, size_t(kPhotos));
  EXPECT_LT(outcome.report.reprojection_error_px, 0.5);
  EXPECT_GT(outcome.report.points, 2000u);
  EXPECT_LT(mean_distance_error(places_of(options.scene / "sparse/0"), truth), 0.005);
}

// Features, verification and mapping on several threads differ from run to run.
TEST(RealColmap, DeterministicGivesTheSameModelTwice) {
  if (find_program("colmap").empty()) GTEST_SKIP() << "colmap is not installed";
  constexpr int kPhotos = 10;
  const splat::test::TempFolder folder;
  for (int i = 0; i < kPhotos; ++i)
    folder.write("photos/" + std::to_string(10 + i) + ".jpg",
                 io::encode_jpeg(test::TexturedRoom::photo(test::TexturedRoom::place(i, kPhotos, 60)), 92));
  AlignOptions options;
  options.input = folder.path() / "photos";
  options.quality = Quality::kFast;
  options.threads = 3;
  options.deterministic = true;
  std::vector<std::string> models;
  for (const char* name : {"a", "b"}) {
    options.scene = folder.path() / name;
    const AlignOutcome outcome = align_scene(options);
    ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
    for (const char* file : {"cameras.bin", "images.bin", "points3D.bin"})
      models.push_back(*io::read_file(options.scene / "sparse/0" / file));
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(models[i] == models[i + 3]) << i;
}

// The demo's photos as a film; the rest of ffmpeg's words say how.
class RealFfmpeg : public testing::Test {
 protected:
  void SetUp() override {
    if (tools_.ffmpeg.empty() || tools_.ffprobe.empty()) GTEST_SKIP() << "ffmpeg is not installed";
    setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
  }
  void TearDown() override { unsetenv("HIPSPLAT_COLMAP"); }
  ToolResult film(const std::string& name, const std::vector<std::string>& how) {
    ToolCommand make;
    make.program = tools_.ffmpeg;
    make.arguments = {"-nostdin",
                      "-v",
                      "error",
                      "-framerate",
                      "8",
                      "-i",
                      (test_paths::source() / "assets/demo/images/view_%03d.jpg").string()};
    make.arguments.insert(make.arguments.end(), how.begin(), how.end());
    make.arguments.push_back((folder_.path() / name).string());
    return run_tool(make);
  }
  // The frames' folder.
  fs::path frames_of(const std::string& name) {
    AlignOptions options;
    options.input = folder_.path() / name;
    options.scene = folder_.path() / "scene";
    options.frames = 16;
    const AlignOutcome outcome = align_scene(options);
    EXPECT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
    EXPECT_GE(outcome.report.photos, 14u);
    EXPECT_LE(outcome.report.photos, 16u);
    return options.scene / "images";
  }

  splat::test::TempFolder folder_;
  const VideoTools tools_ = find_video_tools();
};

// Writes the matrix of a quarter turn into the track's header, where a phone that was held upright has one.
void turn(const fs::path& film) {
  std::string bytes = *io::read_file(film);
  const size_t header = bytes.find("tkhd");
  ASSERT_NE(header, std::string::npos);
  ASSERT_EQ(bytes[header + 4], 0);  // the version whose times have 4 bytes
  std::string matrix(36, '\0');
  matrix[5] = 1;                        // b = 1 of 16.16
  matrix[12] = matrix[13] = '\xFF';     // c = -1
  matrix[24] = 1, matrix[25] = '\xE0';  // moved to the right by 480
  matrix[32] = 0x40;                    // w = 1 of 2.30
  bytes.replace(header + 44, matrix.size(), matrix);
  std::ofstream(film, std::ios::binary) << bytes;
}

TEST_F(RealFfmpeg, AVideoIsTakenApartAndTurnedAsItWasHeld) {
  EXPECT_GE(std::atoi(version_of_ffmpeg(tools_.ffmpeg).c_str()), 4);
  const ToolResult made = film("fürs Auge.mov", {"-c:v", "mjpeg", "-q:v", "3"});
  ASSERT_TRUE(made.ok()) << tool_failure("ffmpeg", made);
  turn(folder_.path() / "fürs Auge.mov");
  const auto size = io::read_image_size(frames_of("fürs Auge.mov") / "frame_00001.jpg");
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_EQ(size->width, 480);
  EXPECT_EQ(size->height, 640);
}

double mean_value(const fs::path& picture) {
  const auto image = io::read_image(picture);
  EXPECT_TRUE(image.ok());
  double sum = 0;
  for (const uint8_t value : image->pixels) sum += value;
  return sum / double(image->pixels.size());
}

TEST_F(RealFfmpeg, AnHdrVideoBecomesAsBrightAsItsScene) {
  const std::string to_hdr =
      "scale=320:240,zscale=t=linear:npl=203:p=bt2020:m=gbr:tin=bt709:pin=bt709:min=bt470bg,format=gbrpf32le,"
      "zscale=t=smpte2084:m=bt2020nc:r=tv,format=yuv420p10le";
  const ToolResult made = film("hdr.mkv", {"-vf", to_hdr, "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc",
                                           "smpte2084", "-colorspace", "bt2020nc"});
  if (!made.ok()) GTEST_SKIP() << "an ffmpeg without zscale: " << tool_failure("ffmpeg", made);
  double mapped = 0, filmed = 0;
  for (const auto& frame : fs::directory_iterator(frames_of("hdr.mkv"))) mapped += mean_value(frame.path()) / 16;
  for (int i = 0; i < 32; ++i)
    filmed += mean_value(test_paths::source() /
                         ("assets/demo/images/view_0" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".jpg")) /
              32;
  EXPECT_NEAR(mapped, filmed, 0.1 * filmed);
}

}  // namespace
}  // namespace align
