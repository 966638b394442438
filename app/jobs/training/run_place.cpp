#include "app/jobs/training/run_place.h"

#include <fmt/format.h>

#include <string>

#include "app/jobs/host/small_file.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/replaced_file.h"
#include "io/atomic_file.h"
#include "io/beside_splats.h"
#include "io/bytes.h"
#include "io/checkpoint.h"
#include "io/json.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {

constexpr uintmax_t kMostConfigBytes = uintmax_t(1) << 20;
constexpr const char* kReplaced[] = {"config.json",  "cfg_args",    "cameras.json", "seconds.json",
                                     "metrics.json", "report.html", "scene.json"};
constexpr const char* kFolders[] = {"checkpoints", "point_cloud"};

Status check_ordinary(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  return fs::exists(status) && !fs::is_directory(status) ? io::check_regular(file) : Status();
}

// Checks what lies in a folder that the run alone fills.
Status check_entries(const fs::path& folder, int depth) {
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    SPLAT_TRY(check_ordinary(entry->path()));
    if (std::error_code none; depth > 0 && entry->is_directory(none))
      SPLAT_TRY(check_entries(entry->path(), depth - 1));
  }
  return {};
}

Error taken(const fs::path& file) {
  return Error{fmt::format(
      "'{}' is there already, and no run of hipsplat has written it: choose another place for the results, or give "
      "--force",
      file.string())};
}

// What killed processes left half-written does not count.
bool holds_files(const fs::path& folder) {
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::error_code none;
    if (io::target_of_partial_file(entry->path()).empty() && !entry->is_directory(none)) return true;
  }
  return false;
}

Status check_folder(const RunOutput& output) {
  if (is_run_folder(output.target())) return {};
  std::error_code code;
  for (const char* name : kReplaced)
    if (fs::exists(output.file(name), code)) return taken(output.file(name));
  for (const char* name : kFolders)
    if (holds_files(output.file(name))) return taken(output.file(name));
  return {};
}

Status check_beside_file(const RunOutput& output) {
  std::error_code code;
  const fs::path checkpoint = output.checkpoint_file(0);
  if (fs::exists(checkpoint, code) && !io::is_checkpoint(checkpoint)) return taken(checkpoint);
  return {};
}

}  // namespace

bool is_run_folder(const fs::path& folder) {
  const auto text = read_small_file(folder / "config.json", kMostConfigBytes);
  if (!text) return false;
  const auto config = io::parse_json(*text, "config.json");
  return config && config->is_object() && config->contains("iterations") && config->contains("seed");
}

io::SplatFileInfo info_of_result(const Options& options, const splat::Dataset& dataset) {
  io::SplatFileInfo info;
  info.antialiased = options.train.antialias;
  info.low_pass = options.train.low_pass;
  info.view_up = dataset.view_up;
  info.frame = {dataset.origin, dataset.epsg, dataset.metres_per_unit};
  return info;
}

Status check_ordinary_files(const fs::path& folder) {
  std::error_code code;
  for (const char* name : {"log.txt", "input.ply", kLockName}) SPLAT_TRY(check_ordinary(folder / name));
  for (const char* name : kReplaced) SPLAT_TRY(check_ordinary(folder / name));
  for (const char* name : kFolders) {
    const fs::path inner = folder / name;
    if (fs::exists(inner, code) && !fs::is_directory(inner, code))
      return Error{
          fmt::format("'{}' is no folder, and a run needs one of that name: choose another place for the "
                      "results",
                      inner.string())};
    SPLAT_TRY(check_entries(inner, 1));
  }
  return {};
}

Status check_run_place(const RunOutput& output, bool force) {
  const auto [file, kind] = output.single_file() ? std::pair(output.target(), FileKind::kSplats)
                                                 : std::pair(output.file("input.ply"), FileKind::kPoints);
  SPLAT_TRY(check_replaceable(file, kind, {.force = force}));
  if (!output.single_file()) return force ? Status() : check_folder(output);
  SPLAT_TRY(check_ordinary(output.checkpoint_file(0)));
  SPLAT_TRY(io::check_beside_splats(file, nullptr, beside_of(force)));
  return force ? Status() : check_beside_file(output);
}

}  // namespace app
