#include "io/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/bytes.h"
#include "io/foreign_file.h"
#include "io/names.h"
#include "io/read_watch.h"
#include "io/system_file.h"
#include "splat/core/system.h"

namespace io {

namespace fs = std::filesystem;

namespace {
constexpr size_t kBlockBytes = size_t(1) << 20, kStartBytes = size_t(1) << 10;
}

Result<ByteStream> ByteStream::open_pipe(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_pipe(path));
  ByteStream stream({}, path.string());
  stream.block_.assign(bytes.begin(), bytes.end());
  stream.whole_ = stream.ahead_ = {stream.block_.data(), stream.block_.size()};
  stream.size_ = bytes.size();
  return stream;
}

Result<ByteStream> ByteStream::open(const fs::path& path, ReadWatch* watch) {
  SPLAT_TRY(check_regular(path));
  ByteStream stream({}, path.string());
  stream.fd_ = system_file::open_to_read(path);
  const int64_t size = stream.fd_ < 0 ? -1 : system_file::size_of(stream.fd_);
  if (size < 0) return Error{"cannot read '" + path.string() + "': " + splat::error_text(errno)};
  stream.size_ = uint64_t(size);
  stream.watch_ = watch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(kStartBytes));
  SPLAT_TRY(check_is_the_file(start, stream.name_));
  return stream;
}

ByteStream::ByteStream(std::string_view bytes, std::string name)
    : name_(std::move(name)), whole_(bytes), ahead_(bytes), size_(bytes.size()) {}

ByteStream::ByteStream(ByteStream&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      whole_(other.whole_),
      watch_(other.watch_),
      block_(std::move(other.block_)),
      ahead_(std::exchange(other.ahead_, {})),
      size_(other.size_),
      position_(other.position_) {}

ByteStream::~ByteStream() {
  if (fd_ >= 0) system_file::close(fd_);
}

Status ByteStream::read_exactly(uint64_t offset, char* to, size_t bytes) const {
  std::string problem;
  for (size_t have = 0; have < bytes && problem.empty();) {
    const int64_t got = system_file::read_at(fd_, to + have, bytes - have, offset + have);
    if (got > 0) have += size_t(got);
    if (got == 0) problem = "it became shorter while it was read";
    if (got < 0 && errno != EINTR) problem = splat::error_text(errno);
  }
  if (!problem.empty()) return Error{"cannot read '" + name_ + "': " + problem};
  return report_read(watch_, name_, bytes);
}

Status ByteStream::fill(size_t bytes) {
  const size_t have = ahead_.size();
  block_.erase(block_.begin(), block_.end() - ptrdiff_t(have));
  block_.resize(size_t(std::min<uint64_t>(std::max(bytes, kBlockBytes), remaining())));
  ahead_ = {block_.data(), have};
  SPLAT_TRY(read_exactly(position_ + have, block_.data() + have, block_.size() - have));
  ahead_ = {block_.data(), block_.size()};
  return {};
}

Result<std::string_view> ByteStream::read_at(uint64_t offset, size_t bytes, std::vector<char>& scratch) const {
  SPLAT_CHECK_LE(offset, size_);
  SPLAT_CHECK_LE(bytes, size_ - offset);
  if (fd_ < 0) return whole_.substr(size_t(offset), bytes);
  if (scratch.size() < bytes) scratch.resize(bytes);
  SPLAT_TRY(read_exactly(offset, scratch.data(), bytes));
  return std::string_view(scratch.data(), bytes);
}

Status ByteStream::read_into(uint64_t offset, std::span<std::byte> to) const {
  SPLAT_CHECK(offset <= size_ && to.size() <= size_ - offset);
  if (fd_ >= 0) return read_exactly(offset, reinterpret_cast<char*>(to.data()), to.size());
  if (!to.empty()) std::memcpy(to.data(), whole_.data() + offset, to.size());
  return {};
}

Result<std::string_view> ByteStream::peek(size_t bytes) {
  bytes = size_t(std::min<uint64_t>(bytes, remaining()));
  if (ahead_.size() < bytes) SPLAT_TRY(fill(bytes));
  return ahead_.substr(0, bytes);
}

Result<std::string_view> ByteStream::peek_header(size_t bytes) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, peek(bytes));
  if (start.size() < bytes) return Error{"'" + name_ + "' ends inside its header (truncated)"};
  return start;
}

void ByteStream::advance(size_t bytes) {
  SPLAT_CHECK_LE(bytes, ahead_.size());
  ahead_.remove_prefix(bytes);
  position_ += bytes;
}

Status ByteStream::skip(uint64_t bytes) {
  if (bytes > remaining()) return error("the file ends too early (truncated or corrupt)");
  const size_t at_hand = size_t(std::min<uint64_t>(bytes, ahead_.size()));
  ahead_.remove_prefix(at_hand);
  position_ += bytes;
  char last;  // a file that has become shorter shows here
  if (fd_ >= 0 && bytes > at_hand) SPLAT_TRY(read_exactly(position_ - 1, &last, 1));
  return {};
}

void ByteStream::release() {
  if (fd_ < 0) return;  // it is the file itself
  ahead_ = {};
  std::vector<char>().swap(block_);
}

Error ByteStream::error(const std::string& problem) const {
  return Error{"'" + name_ + "', byte " + std::to_string(position_) + ": " + problem};
}

}  // namespace io
