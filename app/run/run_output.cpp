#include "app/run/run_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>

#include "io/atomic_file.h"
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

Status try_to_create_in(const fs::path& folder) {
  const fs::path probe = folder / (".hipsplat-" + std::to_string(::getpid()));
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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
  const fs::path parent = target.parent_path();
  if (!make_parents && output.single_file_ && !parent.empty() && !fs::exists(parent, code))
    return Error{"there is no folder '" + parent.string() + "' in which '" + target.filename().string() +
                 "' could be written: create it, or correct the name"};
  SPLAT_TRY(check_writable_folder(output.single_file_ ? parent : target, make_parents));
  return output;
}

Status RunOutput::check_free() const { return OutputLock::check(lock_file()); }

fs::path RunOutput::lock_file() const {
  if (!single_file_) return target_ / ".hipsplat.lock";
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
  const auto is_spare = [&](const fs::path& file) { return !spare.empty() && file.parent_path() == spare; };
  std::error_code code;
  std::erase_if(checkpoints_, [&](const fs::path& older) {
    if (is_spare(older) && older != path) fs::remove(older, code);
    return is_spare(older) || older == path;
  });
  if (!spare.empty() && !is_spare(path)) fs::remove(spare, code);  // empty by now, or it stays
  checkpoints_.push_back(path);
  const auto in_output = std::count_if(checkpoints_.begin(), checkpoints_.end(), std::not_fn(is_spare));
  if (size_t(in_output) <= kKeptCheckpoints) return;
  const auto oldest = std::find_if(checkpoints_.begin(), checkpoints_.end(), std::not_fn(is_spare));
  fs::remove(*oldest, code);
  checkpoints_.erase(oldest);
}

}  // namespace app
