// Splat files of any format: recognised by content, else by extension.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

struct ReadWatch;

// The format an output file of this name gets; nullopt: not the name of a splat file (then an output is a folder).
// A name under which its format cannot be written is an error with those that can.
splat::Result<std::optional<SplatFormat>> splat_format_by_extension(const std::filesystem::path& path);

// The same where the output must be a splat file: any other name is an error.
splat::Result<SplatFormat> output_splat_format(const std::filesystem::path& path);

// Whether a splat file of this name can hold survey coordinates (SplatFileInfo::survey); the error says why it cannot.
splat::Status check_survey_format(const std::filesystem::path& path);

// Also a folder that holds an unpacked SOG (meta.json). An error sentence for what is not a splat file, or is one of a
// format that cannot be read. A name that promises another format than the content has is reported in `warnings`.
splat::Result<SplatFile> read_splat_file(const std::filesystem::path& path, ReadWatch* watch = nullptr);

// In the format of the extension. Splats of which no file can hold any are an error. Where the format has no place for
// info.frame or info.low_pass, a file beside it holds that (scene_json.h).
splat::Result<SplatWriteReport> write_splat_file(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                                 const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

// The same in blocks where the format is one that can be written so (PLY); else all splats are read first.
splat::Result<SplatWriteReport> write_splat_file(const std::filesystem::path& path, const SplatRows& splats,
                                                 const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

}  // namespace io
