#include "app/jobs/training/run_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <tuple>

#include "app/jobs/input/run_folder.h"
#include "app/jobs/training/run_place.h"
#include "io/atomic_file.h"
#include "io/companion.h"
#include "io/io.h"
#include "splat/core/log.h"
#include "splat/core/system.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

constexpr size_t kKeptCheckpoints = 2;

// The newest beside the one that was just written stays, whichever process wrote it: with every interruption that is
// gone on from there would be two more otherwise. Equal times, of a coarse clock, are decided by the iteration.
void remove_older_checkpoints(const fs::path& written) {
  std::vector<std::tuple<fs::file_time_type, int, fs::path>> others;
  std::error_code code;
  for (fs::directory_iterator entry(written.parent_path(), code), end; !code && entry != end; entry.increment(code)) {
    std::error_code no_time;
    const int iteration = iteration_of_checkpoint(entry->path());
    const auto time = entry->last_write_time(no_time);
    if (iteration >= 0 && !no_time && entry->path().filename() != written.filename())
      others.emplace_back(time, iteration, entry->path());
  }
  std::sort(others.rbegin(), others.rend());
  for (size_t i = kKeptCheckpoints - 1; i < others.size(); ++i) fs::remove(std::get<fs::path>(others[i]), code);
}

Status try_to_create_in(const fs::path& folder) {
  // Not O_EXCL: one that a killed process with the same number left serves as well.
  const fs::path probe = folder / (".hipsplat-" + std::to_string(::getpid()));
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd < 0)
    return Error{"cannot write into '" + folder.string() + "': " + splat::error_text(errno) +
                 "; choose another place for the results"};
  ::close(fd);
  ::unlink(probe.c_str());
  return {};
}

fs::path nearest_existing(const fs::path& path) {
  fs::path existing = path.empty() ? fs::path(".") : path;
  std::error_code code;
  while (!fs::exists(fs::symlink_status(existing, code))) {
    const fs::path parent = existing.parent_path();
    existing = parent.empty() || parent == existing ? fs::path(".") : parent;
  }
  return existing;
}

uint64_t device_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.empty() ? "." : path.c_str(), &status) == 0 ? uint64_t(status.st_dev) : 0;
}

}  // namespace

Status check_writable_folder(const fs::path& folder, bool make_parents) {
  const fs::path existing = nearest_existing(folder);
  std::error_code code;
  const fs::path whole = fs::absolute(folder.empty() ? fs::path(".") : folder, code).lexically_normal();
  const fs::path parent = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  if (!make_parents && !fs::exists(fs::symlink_status(parent, code)))
    return Error{"there is no folder '" + parent.string() + "' in which '" + folder.string() +
                 "' could be made: create it, or choose another place"};
  if (!fs::is_directory(existing, code))
    return Error{"cannot write below '" + existing.string() +
                 "': it is not a folder; choose another place for the results"};
  return try_to_create_in(existing);
}

Result<RunOutput> RunOutput::check(const fs::path& target, bool make_parents) {
  RunOutput output;
  output.target_ = target;
  SPLAT_ASSIGN_OR_RETURN(const auto format, io::splat_format_by_extension(target));
  output.single_file_ = format.has_value();
  std::error_code code;
  if (output.single_file_ && fs::is_directory(target, code))
    return Error{"'" + target.string() +
                 "' is a folder, but its name is that of a splat file; choose another place for the results"};
  if (!output.single_file_ && fs::exists(target, code) && !fs::is_directory(target, code))
    return Error{"'" + target.string() + "' is a file: results need a folder, or a file name that ends in .ply"};
  if (!output.single_file_) SPLAT_TRY(check_ordinary_files(target));
  if (output.single_file_) SPLAT_TRY(io::check_place_of_file(target));
  const fs::path parent = target.parent_path();
  if (!make_parents && output.single_file_ && !parent.empty() && !fs::exists(parent, code))
    return Error{"there is no folder '" + parent.string() + "' in which '" + target.filename().string() +
                 "' could be written: create it, or correct the name"};
  SPLAT_TRY(check_writable_folder(output.single_file_ ? parent : target, make_parents));
  return output;
}

Status RunOutput::check_free() const { return OutputLock::check(lock_file()); }

fs::path RunOutput::lock_file() const {
  if (!single_file_) return target_ / kLockName;
  return target_.parent_path() / ("." + target_.filename().string() + ".lock");
}

Status RunOutput::create() {
  std::error_code code;
  const fs::path folder = single_file_ ? target_.parent_path() : target_ / "checkpoints";
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code)
    return Error{"cannot create the folder '" + folder.string() + "': " + code.message() +
                 "; choose another place for the results"};
  device_ = device_of(folder);
  return {};
}

Status RunOutput::take() {
  SPLAT_TRY(lock_.take(lock_file()));
  remove_dead_partial_files();
  return {};
}

Status RunOutput::make_folder_of(const fs::path& file) const {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code code;
  if (fs::is_directory(folder, code)) return {};
  if (device_of(nearest_existing(folder)) != device_)
    return Error{"cannot write '" + file.string() + "': the drive of its folder is no longer there"};
  const bool vanished = !fs::exists(single_file_ ? folder : target_, code);
  fs::create_directories(folder, code);
  if (code) return Error{"cannot create the folder '" + folder.string() + "': " + code.message()};
  if (vanished) splat::log::warning("the folder '" + folder.string() + "' was gone and has been made anew");
  return {};
}

fs::path RunOutput::spare_folder() const {
  const auto variable = [](const char* name) {
    const char* value = splat::environment(name);
    return fs::path(value && *value ? value : "");
  };
  fs::path state = variable("XDG_STATE_HOME");
  if (state.empty() && !variable("HOME").empty()) state = variable("HOME") / ".local/state";
  if (state.empty()) return {};
  std::error_code code;
  const fs::path whole = fs::absolute(target_, code).lexically_normal();
  const fs::path name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  char hash[20];
  std::snprintf(hash, sizeof hash, "-%08x", unsigned(std::hash<std::string>()(whole.string()) & 0xFFFFFFFFu));
  return state / "hipsplat" / (name.string() + hash);
}

fs::path RunOutput::spare_checkpoint(fs::file_time_type since) const {
  fs::path newest;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(spare_folder(), code)) {
    std::error_code no_time;
    const auto time = entry.last_write_time(no_time);
    if (no_time || time < since || iteration_of_checkpoint(entry.path()) < 0) continue;
    newest = entry.path(), since = time;
  }
  return newest;
}

void RunOutput::remove_dead_partial_files() const {
  if (single_file_) {
    io::remove_dead_partial_files_of(target_);
    return;
  }
  io::remove_dead_partial_files(target_, "");
  io::remove_dead_partial_files(target_ / "checkpoints", "");
  std::error_code code;
  for (fs::directory_iterator entry(target_ / "point_cloud", code), end; !code && entry != end; entry.increment(code))
    io::remove_dead_partial_files(entry->path(), "");
}

fs::path RunOutput::splat_file(int iteration) const {
  if (single_file_) return target_;
  return target_ / "point_cloud" / ("iteration_" + std::to_string(iteration)) / "point_cloud.ply";
}

fs::path RunOutput::checkpoint_file(int iteration) const {
  if (!single_file_) return target_ / "checkpoints" / ("iteration_" + std::to_string(iteration) + ".checkpoint");
  fs::path beside = target_;
  beside += ".checkpoint";
  return beside;
}

void RunOutput::checkpoint_written(const fs::path& path) {
  const fs::path spare = spare_folder();
  const bool is_spare = !spare.empty() && path.parent_path() == spare;
  std::error_code code;
  if (!spare_checkpoint_.empty() && spare_checkpoint_ != path) fs::remove(spare_checkpoint_, code);
  spare_checkpoint_ = is_spare ? path : fs::path();
  if (is_spare) return;
  if (!spare.empty()) fs::remove(spare, code);  // empty by now, or it stays
  if (!single_file_) remove_older_checkpoints(path);
}

}  // namespace app
