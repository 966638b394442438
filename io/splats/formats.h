// Every splat format that hipsplat knows, as one table: how it is named and recognised, what reads and writes it, and
// what it loses. A new format is a line in formats.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

struct SplatFormatEntry {
  SplatFormat format;
  std::string_view name;                         // "PLY"
  std::span<const std::string_view> extensions;  // lower case, with the dot; an output file may end in any of them
  // Whether a file of `file_bytes` that starts so is of this format; null: the content does not show it. `start` is its
  // first kProbeBytes, or all of it.
  bool (*probe)(std::string_view start, uint64_t file_bytes);
  // From the file's start; null: cannot be read. The stream's name is the file's path.
  splat::Result<SplatFile> (*read)(ByteStream& stream);
  // Null: cannot be written.
  splat::Result<SplatWriteReport> (*write)(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                           const SplatFileInfo& info, const SplatWriteOptions& options);
  // What reading takes at most, whatever the file claims: so many bytes for each of its own, and a few MB. Large where
  // splats can be packed so well; far less for what programs write.
  double memory_factor;
  std::string_view loss;  // a sentence's worth of what writing it loses; empty: nothing
};

inline constexpr size_t kProbeBytes = size_t(1) << 16;

// In the order in which content is probed.
std::span<const SplatFormatEntry> splat_formats();
const SplatFormatEntry& splat_format(SplatFormat format);

const SplatFormatEntry* format_by_content(std::string_view start, uint64_t file_bytes);  // null: none
const SplatFormatEntry* format_by_extension(const std::filesystem::path& path);          // null: none

// "PLY (.ply), SPZ (.spz) and ...": for sentences and help texts.
std::string readable_formats();
std::string writable_formats();

}  // namespace io
