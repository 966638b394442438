// Bytes read front to back in large blocks, from a file or from memory: for files too big to be held twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace io {

struct ReadWatch;

class ByteStream {
 public:
  // A regular file, as read_file(). `watch` (read_watch.h) outlives the stream.
  static splat::Result<ByteStream> open(const std::filesystem::path& path, ReadWatch* watch = nullptr);
  static splat::Result<ByteStream> open_pipe(const std::filesystem::path& path);  // all of it is read into memory first
  ByteStream(std::string_view bytes, std::string name);  // memory, which must outlive the stream
  ByteStream(ByteStream&& other) noexcept;
  ByteStream& operator=(ByteStream&&) = delete;
  ~ByteStream();

  const std::string& name() const { return name_; }
  ReadWatch* watch() const { return watch_; }  // for further files that belong to this one
  uint64_t size() const { return size_; }
  uint64_t position() const { return position_; }
  uint64_t remaining() const { return size_ - position_; }

  // The next `bytes` bytes, fewer only at the end; valid until the next peek or skip. Does not move on.
  splat::Result<std::string_view> peek(size_t bytes);
  splat::Result<std::string_view> peek_header(size_t bytes);  // exactly; an error for a file that ends before
  void advance(size_t bytes);                                 // over bytes that peek() has shown
  // Bytes [offset, offset + bytes), which must lie within the file, into `scratch`, or straight from memory. Any number
  // of threads at once.
  splat::Result<std::string_view> read_at(uint64_t offset, size_t bytes, std::vector<char>& scratch) const;
  splat::Status read_into(uint64_t offset, std::span<std::byte> to) const;  // likewise
  splat::Status skip(uint64_t bytes);

  void release();  // the memory of what was read ahead, when only read_at() and read_into() come from here on

  splat::Error error(const std::string& problem) const;  // "'NAME', byte P: problem"

 private:
  splat::Status fill(size_t bytes);
  splat::Status read_exactly(uint64_t offset, char* to, size_t bytes) const;

  std::string name_;
  int fd_ = -1;  // < 0: memory, all of it in whole_
  std::string_view whole_;
  ReadWatch* watch_ = nullptr;
  std::vector<char> block_;  // of the file; keeps its address when the stream is moved
  std::string_view ahead_;   // unread bytes at hand
  uint64_t size_ = 0, position_ = 0;
};

}  // namespace io
