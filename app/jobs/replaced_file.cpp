#include "app/jobs/replaced_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "io/atomic_file.h"
#include "io/byte_stream.h"
#include "io/companion.h"
#include "io/splats/formats.h"
#include "io/splats/ply/ply_header.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {

const char* name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kNothing:
      return "nothing";
    case FileKind::kSplats:
      return "splats";
    case FileKind::kPoints:
      return "a point cloud";
    case FileKind::kMesh:
      return "a mesh";
    case FileKind::kMaterial:
      return "the material of a mesh";
    case FileKind::kPicture:
      return "a picture";
    case FileKind::kFilm:
      return "a film";
    case FileKind::kScript:
      return "a script of hipsplat's";
    case FileKind::kOther:
      break;
  }
  return "something else";
}

// Also of splats in a form that is not read: they are somebody's work all the same.
FileKind kind_of_ply(std::string_view start, const std::string& name) {
  const auto header = io::parse_ply_header(start, name);
  if (!header) return FileKind::kOther;
  for (const io::PlyElement& element : header->elements)
    for (const io::PlyProperty& property : element.properties)
      for (const char* part : {"f_dc", "opacity", "packed_position"})
        if (property.name.find(part) != std::string::npos) return FileKind::kSplats;
  const io::PlyElement* faces = header->find("face");
  return faces && faces->count > 0 ? FileKind::kMesh : FileKind::kPoints;
}

bool is_picture(std::string_view start) {
  return start.starts_with("\x89PNG") || start.starts_with("\xff\xd8\xff") ||
         (start.starts_with("RIFF") && start.substr(8).starts_with("WEBP"));
}

// MP4 and its relatives, WebM and Matroska.
bool is_film(std::string_view start) {
  return start.substr(std::min<size_t>(4, start.size())).starts_with("ftyp") || start.starts_with("\x1a\x45\xdf\xa3");
}

bool is_write_protected(const fs::path& path) {
  std::error_code code;
  const fs::perms write = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  const bool by_mode = (fs::status(path, code).permissions() & write) == fs::perms::none;
  return by_mode || ::access(path.c_str(), W_OK) != 0;  // root may write whatever the mode says
}

}  // namespace

FileKind kind_of_file_content(const fs::path& path) {
  auto stream = io::ByteStream::open(path);
  if (!stream) return FileKind::kOther;
  if (stream->size() == 0) return FileKind::kNothing;
  const auto start = stream->peek(io::kMaxPlyHeaderBytes);
  if (!start) return FileKind::kOther;
  if (is_picture(*start)) return FileKind::kPicture;
  if (is_film(*start)) return FileKind::kFilm;
  if (start->starts_with("#!") && start->find("#SBATCH --job-name=hipsplat") != std::string_view::npos)
    return FileKind::kScript;
  if (start->starts_with("ply")) return kind_of_ply(*start, path.string());
  const io::SplatFormatEntry* format = io::format_by_either(*start, stream->size(), path);
  if (!format && io::named(path, ".mtl") && start->find("newmtl ") != std::string_view::npos)
    return FileKind::kMaterial;
  if (!format) return io::named(path, ".obj") ? FileKind::kMesh : FileKind::kOther;
  const bool gltf = format->format == io::SplatFormat::kGlb;
  return gltf && start->find("KHR_gaussian_splatting") == std::string_view::npos ? FileKind::kMesh : FileKind::kSplats;
}

Status check_picture_name(const fs::path& target) {
  // Others are endings of the names that programs make up for a file of theirs.
  for (const char* ending : {".jpg", ".jpeg", ".jpe", ".webp", ".bmp", ".tga", ".gif", ".tif", ".tiff", ".heic",
                             ".heif", ".avif", ".exr", ".obj", ".mtl", ".json"})
    if (io::named(target, ending))
      return Error{
          fmt::format("pictures are written as PNG, which '{}' does not say: end it in .png", target.string())};
  if (!io::format_by_extension(target)) return {};
  return Error{
      fmt::format("'{}' is the name of a splat file, and a picture is to be written: end it in .png", target.string())};
}

Status check_replaceable(const fs::path& target, FileKind written, Replacing allowed) {
  std::error_code code;
  const std::string name = "'" + target.string() + "'";
  const fs::file_status status = fs::status(target, code);
  if (fs::is_directory(status)) return Error{name + " is a folder: name a file for the output"};
  SPLAT_TRY(io::check_place_of_file(target));
  if (fs::exists(status) && !allowed.force) {
    const FileKind there = kind_of_file_content(target);
    if (there != FileKind::kNothing && there != written)
      return Error{fmt::format("{} holds {}, which {} would replace: choose another name, or give --force", name,
                               name_of(there), name_of(written))};
    if (there != FileKind::kNothing && !allowed.named)
      return Error{fmt::format("{0} is there already: choose another name, or replace it by -o {0} or --force", name)};
    if (is_write_protected(target))
      return Error{fmt::format("{} is write-protected: choose another name, or give --force", name)};
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, code)) return {};  // made later, or refused elsewhere
  io::AtomicFile probe(target);
  return probe.failed() ? probe.commit() : Status();
}

}  // namespace app
