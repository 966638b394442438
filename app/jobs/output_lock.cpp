#include "app/jobs/output_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "splat/core/log.h"
#include "splat/core/system.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {

constexpr int kWaitMs = 20, kLongestWaitMs = 60'000;
constexpr int kProbeMs = 100;  // how long another process may hold a lock that it only asks for

// Where process numbers count: the machine, and of its containers this one.
std::string place() {
  char host[256] = "", numbers[64] = "";
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = 0;
  if (::readlink("/proc/self/ns/pid", numbers, sizeof numbers - 1) < 0) numbers[0] = 0;
  return fmt::format("{}/{}", host, numbers);
}

// This process and no other one, wherever it runs: numbers repeat, in containers most of all.
const std::string& own_mark() {
  static const std::string mark = [] {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
  }();
  return mark;
}

struct Holder {
  std::string pid, mark, place;
};

// What the holder wrote: "PID MARK PLACE".
Holder holder_of(int fd) {
  char text[400] = "";
  Holder holder;
  if (::pread(fd, text, sizeof text - 1, 0) > 0) std::istringstream(text) >> holder.pid >> holder.mark >> holder.place;
  return holder;
}

std::string name_of(const Holder& holder) {
  const bool sane = !holder.pid.empty() && holder.pid.find_first_not_of("0123456789") == std::string::npos;
  if (!sane) return "another process";
  return "process " + holder.pid + (holder.place == place() ? "" : " on another machine or in another container");
}

// Not through a link, and no pipe: -1, and errno says why.
int open_lock(const fs::path& file, int more) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | more, 0644);
  struct stat status {};
  if (fd < 0 || (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))) return fd;
  ::close(fd);
  errno = EEXIST;
  return -1;
}

// Whether what stands there may have been written by take(): else it is somebody's file of the same name.
bool is_lock(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return false;
  const Holder holder = holder_of(fd);
  const auto made_of = [](const std::string& text, const char* digits) {
    return text.find_first_not_of(digits) == std::string::npos;
  };
  return status.st_size == 0 || (!holder.pid.empty() && made_of(holder.pid, "0123456789") && holder.mark.size() == 16 &&
                                 made_of(holder.mark, "0123456789abcdef"));
}

bool is_held(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

bool held_by_us(int fd) { return holder_of(fd).mark == own_mark(); }

Error in_use(const fs::path& file, int fd) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return Error{fmt::format(
      "'{}' is in use: another hipsplat ({}) writes into it; wait for it, or choose another place for the results",
      folder.string(), name_of(holder_of(fd)))};
}

Error no_lock(const fs::path& file) {
  return Error{
      fmt::format("'{}' is there already and is no lock of hipsplat's, which would replace it: move it away, or choose "
                  "another place "
                  "for the results",
                  file.string())};
}

bool same_file(int fd, const fs::path& file) {
  struct stat open {
  }, named{};
  return ::fstat(fd, &open) == 0 && ::stat(file.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

Status OutputLock::check(const fs::path& file) {
  const int fd = open_lock(file, 0);
  if (fd < 0) return {};
  Status status = !is_lock(fd)                     ? Status(no_lock(file))
                  : is_held(fd) && !held_by_us(fd) ? Status(in_use(file, fd))
                                                   : Status();
  ::close(fd);
  return status;
}

bool OutputLock::held(const fs::path& file) {
  const int fd = open_lock(file, 0);
  const bool held = fd >= 0 && is_held(fd);
  if (fd >= 0) ::close(fd);
  return held;
}

Status OutputLock::take(const fs::path& file) {
  release();
  for (;;) {
    const int fd = open_lock(file, O_CREAT);
    if (fd < 0)
      return Error{fmt::format("cannot create '{}': {}; choose another place for the results", file.string(),
                               splat::error_text(errno))};
    int problem = ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    // A run of this window that is just being left writes its checkpoint first.
    for (int wait = 0; problem == EWOULDBLOCK && wait < (held_by_us(fd) ? kLongestWaitMs : kProbeMs); wait += kWaitMs) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kWaitMs));
      problem = ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    }
    if (problem == EWOULDBLOCK) {
      const Error error = in_use(file, fd);
      ::close(fd);
      return error;
    }
    if (problem != 0)
      splat::log::info(fmt::format("'{}' cannot be locked against a second run ({})", file.parent_path().string(),
                                   splat::error_text(problem)));
    if (problem == 0 && !same_file(fd, file)) {  // its holder has just removed it
      ::close(fd);
      continue;
    }
    if (!is_lock(fd)) {
      ::close(fd);
      return no_lock(file);
    }
    fd_ = fd;
    file_ = file;
    const std::string text = fmt::format("{} {} {}", ::getpid(), own_mark(), place());
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.data(), text.size(), 0) < 0) {
    }  // a full disk: then the message does without the process
    return {};
  }
}

void OutputLock::release() {
  if (fd_ < 0) return;
  if (same_file(fd_, file_)) ::unlink(file_.c_str());  // while it is held: nobody takes a file that is about to go
  ::close(fd_);
  fd_ = -1;
}

}  // namespace app
