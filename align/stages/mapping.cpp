// The cameras and points: COLMAP's incremental mapper, with snapshots from which a run that was cut short goes on; once
// more with wider settings where too few photos found a place; models that share photos merged.
#include <algorithm>
#include <set>

#include "align/causes.h"
#include "align/stages/job.h"
#include "align/stages/pair_lists.h"
#include "align/stages/so_far.h"
#include "io/text.h"

namespace align {

namespace fs = std::filesystem;

namespace {

constexpr double kEnough = 0.8;    // of the photos: below, wider settings are tried
constexpr int kSnapshotEvery = 5;  // photos

// The snapshot with the most photos. (Their names are times cut to some digits, which do not sort.)
fs::path latest_snapshot(const Job& job) {
  const std::vector<fs::path> snapshots = models_in(job.paths.snapshots);
  return snapshots.empty() ? fs::path() : snapshots.front();
}

void remove_old_snapshots(const Job& job) {
  constexpr size_t kKept = 3;
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  std::error_code code;
  for (fs::directory_iterator it(job.paths.snapshots, code), end; !code && it != end; it.increment(code))
    folders.emplace_back(fs::last_write_time(it->path(), code), it->path());
  std::sort(folders.rbegin(), folders.rend());
  for (size_t i = kKept; i < folders.size(); ++i) fs::remove_all(folders[i].second, code);
}

enum class Settings { kUsual, kWider };

ColmapArguments mapper_arguments(Job& job, const fs::path& output, Settings settings) {
  ColmapArguments arguments(job.colmap, "mapper");
  arguments.add("database_path", job.paths.database.string())
      .add("image_path", job.paths.photos.string())
      .add("output_path", output.string())
      .add("Mapper.num_threads", std::to_string(job.threads()))
      .add("Mapper.ba_global_function_tolerance", "1e-6")
      .add({"Mapper.ba_global_images_ratio", "Mapper.ba_global_frames_ratio"}, job.is_film ? "1.4" : "1.2")
      .add("Mapper.ba_global_points_ratio", job.is_film ? "1.4" : "1.2")
      .add("Mapper.ba_global_max_num_iterations", "33")
      .add("Mapper.ba_global_max_refinements", "2")
      .add("Mapper.snapshot_path", job.paths.snapshots.string())
      .add({"Mapper.snapshot_images_freq", "Mapper.snapshot_frames_freq"}, std::to_string(kSnapshotEvery));
  if (settings == Settings::kWider)
    arguments.add("Mapper.init_min_tri_angle", "4")
        .add("Mapper.abs_pose_min_num_inliers", "15")
        .add("Mapper.abs_pose_min_inlier_ratio", "0.15")
        .add("Mapper.min_num_matches", "10");
  else if (job.is_film)
    arguments.add("Mapper.init_min_tri_angle", "8");
  return arguments;
}

// The best model of `folder` becomes the job's where it has more photos.
void take_best(Job& job, const fs::path& folder) {
  const std::vector<fs::path> models = models_in(folder);
  if (models.empty()) return;
  auto summary = summarise_model(models.front());
  if (!summary || summary->names.size() <= job.model.names.size()) return;
  job.model = std::move(*summary);
  job.model_folder = models.front();
}

// `from`: a model to which photos are added; empty: a snapshot of a run that was cut short, or nothing.
StageEnd run_mapper(Job& job, const fs::path& output, Settings settings, const fs::path& from = {}) {
  std::error_code code;
  const fs::path snapshot = from.empty() ? latest_snapshot(job) : from;
  fs::remove_all(output, code);
  fs::create_directories(output, code);
  fs::create_directories(job.paths.snapshots, code);
  ColmapArguments arguments = mapper_arguments(job, output, settings);
  if (!snapshot.empty()) arguments.add("input_path", snapshot.string());
  if (!snapshot.empty() && from.empty()) job.note("mapping goes on from where it was cut short");
  size_t registered = 0;
  const auto on_line = [&](const ColmapLine& line) {
    if (line.kind == ColmapLine::kFirstPair) job.registered(registered = 2);
    if (line.kind == ColmapLine::kRegistering) job.registered(registered = line.done);
  };
  ModelSoFar so_far(job);
  auto last_cleaning = std::chrono::steady_clock::now();
  const auto on_tick = [&] {
    so_far.tick();
    const auto now = std::chrono::steady_clock::now();
    if (now - last_cleaning < std::chrono::seconds(5)) return;
    last_cleaning = now;
    remove_old_snapshots(job);
  };
  StageEnd end = job.run_colmap(arguments, on_line, on_tick);
  if (end.end == AlignEnd::kCancelled) return end;
  so_far.look();
  const bool found_any = !models_in(output).empty();
  // "no good initial pair" is an exit code of failure in 4.x, and success without a model in 3.8.
  if (!end && !found_any && end.sentence.find("exit code 1") == std::string::npos) return end;
  if (!end && found_any) job.warning(end.sentence);
  fs::remove_all(job.paths.snapshots, code);
  take_best(job, output);
  return {};
}

// The few photos that are left, tried with wider settings against the model; kept where its points still fit as well.
StageEnd add_stragglers(Job& job, const fs::path& output) {
  constexpr double kMayGrow = 1.15;  // the reprojection error
  const ModelSummary before = job.model;
  const fs::path before_folder = job.model_folder;
  ALIGN_STAGE(rematch_missing(job));
  ALIGN_STAGE(run_mapper(job, output, Settings::kWider, before_folder));
  if (job.model.reprojection_error_px <= kMayGrow * before.reprojection_error_px) return {};
  job.model = before;
  job.model_folder = before_folder;
  std::error_code code;
  fs::remove_all(output, code);
  return {};
}

// The other models of the same mapping joined to the best one, where they share photos.
StageEnd merge_models(Job& job, const fs::path& mapping) {
  const std::vector<fs::path> models = models_in(mapping);
  for (size_t i = 1; i < models.size(); ++i) {
    const fs::path merged = job.paths.work / "merged" / std::to_string(i);
    std::error_code code;
    fs::remove_all(merged, code);
    fs::create_directories(merged, code);
    ColmapArguments arguments(job.colmap, "model_merger");
    arguments.add("input_path1", job.model_folder.string())
        .add("input_path2", models[i].string())
        .add("output_path", merged.string());
    StageEnd end = job.run_colmap(arguments);
    if (end.end == AlignEnd::kCancelled) return end;
    take_best(job, merged);
  }
  return {};
}

StageEnd explain_failure(Job& job, size_t registered) {
  auto database = ColmapDatabase::open(job.paths.database);
  ALIGN_TRY(database);
  const auto images = database->images();
  ALIGN_TRY(images);
  const auto verified = database->verified_pairs();
  ALIGN_TRY(verified);
  const PhotoGraph graph = graph_of(*images, *verified, job.true_names());
  const std::string cause = explain(graph, job.photos.photos.size(), registered, job.missing_photos());
  if (registered == 0) return {AlignEnd::kUnusable, "the photos could not be aligned: " + cause};
  job.warning("only " + std::to_string(registered) + " of " + std::to_string(job.photos.photos.size()) +
              " photos found their place: " + cause);
  return {};
}

bool enough(const Job& job) { return double(job.model.names.size()) >= kEnough * double(job.photos.photos.size()); }

}  // namespace

StageEnd mapping_stage(Job& job) {
  job.stamp.add("mapping 3");
  job.begin(Stage::kMapping, job.photos.photos.size());
  const fs::path first = job.paths.mapping / "first", wider = job.paths.mapping / "wider",
                 more = job.paths.mapping / "more", merged = job.paths.work / "merged";
  const auto take_what_is_there = [&] {
    for (const fs::path& folder : {first, wider, more}) take_best(job, folder);
    for (const fs::path& folder : models_in(merged)) take_best(job, folder);
    job.registered(job.model.names.size());
  };
  std::error_code code;
  if (!job.record.begun(Stage::kMapping, job.stamp)) {
    for (const fs::path& folder : {job.paths.mapping, job.paths.snapshots, merged}) fs::remove_all(folder, code);
    ALIGN_TRY(job.record.begin(Stage::kMapping, job.stamp));
  }
  take_what_is_there();  // of a run that was cut short in a later attempt
  if (job.record.done(Stage::kMapping, job.stamp) && !job.model.names.empty()) return {};
  if (job.model.names.empty()) ALIGN_STAGE(run_mapper(job, first, Settings::kUsual));
  if (!enough(job)) {
    job.note(std::to_string(job.model.names.size()) + " of " + std::to_string(job.photos.photos.size()) +
             " photos found their place; trying again with wider settings");
    ALIGN_STAGE(run_mapper(job, wider, Settings::kWider));
    if (!job.model.names.empty() && !enough(job)) ALIGN_STAGE(merge_models(job, job.model_folder.parent_path()));
  }
  if (!job.model.names.empty() && job.model.names.size() < job.photos.photos.size())
    ALIGN_STAGE(add_stragglers(job, more));
  job.registered(job.model.names.size());
  if (!enough(job)) ALIGN_STAGE(explain_failure(job, job.model.names.size()));
  ALIGN_TRY(job.record.finish(Stage::kMapping, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
