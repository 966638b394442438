// One last adjustment of everything, principal points included, kept only where it makes the model better; then the
// model with the photos' own names, where training finds it.
#include <algorithm>

#include "align/causes.h"
#include "align/stages/job.h"

namespace align {

namespace fs = std::filesystem;

namespace {

constexpr size_t kEnoughForPrincipalPoint = 15;  // photos a lens
constexpr double kMayLose = 0.02;                // of the observations

StageEnd adjust(Job& job) {
  std::error_code code;
  fs::remove_all(job.paths.refined, code);
  fs::create_directories(job.paths.refined, code);
  const size_t per_lens = job.model.names.size() / size_t(std::max(1, job.photos.groups));
  ColmapArguments arguments(job.colmap, "bundle_adjuster");
  arguments.add("input_path", job.model_folder.string())
      .add("output_path", job.paths.refined.string())
      .add({"BundleAdjustment.max_num_iterations", "BundleAdjustmentCeres.max_num_iterations"}, "50")
      .add({"BundleAdjustment.function_tolerance", "BundleAdjustmentCeres.function_tolerance"}, "1e-6")
      .add("BundleAdjustment.refine_principal_point", per_lens >= kEnoughForPrincipalPoint ? "1" : "0");
  StageEnd end = job.run_colmap(arguments);
  if (end.end == AlignEnd::kCancelled) return end;
  const auto refined = summarise_model(job.paths.refined);
  if (!end || !refined) {
    job.warning("the final adjustment failed and is left out" + (end ? std::string() : ": " + end.sentence));
    return {};
  }
  const bool kept = refined->names.size() == job.model.names.size() &&
                    refined->reprojection_error_px <= job.model.reprojection_error_px &&
                    double(refined->observations) >= (1 - kMayLose) * double(job.model.observations);
  if (!kept) return {};
  job.model = *refined;
  job.model_folder = job.paths.refined;
  return {};
}

void name_missing(const Job& job, const std::vector<std::string>& missing) {
  if (missing.empty()) return;
  std::vector<std::string> all;
  for (const Photo& photo : job.photos.photos) all.push_back(photo.name);
  job.warning(std::to_string(missing.size()) + " of " + std::to_string(all.size()) +
              " photos found no place: " + missing_beside(all, missing));
}

}  // namespace

StageEnd refinement_stage(Job& job) {
  job.stamp.add("refinement 1");
  job.begin(Stage::kRefinement);
  const fs::path target = job.paths.scene / "sparse" / "0";
  const bool done = job.record.done(Stage::kRefinement, job.stamp) && fs::exists(target / "images.bin");
  if (!done) {
    ALIGN_TRY(job.record.begin(Stage::kRefinement, job.stamp));
    ALIGN_STAGE(adjust(job));
    ALIGN_TRY(copy_model(job.model_folder, job.true_names(), target));
  }
  const std::vector<std::string> missing = done ? job.record.missing() : job.missing_photos();
  name_missing(job, missing);
  auto final_model = summarise_model(target);
  ALIGN_TRY(final_model);
  AlignReport result;
  result.missing = missing;
  job.model = std::move(*final_model);
  if (done) return {};
  result.photos = job.photos.photos.size();
  result.registered = job.model.names.size();
  result.points = job.model.points;
  result.reprojection_error_px = job.model.reprojection_error_px;
  result.track_length = job.model.track_length;
  ALIGN_TRY(job.record.set_result(result));
  ALIGN_TRY(job.record.finish(Stage::kRefinement, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
