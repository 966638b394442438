// What the stages of one alignment share. A stage is a function (Job&) -> StageEnd in a file of its own; it looks up
// by its stamp whether it is done already.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "align/align.h"
#include "align/colmap/colmap.h"
#include "align/colmap/database.h"
#include "align/colmap/model_files.h"
#include "align/colmap/progress_lines.h"
#include "align/external_tool.h"
#include "align/photos/look.h"
#include "align/record.h"
#include "splat/core/steady_rest.h"

namespace align {

struct StageEnd {
  AlignEnd end = AlignEnd::kDone;
  std::string sentence{};
  explicit operator bool() const { return end == AlignEnd::kDone; }
};

inline StageEnd stage_failed(const splat::Error& error) { return {AlignEnd::kFailed, error.message}; }

// For Results and StageEnds in functions that return a StageEnd.
#define ALIGN_TRY(expression)                                                                                  \
  do {                                                                                                         \
    if (auto&& align_status = (expression); !align_status) return ::align::stage_failed(align_status.error()); \
  } while (false)
#define ALIGN_STAGE(expression)                                                   \
  do {                                                                            \
    if (::align::StageEnd align_end = (expression); !align_end) return align_end; \
  } while (false)

struct Paths {
  std::filesystem::path scene, work, photos, masks, database, matches, mapping, snapshots, so_far, refined, log;
  explicit Paths(const std::filesystem::path& scene);
};

class Job {
 public:
  Job(const AlignOptions& options, Colmap colmap);

  const AlignOptions& options;
  Paths paths;
  Colmap colmap;
  AlignRecord record;
  PhotoSet photos;
  bool is_film = false;  // the photos are frames of a video, in order
  Stamp stamp;           // of everything so far
  Stamp features_stamp;  // of the features
  ModelSummary model;    // the best one, with the working names
  std::filesystem::path model_folder;
  std::vector<std::string> last_lines;  // of the latest program that failed

  bool cancelled() const { return options.cancelled && options.cancelled(); }
  void note(const std::string& sentence) const;
  void warning(const std::string& sentence) const;

  // ---- progress
  void begin(Stage stage, size_t total = 0);
  void progress(size_t done);
  void set_total(size_t total) { now_.total = total; }
  void registered(size_t count);  // in the model that is being made: a second attempt begins with two
  double stage_seconds() const;

  // ---- COLMAP
  // Runs one command of COLMAP. Its output goes to the log, and every line that ColmapLine can parse to on_line.
  StageEnd run_colmap(const ColmapArguments& arguments, const std::function<void(const ColmapLine&)>& on_line = {},
                      const std::function<void()>& on_tick = {});
  bool out_of_memory() const { return out_of_memory_; }  // whether the latest command failed for lack of memory
  int threads() const;
  splat::Status write_lines(const std::filesystem::path& file, const std::vector<std::string>& lines) const;

  std::string true_name(const std::string& working_name) const;
  std::map<std::string, std::string> true_names() const;  // by working name
  std::vector<std::string> missing_photos() const;  // true names of the photos that `model` has no camera for, sorted

 private:
  using Clock = std::chrono::steady_clock;
  double rest_seconds() const;
  void report_progress();

  AlignProgress now_;
  splat::SteadyRest rest_;
  Clock::time_point start_, stage_start_;
  size_t done_before_ = 0;  // of the stage, by an earlier run
  bool first_progress_ = true, out_of_memory_ = false;
};

StageEnd frames_stage(Job& job);        // frames.cpp: of a video
StageEnd look_stage(Job& job);          // photos.cpp: the photos, grouped and linked
StageEnd features_stage(Job& job);      // features.cpp
StageEnd matching_stage(Job& job);      // matching.cpp
StageEnd verification_stage(Job& job);  // verification.cpp
StageEnd mapping_stage(Job& job);       // mapping.cpp: job.model
StageEnd refinement_stage(Job& job);    // refinement.cpp: scene/sparse/0

}  // namespace align
