#include "io/system_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace io::system_file {

namespace fs = std::filesystem;

int open_to_read(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // which a regular file does not know
  struct stat status {};
  if (file < 0 || (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
  ::close(file);
  errno = 0;
  return -1;
}

int64_t size_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? int64_t(status.st_size) : -1;
}

int64_t read_at(int file, void* to, size_t bytes, uint64_t offset) { return ::pread(file, to, bytes, off_t(offset)); }

void close(int file) { ::close(file); }

std::FILE* open_stream(const fs::path& path) { return std::fopen(path.c_str(), "rb"); }

int create(const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return file;
  // Only remove_unless_written() can have been quicker, and then the file is gone.
  while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  if (::fstat(file, &status) != 0 || status.st_nlink > 0) return file;
  ::close(file);
  errno = EEXIST;
  return -1;
}

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

int exchange(const fs::path& one, const fs::path& other) {
  return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
}

void flush_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

void remove(const char* path) noexcept { ::unlink(path); }

bool means_no_room(int code) { return code == ENOSPC || code == EDQUOT; }

int process_id() { return ::getpid(); }

void remove_unless_written(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0) return;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

}  // namespace io::system_file
