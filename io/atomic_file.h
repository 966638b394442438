// Output files appear whole or not at all: bytes go to a temporary file beside the target, which is flushed to disk and
// renamed over it by commit(). Without commit() (an error, an exception) the temporary file is removed and whatever
// stood under the name before is untouched. A symbolic link stays one. Errors (full disk, read-only folder) come back
// as one sentence naming the target. A pipe, a socket or a device under that name is one, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "splat/core/result.h"

namespace io {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);  // opens the temporary file; an error is reported by commit()
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);  // buffered; the first error sticks and further bytes are ignored
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
  // Bytes in their place, for what is written in another order than it stands.
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  void expect(uint64_t bytes);  // the final size, so that a disk without room for it is found out now
  bool failed() const { return !error_.empty(); }
  splat::Status commit();  // flush, fsync, rename

 private:
  void create();
  void write_out(std::string_view bytes);
  void flush();
  void discard();
  void fail(const char* doing);

  std::filesystem::path target_, temporary_;
  int fd_ = -1, partial_slot_ = -1;
  std::string buffer_;
  std::string error_;
};

// Removes the temporary files this process is writing. Async-signal-safe: for a handler that then ends the process.
void remove_partial_files() noexcept;

// Removes temporary files in `folder` that killed processes left: of the target `name`, or of any with an empty name.
// Whoever writes one holds its lock, on another machine and in another container as well, where process numbers repeat;
// where the file system knows no locks, they stay. Reads the whole folder: once for a run.
void remove_dead_partial_files(const std::filesystem::path& folder, const std::string& name);
void remove_dead_partial_files_of(const std::filesystem::path& target);
// The name of the target whose temporary file this is; empty: it is none.
std::string target_of_partial_file(const std::filesystem::path& file);

// The whole of `bytes` as the file `target`.
splat::Status write_file_atomically(const std::filesystem::path& target, std::string_view bytes);

}  // namespace io
