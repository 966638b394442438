// Photos or a video -> a folder that training opens: scene/sparse/0 (COLMAP model, the photos' own names), scene/images
// (a link to the photos, or the frames), scene/align.json (what was done and how well it went), scene/align.log (what
// the programs printed). Everything else is in scene/work. Stages are stamped with a hash of their inputs and options:
// a run that was cut short anywhere, by SIGKILL too, goes on where it was; what changed is done again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "splat/core/result.h"

namespace align {

enum class Matcher { kOurs, kColmap };
enum class Quality { kFast, kNormal, kFine };

enum class Stage { kPhotos, kFrames, kFeatures, kMatching, kVerification, kMapping, kRefinement };
inline constexpr int kStages = 7;
const char* name_of(Stage stage);  // "features"

struct AlignProgress {
  Stage stage = Stage::kPhotos;
  size_t done = 0, total = 0;  // of the stage: photos, frames, pairs; total 0: unknown
  size_t photos = 0, registered = 0;
  double seconds = 0, eta_seconds = 0;  // since the beginning; for all that is left, 0: unknown (SteadyRest)
  double share = 0;                     // of the time that all stages take, [0,1]: never falls
};

struct AlignOptions {
  std::filesystem::path input;  // a folder of photos, or a video
  std::filesystem::path scene;
  std::filesystem::path masks;  // empty: masks/ beside the photos
  Matcher matcher = Matcher::kOurs;
  Quality quality = Quality::kNormal;
  bool fisheye = false;
  int frames = 0;   // of a video; 0: by its length
  int threads = 0;  // 0: every core
  // COLMAP on one thread: its results depend on which of several is first. Our own steps never do.
  bool deterministic = false;
  std::function<bool()> cancelled;
  std::function<void(const AlignProgress&)> progress;  // from any thread, one at a time; often
  // While COLMAP maps: a scene of the photos that have their place by now. From the thread of align_scene().
  std::function<void(const std::filesystem::path& scene)> model_so_far;
  std::function<void(const std::string&)> note;     // decisions and what was found, one sentence each
  std::function<void(const std::string&)> warning;  // what should be looked at
};

struct AlignReport {
  size_t photos = 0, registered = 0;
  size_t points = 0;
  double reprojection_error_px = 0, track_length = 0;
  std::vector<std::string> missing;  // photos that found no place
  double seconds = 0;                // of this run
  std::string colmap;                // its version
};

enum class AlignEnd {
  kDone,
  kUnusable,        // the photos, or what was asked for, cannot work
  kMissingProgram,  // colmap or ffmpeg is not installed
  kFailed,          // a program or the disk failed
  kCancelled,
};

struct [[nodiscard]] AlignOutcome {
  AlignEnd end = AlignEnd::kDone;
  std::string sentence;  // empty when done
  AlignReport report{};
  std::vector<std::string> last_lines{};  // of the program that failed
  explicit operator bool() const { return end == AlignEnd::kDone; }
};

AlignOutcome align_scene(const AlignOptions& options);

// Whether `path` is what align_scene() takes and no dataset with cameras: a video, or a folder of photos.
bool is_unaligned(const std::filesystem::path& path);
bool is_video(const std::filesystem::path& path);
std::vector<std::string> videos_in(const std::filesystem::path& folder);  // their names below it, sorted
// The video of a folder that holds no other, nothing that could be trained or shown, and no photos but a preview or
// two, as a drone's card does; empty: it is no such folder.
std::filesystem::path only_video_in(const std::filesystem::path& folder);

// Which program that `input` needs is not installed, in a sentence; empty: none.
std::string missing_program(const std::filesystem::path& input);

}  // namespace align
