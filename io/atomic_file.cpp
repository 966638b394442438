#include "io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace io {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {
constexpr size_t kBufferBytes = size_t(1) << 20;
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  temporary_ = target_;
  temporary_ += ".part" + std::to_string(::getpid());
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail("cannot create");
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::fail(const char* doing) {
  if (!error_.empty()) return;
  const int code = errno;
  error_ = std::string(doing) + " '" + target_.string() + "': " + std::strerror(code);
  if (code == ENOSPC || code == EDQUOT) error_ += " (free some space or choose another output folder)";
}

void AtomicFile::flush() {
  size_t done = 0;
  while (done < buffer_.size() && error_.empty()) {
    const ssize_t written = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write");
      break;
    }
    done += size_t(written);
  }
  buffer_.clear();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (!error_.empty()) return;
  buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (buffer_.size() >= kBufferBytes) flush();
}

Status AtomicFile::commit() {
  if (error_.empty()) flush();
  if (error_.empty() && ::fsync(fd_) != 0) fail("cannot write");
  if (fd_ >= 0) {
    if (::close(fd_) != 0) fail("cannot write");
    fd_ = -1;
    if (error_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot replace");
    if (!error_.empty()) ::unlink(temporary_.c_str());
  }
  if (!error_.empty()) return Error{error_};
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  const int folder_fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd >= 0) {  // makes the rename durable; a file system that cannot do it is no reason to fail
    ::fsync(folder_fd);
    ::close(folder_fd);
  }
  return {};
}

Status write_file_atomically(const fs::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  return file.commit();
}

}  // namespace io
