#include "io/io.h"

#include <algorithm>

#include "io/beside_splats.h"
#include "io/byte_stream.h"
#include "io/foreign_file.h"
#include "io/names.h"
#include "io/packed.h"
#include "io/splats/common/checks.h"
#include "io/splats/formats.h"
#include "io/splats/html/html.h"

namespace io {

namespace fs = std::filesystem;

namespace {

// The file that stands for a folder: an unpacked SOG, streamed or not.
fs::path file_of(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code))
    for (const char* name : {"lod-meta.json", "meta.json"})
      if (fs::is_regular_file(path / name, code)) return path / name;
  return path;
}

// "'scan.spz' is named like SPZ, but holds PLY": nothing when the name is right, or no splat file's.
std::string wrong_name(const fs::path& path, const SplatFormatEntry& found) {
  const SplatFormatEntry* named = format_by_extension(path);
  if (!named || found.extensions.front().ends_with(named->extensions.front())) return "";
  return "'" + path.filename().string() + "' is named like " + std::string(named->name) + ", but holds " +
         std::string(found.name) + "; other programs may refuse it under this name";
}

// What a file beside it says where the format has no place for it: where on earth positions are counted from, and the
// low pass.
BesideSplats kept_beside(const SplatFormatEntry& entry, const SplatFileInfo& info) {
  BesideSplats beside;
  if (!entry.has_comments) beside.frame = info.frame;
  if (entry.counts_metres && info.frame.to_metres() == info.frame.metres_per_unit) beside.frame.metres_per_unit = 0;
  if (!entry.says_low_pass()) beside.low_pass = info.low_pass;
  return beside;
}

Result<SceneJsonOf> check_scene_json(const fs::path& path, const SplatFormatEntry& entry, const SplatFileInfo& info,
                                     const Beside& beside) {
  return SceneJsonOf::check(path, kept_beside(entry, info), {info.frame, info.low_pass}, beside);
}

}  // namespace

Result<std::optional<SplatFormat>> splat_format_by_extension(const fs::path& path) {
  const SplatFormatEntry* entry = format_by_extension(path);
  if (!entry) return std::optional<SplatFormat>();
  if (!entry->write)
    return Error{"hipsplat cannot write " + std::string(entry->name) + " files such as '" + path.string() +
                 "'; end the name in one of " + writable_formats()};
  const auto names = entry->output_extensions;
  if (std::none_of(names.begin(), names.end(), [&](std::string_view name) { return named(path, name); }))
    return Error{"hipsplat writes " + std::string(entry->name) + " files as " + std::string(names.front()) +
                 " only: end '" + path.string() + "' in that"};
  return std::optional(entry->format);
}

Result<SplatFormat> output_splat_format(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<SplatFormat> format, splat_format_by_extension(path));
  if (format) return *format;
  return Error{"'" + path.string() + "' does not name a splat file: end it in one of " + writable_formats()};
}

Status check_survey_format(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(const SplatFormat format, output_splat_format(path));
  const SplatFormatEntry& entry = splat_format(format);
  if (entry.keeps_doubles) return {};
  const std::string beside =
      entry.has_comments ? "its header" : "'" + scene_json_of(path).filename().string() + "' beside it";
  return Error{"'" + path.string() + "' cannot be in survey coordinates: " + std::string(entry.name) +
               " has no double precision for positions and would lose decimetres; write a .ply, or keep local "
               "coordinates: then " +
               beside + " says what to add"};
}

namespace {

// By content, else by name: then the reader's error says what is wrong, where nothing is known of the content.
Result<const SplatFormatEntry*> format_of(std::string_view start, uint64_t bytes, const std::string& name) {
  if (start.empty()) return Error{"'" + name + "' is empty"};
  const SplatFormatEntry* entry = format_by_content(start, bytes);
  if (entry && entry->read) return entry;
  if (entry)
    return Error{"'" + name + "' is a " + std::string(entry->name) +
                 " with splats in it, for browsers: open the file that it was made of"};
  entry = format_by_extension(name);
  const std::string_view text = start.substr(start.starts_with("\xef\xbb\xbf") ? 3 : 0);
  const bool nearly =
      entry && (entry->format == SplatFormat::kGlb || entry->format == SplatFormat::kSog || text.starts_with("ply"));
  const std::string what = nearly ? "" : what_it_is(start, name);
  if (!what.empty()) return Error{"'" + name + "' " + what};
  if (!entry) return Error{"'" + name + "' is not a splat file; hipsplat reads " + readable_formats()};
  if (!entry->read)
    return Error{"'" + name + "' is a " + std::string(entry->name) +
                 " file, a format hipsplat cannot read yet; convert it to PLY"};
  return entry;
}

Result<SplatFile> read_stream(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(kProbeBytes));
  SPLAT_ASSIGN_OR_RETURN(const SplatFormatEntry* const entry, format_of(start, stream.size(), stream.name()));
  SPLAT_ASSIGN_OR_RETURN(SplatFile file, entry->read(stream));
  file.kind = entry->format;
  return file;
}

}  // namespace

Result<SplatFile> read_splat_file(const fs::path& given, ReadWatch* watch) {
  const fs::path path = file_of(given);
  std::error_code code;  // a pipe by its own name is meant
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream,
                         fs::is_fifo(path, code) ? ByteStream::open_pipe(path) : ByteStream::open(path, watch));
  SPLAT_ASSIGN_OR_RETURN(const std::optional<UnpackedFile> unpacked, unpack_splats(stream));
  std::optional<ByteStream> inside;
  if (unpacked) inside.emplace(unpacked->bytes, unpacked->name);
  SPLAT_ASSIGN_OR_RETURN(SplatFile file, read_stream(inside ? *inside : stream));
  if (unpacked) file.format += ", " + unpacked->packed;
  file.bytes += stream.size();
  if (file.frame.empty() || !splat_format(file.kind).says_low_pass()) {
    bool stale = false;
    SPLAT_ASSIGN_OR_RETURN(const BesideSplats beside, read_scene_json_of(path, stale));
    if (stale)
      file.warnings.push_back("'" + scene_json_of(path).filename().string() +
                              "' was written with another file of this name and is not used: remove it, or, where it "
                              "is right for this one, its line \"of\"");
    if (file.frame.empty()) file.frame = beside.frame;
    if (beside.low_pass != splat::kUsualLowPass) file.low_pass = beside.low_pass;
  }
  if (std::string note = wrong_name(path, splat_format(file.kind)); !note.empty())
    file.warnings.push_back(std::move(note));
  return file;
}

Status check_beside_splats(const fs::path& path, const SplatFileInfo* info, const Beside& beside) {
  SPLAT_ASSIGN_OR_RETURN(const SplatFormat format, output_splat_format(path));
  if (format == SplatFormat::kHtml) return check_beside_page(path, beside);
  if (!info) return {};
  SPLAT_TRY(check_scene_json(path, splat_format(format), *info, beside));
  return {};
}

Result<SplatWriteReport> write_splat_file(const fs::path& path, const Gaussians& gaussians, const SplatFileInfo& info,
                                          const SplatWriteOptions& options) {
  return write_splat_file(path, gaussians, info, options, Beside{});
}

Result<SplatWriteReport> write_splat_file(const fs::path& path, const Gaussians& gaussians, const SplatFileInfo& info,
                                          const SplatWriteOptions& options, const Beside& beside) {
  SPLAT_ASSIGN_OR_RETURN(const SplatFormat format, output_splat_format(path));
  const SplatFormatEntry& entry = splat_format(format);
  if (info.survey) SPLAT_TRY(check_survey_format(path));
  if (!any_writable(gaussians)) return nothing_writable(path, gaussians.size());
  if (format == SplatFormat::kHtml) SPLAT_TRY(check_beside_page(path, beside));
  SPLAT_ASSIGN_OR_RETURN(const SceneJsonOf scene_json, check_scene_json(path, entry, info, beside));
  SPLAT_ASSIGN_OR_RETURN(SplatWriteReport report, entry.write(path, gaussians, info, options));
  SPLAT_TRY(scene_json.write());
  report.sh_degree = std::min({gaussians.sh_degree, options.max_sh_degree, entry.max_sh_degree});
  const bool has_bands = std::min(gaussians.sh_degree, options.max_sh_degree) > 0;
  for (const std::string_view loss : {has_bands ? entry.loss_of_bands : "", entry.loss})
    if (!loss.empty()) report.losses.insert(report.losses.begin(), std::string(loss));
  return report;
}

Result<SplatWriteReport> write_splat_file(const fs::path& path, const SplatRows& splats, const SplatFileInfo& info,
                                          const SplatWriteOptions& options) {
  return write_splat_file(path, splats, info, options, Beside{});
}

Result<SplatWriteReport> write_splat_file(const fs::path& path, const SplatRows& splats, const SplatFileInfo& info,
                                          const SplatWriteOptions& options, const Beside& beside) {
  const SplatFormatEntry* entry = format_by_extension(path);
  if (entry && entry->write_rows) {
    SPLAT_ASSIGN_OR_RETURN(const SceneJsonOf scene_json, check_scene_json(path, *entry, info, beside));
    SPLAT_ASSIGN_OR_RETURN(SplatWriteReport report, entry->write_rows(path, splats, info, options));
    SPLAT_TRY(scene_json.write());
    report.sh_degree = std::min(splats.sh_degree, options.max_sh_degree);
    return report;
  }
  Gaussians all;
  splats.read(0, splats.count, all);
  return write_splat_file(path, all, info, options, beside);
}

}  // namespace io
