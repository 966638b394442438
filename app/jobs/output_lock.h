// Keeps a second hipsplat out of an output folder, or away from a splat file that is written alone: an advisory lock
// (flock) on a small file that names the process. The system lets go of it when the process ends, however it ends. The
// lock alone decides who is there: process numbers repeat in containers.
#pragma once

#include <filesystem>
#include <utility>

#include "splat/core/result.h"

namespace app {

inline constexpr const char* kLockName = ".hipsplat.lock";  // of a folder

class OutputLock {
 public:
  OutputLock() = default;
  ~OutputLock() { release(); }
  OutputLock(OutputLock&& other) noexcept { *this = std::move(other); }
  OutputLock& operator=(OutputLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(file_, other.file_);
    return *this;
  }

  // An error that names the process when another one holds the lock now; leaves no trace.
  static splat::Status check(const std::filesystem::path& file);
  static bool held(const std::filesystem::path& file);  // now, by this process or another one; likewise
  // Where the file system knows no locks, that is logged and the run goes on without one.
  splat::Status take(const std::filesystem::path& file);
  void release();

 private:
  int fd_ = -1;
  std::filesystem::path file_;
};

}  // namespace app
