#include "app/jobs/training/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>

#include "app/jobs/host/host.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/training/disk_plan.h"
#include "app/jobs/training/inria_layout.h"
#include "app/jobs/training/run_place.h"
#include "app/jobs/training/training_seconds.h"
#include "io/atomic_file.h"
#include "io/beside_splats.h"
#include "io/cameras_json.h"
#include "io/checkpoint.h"
#include "io/io.h"
#include "io/scene_json.h"
#include "io/splats/ply/ply.h"
#include "splat/core/counted.h"
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

Outcome check_disk(const RunNow& run, const RunOutput& output, uint64_t splats_that_fit) {
  DiskNeed need;
  need.starting_splats = run.trainer.splats();
  const splat::GrowthLimit limit =
      splat::growth_limit(run.options.train.max_splats, splats_that_fit, run.dataset, run.options.train.sh_degree);
  need.most_splats = std::max<uint64_t>(limit.splats, need.starting_splats);
  need.sh_degree = run.options.train.sh_degree;
  need.splat_files = 1 + run.options.save.at.size();
  if (run.options.save.checkpoint_every > 0) need.checkpoints = kCheckpointsAtATime;
  const DiskPlan plan = plan_disk(output, run.dataset, need);
  if (plan.free_bytes < plan.first_bytes)
    return bad_input(
        fmt::format("the files of this run need at least {} of disk, and '{}' has {} free: free some space or choose "
                    "another place for the results",
                    human_bytes(plan.first_bytes), output.target().string(), human_bytes(plan.free_bytes)));
  log::info(fmt::format("disk: at least {}, {} if it grows to {} splats", human_bytes(plan.first_bytes),
                        human_bytes(plan.most_bytes), human_count(need.most_splats)));
  if (plan.free_bytes < plan.most_bytes)
    log::warning(
        fmt::format("the disk of '{}' has {} free, which is too little if the run grows so far: free some "
                    "space, or give --max-splats",
                    output.target().string(), human_bytes(plan.free_bytes)));
  return done();
}

Outcome write_first_files(const RunNow& run, RunOutput& output) {
  std::error_code code;
  if (fs::exists(output.file("metrics.json"), code) && run.options.resume.empty())
    log::info(fmt::format("'{}' holds an earlier run: files of the same name are replaced, the others stay",
                          output.target().string()));
  std::vector<fs::path> added;
  bool replaced = false;
  for (const char* name : {"cfg_args", "config.json", "cameras.json", "scene.json", "input.ply"})
    if (!fs::exists(output.file(name), code)) added.push_back(output.file(name));
  const bool new_log = !fs::exists(output.file("log.txt"), code);
  const auto write_all = [&]() -> Status {
    SPLAT_TRY(log::open_file(output.file("log.txt")));
    // First: by this file others of the folder are known as a run's.
    SPLAT_TRY(io::write_file_atomically(output.file("config.json"), json_text(settings_json(run.options))));
    replaced = added.size() < 5;
    SPLAT_TRY(io::write_file_atomically(output.file("cfg_args"), cfg_args_text(run.options, run.dataset)));
    SPLAT_TRY(io::write_cameras_json(output.file("cameras.json"), run.dataset));
    if (const io::SceneFrame frame{run.dataset.origin, run.dataset.epsg, run.dataset.metres_per_unit}; !frame.empty())
      SPLAT_TRY(io::write_scene_json(output.target(), frame));
    return io::write_point_cloud_ply(output.file("input.ply"), run.dataset.points);
  };
  const Status status = guarded("the first files", write_all);
  if (status) return done();
  log::close_file();
  output.release();
  if (new_log) fs::remove(output.file("log.txt"), code);
  for (const fs::path& file : added) fs::remove(file, code);
  fs::remove(output.file("checkpoints"), code);  // stays where something is in it
  fs::remove(output.target(), code);
  return replaced ? failed(status.error()) : bad_input(status.error());
}

Status write_reports(const RunNow& run, const RunOutput& output, const RunRecord& record,
                     const std::vector<ReportPictures::View>& views) {
  return guarded("the report", [&]() -> Status {
    SPLAT_TRY(output.make_folder_of(output.file("metrics.json")));
    if (const auto refined = run.trainer.poses().cams_from_world(); !refined.empty())
      SPLAT_TRY(io::write_cameras_json(output.file("cameras.json"), run.dataset, refined));
    SPLAT_TRY(io::write_file_atomically(output.file("metrics.json"), json_text(to_json(record))));
    return io::write_file_atomically(output.file("report.html"),
                                     report_html(record, settings_json(run.options), views));
  });
}

Status RunFiles::write_splats_to(const fs::path& path, const RunNow& run) {
  return guarded("the splats", [&]() -> Status {
    io::SplatFileInfo info = info_of_result(run.options, run.dataset);
    info.iteration = run.trainer.iteration();
    const splat::Backend& backend = *run.backend.backend;
    const bool all = run.options.train.region.empty();
    const std::vector<uint32_t> of_region = all ? std::vector<uint32_t>() : run.trainer.result_rows();
    splat::Gaussians around;
    const auto read = [&](size_t first, size_t count, splat::Gaussians& block) {
      if (all || count == 0) return backend.download_rows(first, count, block);
      const uint32_t from = of_region[first];
      backend.download_rows(from, of_region[first + count - 1] + 1 - from, around);
      std::vector<uint32_t> rows(of_region.begin() + ptrdiff_t(first), of_region.begin() + ptrdiff_t(first + count));
      for (uint32_t& row : rows) row -= from;
      block = splat::gather_rows(around, rows);
    };
    const io::SplatRows rows{all ? backend.size() : of_region.size(), run.options.train.sh_degree, read};
    SPLAT_ASSIGN_OR_RETURN(const io::SplatWriteReport report,
                           io::write_splat_file(path, rows, info, {}, beside_of(run.options.force)));
    splats_in_file_ = report.written;
    if (report.dropped > 0)
      log::warning(
          fmt::format("{} left out of '{}'",
                      splat::counted(report.dropped, "splat that is not finite was", "splats that are not finite were"),
                      path.string()));
    return {};
  });
}

Status RunFiles::write_splats(const RunNow& run) {
  const fs::path path = output_.splat_file(run.trainer.iteration());
  SPLAT_TRY(output_.make_folder_of(path));
  return write_splats_to(path, run);
}

Status RunFiles::write_spare_splats(const RunNow& run, fs::path& written) {
  const fs::path folder = output_.spare_folder();
  if (folder.empty()) return splat::Error{"neither XDG_STATE_HOME nor HOME is set"};
  std::error_code code;
  fs::create_directories(folder, code);  // an error shows when the file is written
  const fs::path name = output_.single_file() ? output_.target().filename()
                                              : fs::path(fmt::format("iteration_{}.ply", run.trainer.iteration()));
  SPLAT_TRY(write_splats_to(folder / name, run));
  written = folder / name;
  return {};
}

Status RunFiles::write_checkpoint_to(const fs::path& path, const RunNow& run) {
  return guarded("the state", [&]() -> Status {
    splat::Archive archive;
    const std::unique_ptr<splat::RowSource> rows = run.trainer.save_state_in_rows(archive);
    archive.put_string(kSettingsEntry, json_line(settings_json(run.options)));
    SPLAT_TRY(io::write_checkpoint(path, archive, rows.get()));
    checkpoint_ = path;
    checkpoint_iteration_ = run.trainer.iteration();
    output_.checkpoint_written(path);
    note_seconds_at(path, run.time.all());
    return {};
  });
}

Status RunFiles::write_checkpoint(const RunNow& run, std::string_view then) {
  const fs::path path = output_.checkpoint_file(run.trainer.iteration());
  Status status = output_.make_folder_of(path);
  if (status) status = write_checkpoint_to(path, run);
  if (status) {
    log::info(fmt::format("checkpoint '{}'", path.string()));
    return {};
  }
  const fs::path folder = output_.spare_folder();
  if (folder.empty()) return status;
  std::error_code code;
  fs::create_directories(folder, code);  // an error shows when the file is written
  if (!write_checkpoint_to(folder / path.filename(), run)) {
    fs::remove(folder, code);  // stays where something is in it
    return status;
  }
  spare_cause_ = status.error().message;
  log::warning(
      fmt::format("{}; the state is kept in '{}' instead{}", status.error().message, checkpoint_.string(), then));
  return {};
}

std::string RunFiles::keep_without_splats(const RunNow& run, std::string sentence) {
  fs::path spare;
  if (const Status status = write_spare_splats(run, spare); status)
    return fmt::format("{}; the splats are kept in '{}'", sentence, spare.string());
  if (checkpoint_.empty()) (void)write_checkpoint(run);
  if (!checkpoint_.empty())
    sentence += fmt::format("; nothing is lost before '{}': go on with --resume", checkpoint_.string());
  return sentence;
}

std::string RunFiles::kept_elsewhere() const {
  if (checkpoint_.empty() || checkpoint_.parent_path() != output_.spare_folder()) return "";
  return fmt::format("the last checkpoint could not be written into '{}' and is kept in '{}': {}",
                     output_.target().string(), checkpoint_.string(), spare_cause_);
}

}  // namespace app
