// Checkpoint files: a splat::Archive stored whole. Little-endian:
//   8 bytes "HSPLATCK"; u32 version (1); u32 number of entries; then per entry, sorted by name:
//   u32 length of the name, the name, u64 size, u32 CRC-32 (zlib) of name and data together, the data.
// Written beside and renamed (atomic_file.h): an older file of that name stays until the new one is complete on disk.
// Reading refuses truncated, damaged, foreign and newer files with one sentence; no size is trusted before it is
// checked against the file's. Arrays of rows pass in blocks both ways: a state is never held twice.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "io/byte_stream.h"
#include "splat/core/archive.h"
#include "splat/core/state.h"

namespace io {

// The entries of the archive and, as further entries, the arrays of `rows`.
splat::Status write_checkpoint(const std::filesystem::path& path, const splat::Archive& archive,
                               splat::RowSource* rows = nullptr);
// Bytes of the file that write_checkpoint() makes.
uint64_t checkpoint_bytes(const splat::Archive& archive, const splat::RowSource* rows = nullptr);

// A checkpoint whose every checksum was found right. Entries up to `in_memory` bytes are at hand in archive(); the
// others stay in the file, which is kept open.
class CheckpointFile final : public splat::StateReader {
 public:
  static constexpr uint64_t kInMemory = uint64_t(1) << 17;
  static splat::Result<CheckpointFile> open(const std::filesystem::path& path, uint64_t in_memory = kInMemory);
  static splat::Result<CheckpointFile> read(ByteStream stream, uint64_t in_memory = kInMemory);  // from its start
  // Data beyond kInMemory is passed over, neither read nor checked: for a glance at the small entries.
  static splat::Result<CheckpointFile> skim(const std::filesystem::path& path);

  const splat::Archive& archive() const override { return archive_; }
  std::optional<uint64_t> size_of(const std::string& name) const override;
  splat::Status read(const std::string& name, uint64_t offset, std::span<std::byte> to) const override;

 private:
  struct Place {
    uint64_t offset, bytes;
  };
  explicit CheckpointFile(ByteStream stream) : stream_(std::move(stream)) {}
  splat::Status read_entries(uint64_t in_memory);
  splat::Status read_entry(uint64_t in_memory);

  ByteStream stream_;
  bool skims_ = false;
  splat::Archive archive_;
  std::map<std::string, Place> places_;
};

splat::Result<splat::Archive> read_checkpoint(const std::filesystem::path& path);  // all of it in memory
bool is_checkpoint(const std::filesystem::path& path);                             // by its first bytes

}  // namespace io
