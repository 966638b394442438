#include "io/bytes.h"
#include "io/names.h"
#include "io/system_file.h"
#include "splat/core/system.h"

#include <cerrno>
#include <cstdio>
#include <memory>

namespace io {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return Error{"there is no file '" + path.string() + "'"};
  if (fs::is_directory(status)) return Error{"'" + path.string() + "' is a folder, a file was expected"};
  if (fs::is_character_file(status) || fs::is_block_file(status))  // /dev/zero never ends
    return Error{"'" + path.string() + "' is a device, a file was expected"};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(system_file::open_stream(path), &std::fclose);
  if (!file) return Error{"cannot read '" + path.string() + "': " + splat::error_text(errno)};
  std::string bytes;
  uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, code) : 0;
  if (code) size = 0;
  size_t have = 0;
  do {  // one read more than the size says: it is only a hint for pipes, /proc and files that grow
    constexpr size_t kMore = size_t(1) << 16;
    bytes.resize(have == 0 ? size_t(size) + kMore : have + kMore + have / 2);
    have += std::fread(bytes.data() + have, 1, bytes.size() - have, file.get());
  } while (have == bytes.size());
  bytes.resize(have);
  if (std::ferror(file.get())) return Error{"cannot read '" + path.string() + "': " + splat::error_text(errno)};
  return bytes;
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
