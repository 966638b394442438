// Checkpoint files: a splat::Archive stored whole. Little-endian:
//   8 bytes "HSPLATCK"; u32 version (1); u32 number of entries; then per entry, sorted by name:
//   u32 length of the name, the name, u64 size, u32 CRC-32 (zlib) of name and data together, the data.
// Written beside and renamed (atomic_file.h): an older file of that name stays until the new one is complete on disk.
// Reading refuses truncated, damaged, foreign and newer files with one sentence; no size is trusted before it is
// checked against the file's.
#pragma once

#include <filesystem>

#include "splat/core/archive.h"

namespace io {

splat::Status write_checkpoint(const std::filesystem::path& path, const splat::Archive& archive);
splat::Result<splat::Archive> read_checkpoint(const std::filesystem::path& path);
bool is_checkpoint(const std::filesystem::path& path);  // by its first bytes

}  // namespace io
