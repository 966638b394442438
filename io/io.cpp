#include "io/io.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "io/byte_stream.h"
#include "io/splats/ply.h"

namespace io {

namespace fs = std::filesystem;
using splat::Error;
using splat::Gaussians;
using splat::Result;

namespace {

// Formats that hipsplat knows by sight but cannot read or write yet.
struct UnreadFormat {
  std::string_view extension;
  std::string_view description;
  std::string_view magic;  // empty: has none
};
using namespace std::string_view_literals;
constexpr std::array<UnreadFormat, 8> kUnread{{
    {".spz", "an SPZ file (Niantic)", "NGSP"sv},
    {".spz", "an SPZ file (Niantic)", "\x1f\x8b"sv},
    {".sog", "a SOG file (PlayCanvas)", "PK\x03\x04"sv},
    {".glb", "a glTF file", "glTF"sv},
    {".splat", "a .splat file (antimatter15)", ""sv},
    {".ksplat", "a .ksplat file (GaussianSplats3D)", ""sv},
    {".gltf", "a glTF file", ""sv},
    {".usdz", "a USD file", ""sv},
}};
constexpr std::string_view kCompressedPly = ".compressed.ply";

std::string lower_name(const fs::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name;
}

const UnreadFormat* unread_by_extension(const std::string& lower) {
  for (const UnreadFormat& format : kUnread)
    if (lower.ends_with(format.extension)) return &format;
  return nullptr;
}

Error not_readable(const fs::path& path, std::string_view description) {
  return Error{"'" + path.string() + "' is " + std::string(description) +
               ", a format hipsplat cannot read yet; convert it to PLY"};
}

}  // namespace

Result<std::optional<SplatFormat>> splat_format_by_extension(const fs::path& path) {
  const std::string name = lower_name(path);
  const UnreadFormat* unread = unread_by_extension(name);
  if (unread || name.ends_with(kCompressedPly))
    return Error{"hipsplat cannot write '" + path.string() + "' yet; name a .ply file instead"};
  if (name.ends_with(".ply")) return std::optional(SplatFormat::kPly);
  return std::optional<SplatFormat>();
}

Result<SplatFile> read_splat_file(const fs::path& path) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path));
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(4));
  if (start.empty()) return Error{"'" + path.string() + "' is empty"};
  if (start.starts_with("ply\n") || start.starts_with("ply\r")) return read_splat_ply(path);
  for (const UnreadFormat& format : kUnread)
    if (!format.magic.empty() && start.starts_with(format.magic)) return not_readable(path, format.description);
  const std::string name = lower_name(path);
  if (const UnreadFormat* format = unread_by_extension(name)) return not_readable(path, format->description);
  if (name.ends_with(".ply")) return read_splat_ply(path);  // its error says what is wrong
  return Error{"'" + path.string() + "' is not a splat file: hipsplat reads PLY"};
}

Result<SplatWriteReport> write_splat_file(const fs::path& path, const Gaussians& gaussians, const SplatFileInfo& info) {
  SPLAT_ASSIGN_OR_RETURN(const std::optional<SplatFormat> format, splat_format_by_extension(path));
  if (!format) return Error{"'" + path.string() + "' does not name a splat file; end it in .ply"};
  return write_splat_ply(path, gaussians, info);
}

}  // namespace io
