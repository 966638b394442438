// The files of a training run. What cannot be written where it belongs is written elsewhere (RunOutput::spare_folder),
// and the log says so.
#include <fmt/format.h>

#include <algorithm>

#include "app/console/host.h"
#include "app/run/disk_plan.h"
#include "app/run/inria_layout.h"
#include "app/run/training_run.h"
#include "app/run/training_seconds.h"
#include "io/atomic_file.h"
#include "io/cameras_json.h"
#include "io/io.h"
#include "io/scene_json.h"
#include "io/splats/ply/ply.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/growth_limit.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;
using splat::Status;

namespace {

constexpr size_t kCheckpointsAtATime = 3;  // the newest two, and the next while it is written

// What a device or memory refuses, as a sentence.
template <class Work>
Status guarded(const char* what, const Work& work) try {
  return work();
} catch (const splat::DeviceError& error) {
  return splat::Error{fmt::format("{} cannot be read back: {}", what, error.what())};
} catch (const std::bad_alloc&) {
  return splat::Error{fmt::format("{} cannot be written: {}", what, out_of_memory())};
}

}  // namespace

Outcome TrainingRun::check_disk() const {
  DiskNeed need;
  need.starting_splats = trainer_->splats();
  const splat::GrowthLimit limit =
      splat::growth_limit(options_.train.max_splats, splats_that_fit_, dataset_, options_.train.sh_degree);
  need.most_splats = std::max<uint64_t>(limit.splats, need.starting_splats);
  need.sh_degree = options_.train.sh_degree;
  need.splat_files = 1 + options_.save.at.size();
  if (options_.save.checkpoint_every > 0) need.checkpoints = kCheckpointsAtATime;
  const DiskPlan plan = plan_disk(output_, dataset_, need);
  if (plan.free_bytes < plan.first_bytes)
    return bad_input(
        fmt::format("the files of this run need at least {} of disk, and '{}' has {} free: free some space or choose "
                    "another place for the results",
                    human_bytes(plan.first_bytes), output_.target().string(), human_bytes(plan.free_bytes)));
  log::info(fmt::format("disk: at least {}, {} if it grows to {} splats", human_bytes(plan.first_bytes),
                        human_bytes(plan.most_bytes), human_count(need.most_splats)));
  if (plan.free_bytes < plan.most_bytes)
    log::warning(
        fmt::format("the disk of '{}' has {} free, which is too little if the run grows so far: free some "
                    "space, or give --max-splats",
                    output_.target().string(), human_bytes(plan.free_bytes)));
  return done();
}

// Without all of them there is no run; then those are removed again that were not there before.
Outcome TrainingRun::write_first_files() {
  std::error_code code;
  if (fs::exists(output_.file("metrics.json"), code) && options_.resume.empty())
    log::info(fmt::format("'{}' holds an earlier run: files of the same name are replaced, the others stay",
                          output_.target().string()));
  std::vector<fs::path> added;
  bool replaced = false;
  for (const char* name : {"cfg_args", "config.json", "cameras.json", "scene.json", "input.ply"})
    if (!fs::exists(output_.file(name), code)) added.push_back(output_.file(name));
  const bool new_log = !fs::exists(output_.file("log.txt"), code);
  const auto write_all = [&]() -> Status {
    SPLAT_TRY(log::open_file(output_.file("log.txt")));
    SPLAT_TRY(io::write_file_atomically(output_.file("cfg_args"), cfg_args_text(options_, dataset_)));
    replaced = added.size() < 5;
    SPLAT_TRY(io::write_file_atomically(output_.file("config.json"), json_text(settings_json(options_))));
    SPLAT_TRY(io::write_cameras_json(output_.file("cameras.json"), dataset_));
    if (const io::SceneFrame frame{dataset_.origin, dataset_.epsg, dataset_.metres_per_unit}; !frame.empty())
      SPLAT_TRY(io::write_scene_json(output_.target(), frame));
    return io::write_point_cloud_ply(output_.file("input.ply"), dataset_.points);
  };
  const Status status = guarded("the first files", write_all);
  if (status) return done();
  log::close_file();
  output_.release();
  if (new_log) fs::remove(output_.file("log.txt"), code);
  for (const fs::path& file : added) fs::remove(file, code);
  fs::remove(output_.file("checkpoints"), code);  // stays where something is in it
  fs::remove(output_.target(), code);
  return replaced ? failed(status.error()) : bad_input(status.error());
}

Status TrainingRun::write_splats_to(const fs::path& path) {
  return guarded("the splats", [&]() -> Status {
    io::SplatFileInfo info;
    info.antialiased = options_.train.antialias;
    info.iteration = trainer_->iteration();
    info.view_up = dataset_.view_up;
    info.frame = {dataset_.origin, dataset_.epsg, dataset_.metres_per_unit};
    const splat::Backend& backend = *chosen_.backend;
    const bool all = options_.train.region.empty();
    const std::vector<uint32_t> of_region = all ? std::vector<uint32_t>() : trainer_->result_rows();
    splat::Gaussians around;
    const auto read = [&](size_t first, size_t count, splat::Gaussians& block) {
      if (all || count == 0) return backend.download_rows(first, count, block);
      const uint32_t from = of_region[first];
      backend.download_rows(from, of_region[first + count - 1] + 1 - from, around);
      std::vector<uint32_t> rows(of_region.begin() + ptrdiff_t(first), of_region.begin() + ptrdiff_t(first + count));
      for (uint32_t& row : rows) row -= from;
      block = splat::gather_rows(around, rows);
    };
    const io::SplatRows rows{all ? backend.size() : of_region.size(), options_.train.sh_degree, read};
    SPLAT_ASSIGN_OR_RETURN(const io::SplatWriteReport report, io::write_splat_file(path, rows, info));
    splats_in_file_ = report.written;
    if (report.dropped > 0)
      log::warning(fmt::format("{} splats that are not finite were left out of '{}'", report.dropped, path.string()));
    return {};
  });
}

Status TrainingRun::write_splats() {
  const fs::path path = output_.splat_file(trainer_->iteration());
  SPLAT_TRY(output_.make_folder_of(path));
  return write_splats_to(path);
}

Status TrainingRun::write_spare_splats() {
  const fs::path folder = output_.spare_folder();
  if (folder.empty()) return splat::Error{"neither XDG_STATE_HOME nor HOME is set"};
  std::error_code code;
  fs::create_directories(folder, code);  // an error shows when the file is written
  const fs::path name = output_.single_file() ? output_.target().filename()
                                              : fs::path(fmt::format("iteration_{}.ply", trainer_->iteration()));
  SPLAT_TRY(write_splats_to(folder / name));
  spare_splats_ = folder / name;
  return {};
}

Status TrainingRun::write_checkpoint_to(const fs::path& path) {
  return guarded("the state", [&]() -> Status {
    splat::Archive archive;
    const std::unique_ptr<splat::RowSource> rows = trainer_->save_state_in_rows(archive);
    archive.put_string(kSettingsEntry, json_line(settings_json(options_)));
    SPLAT_TRY(io::write_checkpoint(path, archive, rows.get()));
    last_checkpoint_ = path;
    output_.checkpoint_written(path);
    note_seconds_at(path, training_seconds());
    return {};
  });
}

Status TrainingRun::write_checkpoint(std::string_view then) {
  const fs::path path = output_.checkpoint_file(trainer_->iteration());
  Status status = output_.make_folder_of(path);
  if (status) status = write_checkpoint_to(path);
  if (status) {
    log::info(fmt::format("checkpoint '{}'", path.string()));
    return {};
  }
  const fs::path folder = output_.spare_folder();
  if (folder.empty()) return status;
  std::error_code code;
  fs::create_directories(folder, code);  // an error shows when the file is written
  if (!write_checkpoint_to(folder / path.filename())) {
    fs::remove(folder, code);  // stays where something is in it
    return status;
  }
  spare_cause_ = status.error().message;
  log::warning(
      fmt::format("{}; the state is kept in '{}' instead{}", status.error().message, last_checkpoint_.string(), then));
  return {};
}

bool TrainingRun::last_checkpoint_is_spare() const {
  return !last_checkpoint_.empty() && last_checkpoint_.parent_path() == output_.spare_folder();
}

Status TrainingRun::write_reports(const std::vector<ReportPictures::View>& views) const {
  return guarded("the report", [&]() -> Status {
    SPLAT_TRY(output_.make_folder_of(output_.file("metrics.json")));
    if (const auto refined = trainer_->poses().cams_from_world(); !refined.empty())
      SPLAT_TRY(io::write_cameras_json(output_.file("cameras.json"), dataset_, refined));
    SPLAT_TRY(io::write_file_atomically(output_.file("metrics.json"), json_text(to_json(record_))));
    return io::write_file_atomically(output_.file("report.html"), report_html(record_, settings_json(options_), views));
  });
}

}  // namespace app
