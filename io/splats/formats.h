// Every splat format that hipsplat knows, as one table: how it is named and recognised, what reads and writes it, and
// what it loses. A new format is its own files, its enumerator and its row in formats.cpp.
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
  std::string_view name;  // "PLY"
  // Lower case, with the dot: of files that are read, and of files that are written (the first is the usual one).
  std::span<const std::string_view> extensions, output_extensions;
  // Whether a file of `file_bytes` is of this format, by its `start`: the first kProbeBytes, or all of it. Null: the
  // content does not show it.
  bool (*probe)(std::string_view start, uint64_t file_bytes);
  // From the file's start; null: cannot be read. The stream's name is the file's path.
  splat::Result<SplatFile> (*read)(ByteStream& stream);
  // Null: cannot be written.
  splat::Result<SplatWriteReport> (*write)(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                           const SplatFileInfo& info, const SplatWriteOptions& options);
  int max_sh_degree;  // the highest that a written file keeps
  // What writing it loses, as a sentence without its period, and what of higher SH bands; empty: nothing.
  std::string_view loss, loss_of_bands;
  // The same in some words for a table, and which programs open a written file; empty where none is written.
  std::string_view loses, opened_by;
  // Whether a written file: says in its header where positions are counted from, counts in metres, has room for
  // positions in double precision.
  bool has_comments = false, counts_metres = false, keeps_doubles = false;
  bool compressed = false;  // how many bytes a splat takes depends on what it is
  bool says_low_pass() const { return has_comments || counts_metres; }  // of the latter, glTF: in its extras
  // Null: all rows have to be in memory.
  splat::Result<SplatWriteReport> (*write_rows)(const std::filesystem::path& path, const SplatRows& splats,
                                                const SplatFileInfo& info, const SplatWriteOptions& options) = nullptr;
};

inline constexpr size_t kProbeBytes = size_t(1) << 16;

// In the order in which content is probed.
std::span<const SplatFormatEntry> splat_formats();
const SplatFormatEntry& splat_format(SplatFormat format);

const SplatFormatEntry* format_by_content(std::string_view start, uint64_t file_bytes);  // null: none
const SplatFormatEntry* format_by_extension(const std::filesystem::path& path);          // null: none
// By content, else by name where that format's content shows nothing.
const SplatFormatEntry* format_by_either(std::string_view start, uint64_t file_bytes,
                                         const std::filesystem::path& path);
bool named(const std::filesystem::path& path, std::string_view extension);  // whatever the case of letters

// ".compressed.ply, .ply, .spz, ...": for error messages and help.
std::string readable_formats();
std::string writable_formats();

}  // namespace io
