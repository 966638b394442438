#include "io/bytes.h"

#include <cerrno>
#include <cstdio>
#include <memory>

namespace io {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;

Result<std::string> read_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return Error{"there is no file '" + path.string() + "'"};
  if (fs::is_directory(status)) return Error{"'" + path.string() + "' is a folder, a file was expected"};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return Error{"cannot read '" + path.string() + "': " + std::strerror(errno)};
  std::string bytes;
  const uintmax_t size = fs::file_size(path, code);
  if (!code) bytes.reserve(size_t(size) + 1);
  for (;;) {
    constexpr size_t kChunk = size_t(1) << 20;
    const size_t old_size = bytes.size();
    bytes.resize(old_size + kChunk);
    const size_t got = std::fread(bytes.data() + old_size, 1, kChunk, file.get());
    bytes.resize(old_size + got);
    if (got == 0) break;
  }
  if (std::ferror(file.get())) return Error{"cannot read '" + path.string() + "': " + std::strerror(errno)};
  return bytes;
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

Error ByteReader::error(const std::string& problem) const {
  return Error{"'" + name_ + "', byte " + std::to_string(position_) + ": " + problem};
}

Error ByteReader::truncated(const char* what) const {
  return error(std::string("the file ends inside ") + what + " (truncated or corrupt)");
}

}  // namespace io
