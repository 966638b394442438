#include "align/align.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "align/causes.h"
#include "align/stages/job.h"
#include "align/video/probe.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/folder_contents.h"
#include "io/files_below.h"

namespace align {

namespace fs = std::filesystem;

namespace {

StageEnd run_stages(Job& job) {
  for (const auto stage : {frames_stage, look_stage, features_stage, matching_stage, verification_stage, mapping_stage,
                           refinement_stage}) {
    if (job.cancelled()) return {AlignEnd::kCancelled, "cancelled"};
    if (StageEnd end = stage(job); !end) return end;
  }
  return {};
}

uint64_t available_bytes(const fs::path& folder) {
  std::error_code code;
  const fs::space_info space = fs::space(folder, code);
  return code ? ~uint64_t(0) : space.available;
}

AlignReport report_of(const Job& job) {
  AlignReport report;
  report.photos = job.photos.photos.size();
  report.registered = job.model.names.size();
  report.points = job.model.points;
  report.reprojection_error_px = job.model.reprojection_error_px;
  report.track_length = job.model.track_length;
  report.colmap = job.colmap.version();
  report.missing = job.record.missing();
  return report;
}

splat::Status prepare_scene(const AlignOptions& options, const Colmap& colmap, AlignRecord& record) {
  std::error_code code;
  fs::create_directories(options.scene / "work", code);
  if (code)
    return splat::Error{"the folder '" + (options.scene / "work").string() + "' cannot be made: " + code.message()};
  SPLAT_TRY(record.set("input", fs::absolute(options.input, code).string()));
  return record.set("colmap", colmap.version());
}

}  // namespace

const char* name_of(Stage stage) {
  constexpr const char* kNames[kStages] = {"photos",       "frames",  "features",  "matching",
                                           "verification", "mapping", "refinement"};
  return kNames[int(stage)];
}

AlignOutcome align_scene(const AlignOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  auto colmap = Colmap::find();
  if (!colmap) return {AlignEnd::kMissingProgram, colmap.error().message};
  Job job(options, std::move(*colmap));
  if (const auto status = prepare_scene(options, job.colmap, job.record); !status)
    return {AlignEnd::kFailed, status.error().message};
  if (const std::string advice = job.colmap.advice(); !advice.empty()) job.warning(advice);
  const StageEnd end = run_stages(job);
  AlignOutcome outcome{end.end, end.sentence, {}, {}};
  if (end.end == AlignEnd::kFailed || end.end == AlignEnd::kUnusable)
    if (const std::string cause = lack_of_room(job.paths.work, available_bytes(job.paths.work)); !cause.empty())
      outcome = {AlignEnd::kFailed, cause, {}, {}};
  if (end.end == AlignEnd::kFailed) outcome.last_lines = job.last_lines;
  if (outcome) outcome.report = report_of(job);
  outcome.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

bool is_unaligned(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return is_video(path);
  return io::find_cameras(path).kind == io::FoundCameras::Kind::kNone && has_photos(path);
}

std::string missing_program(const fs::path& input) {
  if (const auto colmap = Colmap::find(); !colmap) return colmap.error().message;
  return is_video(input) ? missing_video_tools() : std::string();
}

bool is_video(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && io::is_video_name(path.filename().string());
}

fs::path only_video_in(const fs::path& folder) {
  constexpr size_t kPreviews = 2;  // fewer pictures than any scene can be made of
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  const std::vector<std::string> videos = videos_in(folder);
  if (videos.size() != 1 || io::find_cameras(folder).kind != io::FoundCameras::Kind::kNone) return {};
  const io::FolderContents contents = io::contents_of(folder);
  const bool other = contents.photos > kPreviews || !contents.splats.empty() || !contents.datasets.empty();
  return other ? fs::path() : folder / videos.front();
}

std::vector<std::string> videos_in(const fs::path& folder) {
  std::vector<std::string> names = io::files_below(folder);
  std::erase_if(names, [](const std::string& name) { return !io::is_video_name(name); });
  return names;
}

}  // namespace align
