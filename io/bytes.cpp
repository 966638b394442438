#include "io/bytes.h"
#include "io/foreign_file.h"
#include "io/names.h"
#include "io/system_file.h"
#include "splat/core/system.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace io {

namespace fs = std::filesystem;

Status check_regular(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  const std::string name = "'" + path.string() + "'";
  if (!fs::exists(status)) return Error{"there is no file " + name};
  if (fs::is_regular_file(status)) return {};
  const char* const is = fs::is_directory(status) ? "a folder"
                         : fs::is_fifo(status)    ? "a pipe"
                         : fs::is_socket(status)  ? "a socket"
                                                  : "a device";
  return Error{name + " is " + is + ", a file was expected"};
}

namespace {

Error cannot_read(const fs::path& path) {
  return Error{"cannot read '" + path.string() + "': " + splat::error_text(errno)};
}

// `read` appends to what is there and says how many bytes came: 0 at the end, less for a failure.
template <class Read>
Result<std::string> read_all(const fs::path& path, size_t size, const Read& read) {
  std::string bytes;
  for (size_t have = 0;;) {  // one read more than the size says: it is only a hint for pipes, /proc and files that grow
    constexpr size_t kMore = size_t(1) << 16;
    bytes.resize(have == 0 ? size + kMore : have + kMore + have / 2);
    while (have < bytes.size()) {
      const int64_t got = read(bytes.data() + have, bytes.size() - have, have);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return cannot_read(path);
      if (got == 0) {
        bytes.resize(have);
        SPLAT_TRY(check_is_the_file(bytes, path.string()));
        return bytes;
      }
      have += size_t(got);
    }
  }
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  SPLAT_TRY(check_regular(path));
  const int file = system_file::open_to_read(path);
  if (file < 0) return cannot_read(path);
  const int64_t size = system_file::size_of(file);
  auto bytes = read_all(path, size_t(std::max<int64_t>(size, 0)), [&](char* to, size_t count, size_t offset) {
    return system_file::read_at(file, to, count, offset);
  });
  system_file::close(file);
  return bytes;
}

Result<std::string> read_pipe(const fs::path& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(system_file::open_stream(path), &std::fclose);
  if (!file) return cannot_read(path);
  return read_all(path, 0, [&](char* to, size_t count, size_t) {
    const size_t got = std::fread(to, 1, count, file.get());
    return got == 0 && std::ferror(file.get()) ? int64_t(-1) : int64_t(got);
  });
}

bool is_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  return fs::exists(status) && !fs::is_directory(status);
}

Result<std::string> ByteReader::read_c_string(const char* what) {
  const void* end = std::memchr(bytes_.data() + position_, 0, remaining());
  if (!end) return truncated(what);
  const size_t length = size_t(static_cast<const char*>(end) - (bytes_.data() + position_));
  std::string text(bytes_.substr(position_, length));
  position_ += length + 1;
  return text;
}

Result<uint64_t> ByteReader::read_count(size_t record_bytes, const char* what) {
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, read<uint64_t>(what));
  if (count > remaining() / record_bytes)
    return error("the file claims " + std::to_string(count) + " " + what + ", but its remaining " +
                 std::to_string(remaining()) + " bytes cannot hold them (truncated or corrupt)");
  return count;
}

Error ByteReader::error_at(size_t position, const std::string& problem) const {
  return Error{"'" + name_ + "', byte " + std::to_string(position) + ": " + problem};
}

Error ByteReader::truncated(const char* what) const {
  return error(std::string("the file ends inside ") + what + " (truncated or corrupt)");
}

}  // namespace io
