#include "app/run/run_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/io.h"

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
    return Error{"cannot write into '" + folder.string() + "': " + std::strerror(errno) + "; choose another -o"};
  ::close(fd);
  ::unlink(probe.c_str());
  return {};
}

}  // namespace

Status check_writable_folder(const fs::path& folder) {
  fs::path existing = folder.empty() ? fs::path(".") : folder;
  std::error_code code;
  while (!fs::exists(fs::symlink_status(existing, code))) {
    const fs::path parent = existing.parent_path();
    existing = parent.empty() || parent == existing ? fs::path(".") : parent;
  }
  if (!fs::is_directory(existing, code))
    return Error{"cannot write below '" + existing.string() + "': it is not a folder; choose another -o"};
  return try_to_create_in(existing);
}

Result<RunOutput> RunOutput::check(const fs::path& target) {
  RunOutput output;
  output.target_ = target;
  SPLAT_ASSIGN_OR_RETURN(const auto format, io::splat_format_by_extension(target));
  output.single_file_ = format.has_value();
  std::error_code code;
  if (output.single_file_ && fs::is_directory(target, code))
    return Error{"'" + target.string() +
                 "' is a folder, but -o names a splat file by its extension; choose another -o"};
  if (!output.single_file_ && fs::exists(target, code) && !fs::is_directory(target, code))
    return Error{"'" + target.string() + "' is a file; -o needs a folder, or a file name that ends in .ply"};
  SPLAT_TRY(check_writable_folder(output.single_file_ ? target.parent_path() : target));
  return output;
}

Status RunOutput::create() const {
  std::error_code code;
  const fs::path folder = single_file_ ? target_.parent_path() : target_ / "checkpoints";
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code)
    return Error{"cannot create the folder '" + folder.string() + "': " + code.message() + "; choose another -o"};
  return {};
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
  checkpoints_.push_back(path);
  if (checkpoints_.size() <= kKeptCheckpoints) return;
  std::error_code code;
  if (checkpoints_.front() != path) fs::remove(checkpoints_.front(), code);
  checkpoints_.erase(checkpoints_.begin());
}

}  // namespace app
