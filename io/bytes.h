// Bounds-checked reading of a file held in memory. Every reader of untrusted bytes goes through this: a read past the
// end fails with the file's name and the byte position, and counts are checked against what is left before any
// allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace io {

// The whole file; an error sentence when it cannot be read, or is no file: a pipe in a folder of somebody else's would
// be waited for without end.
splat::Result<std::string> read_file(const std::filesystem::path& path);
// All that comes out of a pipe that the user has named.
splat::Result<std::string> read_pipe(const std::filesystem::path& path);

// An error that says what stands there where it is no regular file.
splat::Status check_regular(const std::filesystem::path& path);

// Whether something that is no folder stands there.
bool is_file(const std::filesystem::path& path);

// A number as it stands in a file, little-endian, at any address.
template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

class ByteReader {
 public:
  // `name` is how error sentences call the data (a path). Little-endian, as all our binary formats.
  ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  const std::string& name() const { return name_; }

  template <class T>
  splat::Result<T> read(const char* what) {
    T value;
    if (remaining() < sizeof(T)) return truncated(what);
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }
  template <class T>
  splat::Status read_array(std::span<T> values, const char* what) {
    if (remaining() / sizeof(T) < values.size()) return truncated(what);
    if (!values.empty()) std::memcpy(values.data(), bytes_.data() + position_, values.size() * sizeof(T));
    position_ += values.size() * sizeof(T);
    return {};
  }
  splat::Status skip(size_t bytes, const char* what) {
    if (remaining() < bytes) return truncated(what);
    position_ += bytes;
    return {};
  }
  // A zero-terminated string; an error when no zero follows.
  splat::Result<std::string> read_c_string(const char* what);

  // A count of records that take at least `record_bytes` each: refused when the rest of the file could not hold them.
  splat::Result<uint64_t> read_count(size_t record_bytes, const char* what);

  splat::Error error(const std::string& problem) const { return error_at(position_, problem); }
  splat::Error error_at(size_t position, const std::string& problem) const;  // "'NAME', byte P: problem"

 private:
  splat::Error truncated(const char* what) const;

  std::string_view bytes_;
  std::string name_;
  size_t position_ = 0;
};

}  // namespace io
