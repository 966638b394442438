// Features by COLMAP's extractor, one call a lens: a call can give all its photos one camera only.
#include <algorithm>
#include <fstream>
#include <set>

#include "align/photos/working_folder.h"
#include "align/stages/job.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/percentile.h"

namespace align {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kBytesPerThread = 1'000'000'000;  // of the extractor, at 1600 px
constexpr size_t kFewForDistortion = 15;  // photos of a lens below which its model has one distortion parameter

struct Effort {
  int longest_side, features;
};

Effort effort_of(Quality quality) {
  switch (quality) {
    case Quality::kFast:
      return {1000, 2048};
    case Quality::kFine:
      return {2400, 8192};
    case Quality::kNormal:
      break;
  }
  return {1600, 4096};
}

uint64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, rest;
  for (uint64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, rest))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return ~uint64_t(0);
}

const char* camera_model(const Job& job, size_t photos) {
  if (job.options.fisheye) return "OPENCV_FISHEYE";
  return photos < kFewForDistortion ? "SIMPLE_RADIAL" : "OPENCV";
}

// What an earlier run that was cut short has done of a group.
struct Before {
  size_t with_features = 0;
  uint32_t camera_id = 0;  // 0: none yet
};

splat::Result<Before> look_into_database(const Job& job, const std::set<std::string>& names) {
  Before before;
  if (!fs::exists(job.paths.database)) return before;
  SPLAT_ASSIGN_OR_RETURN(ColmapDatabase database, ColmapDatabase::open(job.paths.database));
  SPLAT_ASSIGN_OR_RETURN(const std::vector<DatabaseImage> images, database.images());
  for (const DatabaseImage& image : images) {
    if (!names.contains(image.name)) continue;
    before.camera_id = image.camera_id;
    before.with_features += image.features > 0;
  }
  return before;
}

ColmapArguments extractor_arguments(Job& job, const fs::path& list, size_t photos, uint32_t camera_id, int threads) {
  const Effort effort = effort_of(job.options.quality);
  ColmapArguments arguments(job.colmap, "feature_extractor");
  arguments.add("database_path", job.paths.database.string())
      .add("image_path", job.paths.photos.string())
      .add("image_list_path", list.string())
      .add("ImageReader.single_camera", "1")
      .add("ImageReader.camera_model", camera_model(job, photos))
      .add({"SiftExtraction.use_gpu", "FeatureExtraction.use_gpu"}, "0")  // otherwise it wants a display
      .add({"SiftExtraction.max_image_size", "FeatureExtraction.max_image_size"}, std::to_string(effort.longest_side))
      .add({"SiftExtraction.num_threads", "FeatureExtraction.num_threads"}, std::to_string(threads))
      .add("SiftExtraction.max_num_features", std::to_string(effort.features));
  if (camera_id > 0) arguments.add("ImageReader.existing_camera_id", std::to_string(camera_id));
  if (!job.photos.masks.empty()) arguments.add("ImageReader.mask_path", job.paths.masks.string());
  return arguments;
}

int extractor_threads(const Job& job) {
  return int(std::clamp<uint64_t>(available_bytes() / kBytesPerThread, 1, uint64_t(job.threads())));
}

// The photos of one lens. `done` counts over all groups.
StageEnd extract_group(Job& job, int group, size_t& done, std::vector<std::string>& problems) {
  std::set<std::string> names;
  for (size_t i = 0; i < job.photos.photos.size(); ++i)
    if (job.photos.photos[i].group == group) names.insert(working_name(job.photos, i));
  const auto before = look_into_database(job, names);
  if (!before) return stage_failed(before.error());
  if (before->with_features < names.size()) {
    const fs::path list = job.paths.work / ("photos_" + std::to_string(group) + ".txt");
    ALIGN_TRY(job.write_lines(list, {names.begin(), names.end()}));
    std::string photo;
    const auto on_line = [&](const ColmapLine& line) {
      if (line.kind == ColmapLine::kFile) job.progress(done + line.done);
      if (line.kind == ColmapLine::kFileName) photo = line.text;
      if (line.kind == ColmapLine::kFileProblem && line.text.find("already") == std::string::npos)
        problems.push_back(job.true_name(photo) + " (" + line.text + ")");
    };
    StageEnd end;
    for (int threads = extractor_threads(job);; threads /= 2) {
      end = job.run_colmap(extractor_arguments(job, list, names.size(), before->camera_id, threads), on_line);
      if (end || !job.out_of_memory() || threads <= 1) break;
      job.note("feature extraction ran out of memory with " + std::to_string(threads) +
               " threads; going on with fewer");
    }
    if (!end) return end;
  }
  done += names.size();
  job.progress(done);
  return {};
}

void remove_database(const Job& job) {
  std::error_code code;
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove_all(job.paths.database.string() + ending, code);
}

StageEnd check_features(Job& job) {
  auto database = ColmapDatabase::open(job.paths.database);
  ALIGN_TRY(database);
  const auto images = database->images();
  ALIGN_TRY(images);
  constexpr uint32_t kFew = 100;
  std::vector<std::string> few;
  std::vector<uint32_t> counts;
  for (const DatabaseImage& image : *images) {
    counts.push_back(image.features);
    if (image.features < kFew) few.push_back(job.true_name(image.name));
  }
  if (counts.empty())
    return {AlignEnd::kFailed, "colmap read none of the photos; what it said is in '" + job.paths.log.string() + "'"};
  if (few.size() * 2 > counts.size())
    return {AlignEnd::kUnusable,
            "most photos show too few features to be placed (" + std::to_string(splat::median(counts)) +
                " in the middle one, " + std::to_string(kFew) +
                " are wanted): they are too dark, too blurred, covered by masks, or show surfaces without texture, " +
                "such as " + io::first_names(few)};
  if (!few.empty())
    job.warning("few features were found in " + std::to_string(few.size()) +
                " photos, which may find no place: " + io::first_names(few));
  return {};
}

}  // namespace

StageEnd features_stage(Job& job) {
  const Effort effort = effort_of(job.options.quality);
  job.stamp.add("features").add(effort.longest_side).add(effort.features).add(job.options.fisheye);
  job.stamp.add(job.colmap.version());
  job.features_stamp = job.stamp;
  job.begin(Stage::kFeatures, job.photos.photos.size());
  const bool usable = bool(look_into_database(job, {}));  // or not there yet
  const bool done_before = job.record.done(Stage::kFeatures, job.stamp);
  if (done_before && usable && fs::exists(job.paths.database)) return {};
  if (done_before) job.note("the features of an earlier run are gone or damaged: they are found anew");
  if (!usable) remove_database(job);  // or colmap was killed while it made the tables
  if (done_before || !job.record.begun(Stage::kFeatures, job.stamp)) {
    remove_database(job);
    ALIGN_TRY(job.record.begin(Stage::kFeatures, job.stamp));
  }
  size_t done = 0;
  std::vector<std::string> problems;
  for (int group = 0; group < job.photos.groups; ++group) ALIGN_STAGE(extract_group(job, group, done, problems));
  if (!problems.empty())
    job.warning(splat::counted(problems.size(), "photo") +
                " could not be read by colmap: " + io::first_names(problems));
  ALIGN_STAGE(check_features(job));
  ALIGN_TRY(job.record.finish(Stage::kFeatures, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
