// The installed colmap and ffmpeg, where they are: photos of a made-up room from known places, and a video.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "align/align.h"
#include "align/external_tool.h"
#include "align/video/probe.h"
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

// A video that a phone would store turned: ffmpeg turns its frames.
TEST(RealFfmpeg, AVideoIsTakenApart) {
  const VideoTools tools = find_video_tools();
  if (tools.ffmpeg.empty() || tools.ffprobe.empty()) GTEST_SKIP() << "ffmpeg is not installed";
  EXPECT_GE(std::atoi(version_of_ffmpeg(tools.ffmpeg).c_str()), 4);
  const splat::test::TempFolder folder;
  ToolCommand make;
  make.program = tools.ffmpeg;
  make.arguments = {"-nostdin",
                    "-v",
                    "error",
                    "-framerate",
                    "8",
                    "-i",
                    (test_paths::source() / "assets/demo/images/view_%03d.jpg").string(),
                    "-c:v",
                    "mjpeg",
                    "-q:v",
                    "3",
                    "-metadata:s:v",
                    "rotate=90",
                    (folder.path() / "fürs Auge.mov").string()};
  const ToolResult made = run_tool(make);
  ASSERT_TRUE(made.ok()) << tool_failure("ffmpeg", made);
  setenv("HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM, 1);
  AlignOptions options;
  options.input = folder.path() / "fürs Auge.mov";
  options.scene = folder.path() / "scene";
  options.frames = 16;
  const AlignOutcome outcome = align_scene(options);
  unsetenv("HIPSPLAT_COLMAP");
  ASSERT_EQ(outcome.end, AlignEnd::kDone) << outcome.sentence;
  EXPECT_GE(outcome.report.photos, 14u);
  EXPECT_LE(outcome.report.photos, 16u);
  const auto size = io::read_image_size(options.scene / "images/frame_00001.jpg");
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_TRUE((size->width == 480 && size->height == 640) || (size->width == 640 && size->height == 480));
}

}  // namespace
}  // namespace align
