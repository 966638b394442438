// Finding the cameras of photos, for hipsplat align and before hipsplat train: shows how it goes and says how it ended.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "align/align.h"
#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// Finds the cameras of task.input and writes task.scene. Exit code 2: the photos are unsuitable; 1: a program failed.
// model_so_far: called with the folder of every intermediate model.
Outcome align_input(const AlignTask& task, Monitor& monitor, align::AlignReport& report,
                    const std::function<void(const std::filesystem::path&)>& model_so_far = {});

// The one video of a folder that holds nothing else (align::only_video_in()) takes its place, and the log says so.
void take_only_video(std::filesystem::path& input);

// The options of align/ for this task. Of the callbacks only note and warning are set; both write to the log.
align::AlignOptions align_options(const AlignTask& task);

// "placing cameras 12/49"
std::string progress_sentence(const align::AlignProgress& now);

// Where hipsplat train aligns the photos that it was given: OUT/align, or beside OUT where that is one file.
std::filesystem::path scene_beside(const std::filesystem::path& output, bool single_file);

// "48 of 49 photos, reprojection error 0.86 px, ..."
std::string alignment_sentence(const align::AlignReport& report);

// How well a dataset was aligned, where hipsplat did that: from its align.json.
struct AlignmentQuality {
  uint64_t photos = 0, registered = 0;
  double reprojection_error_px = 0, track_length = 0;
};
std::optional<AlignmentQuality> alignment_of(const std::filesystem::path& dataset);

// The photos or video that a scene of ours was, or is being, made from; empty: it is none.
std::filesystem::path aligned_from(const std::filesystem::path& scene);

}  // namespace app
