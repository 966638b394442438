#include "io/system_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace io::system_file {

namespace fs = std::filesystem;

int open_to_read(const fs::path& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

int64_t size_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? int64_t(status.st_size) : -1;
}

int64_t read_at(int file, void* to, size_t bytes, uint64_t offset) { return ::pread(file, to, bytes, off_t(offset)); }

void close(int file) { ::close(file); }

std::FILE* open_stream(const fs::path& path) { return std::fopen(path.c_str(), "rb"); }

int create(const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) (void)::flock(file, LOCK_EX | LOCK_NB);  // where there are no locks, its name says that it is in use
  return file;
}

int open_to_write(const fs::path& path) { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC); }

int64_t write(int file, const void* from, size_t bytes) { return ::write(file, from, bytes); }

int64_t write_at(int file, const void* from, size_t bytes, uint64_t offset) {
  return ::pwrite(file, from, bytes, off_t(offset));
}

int reserve(int file, uint64_t bytes) {
  int result = 0;
  do {
    result = ::fallocate(file, 0, 0, off_t(bytes));
  } while (result != 0 && errno == EINTR);
  // Other refusals (a file system that cannot do it) say nothing about what writing will bring.
  return result != 0 && (means_no_room(errno) || errno == EFBIG) ? -1 : 0;
}

int flush(int file) { return ::fsync(file); }

int replace(const fs::path& from, const fs::path& to) { return ::rename(from.c_str(), to.c_str()); }

void flush_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

void remove(const char* path) noexcept { ::unlink(path); }

bool means_no_room(int code) { return code == ENOSPC || code == EDQUOT; }

int process_id() { return ::getpid(); }

bool has_writer(const fs::path& path, int process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return true;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

}  // namespace io::system_file
