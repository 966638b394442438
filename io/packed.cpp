#include "io/packed.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "io/foreign_file.h"
#include "io/gzip.h"
#include "io/names.h"
#include "io/splats/common/zip_archive.h"
#include "io/splats/formats.h"
#include "io/text.h"
#include "splat/core/counted.h"

namespace io {

namespace fs = std::filesystem;

namespace {

using Unpacked = std::optional<UnpackedFile>;

Result<Unpacked> from_zip(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes, stream.peek(size_t(stream.remaining())));
  SPLAT_ASSIGN_OR_RETURN(const ZipReader zip, ZipReader::open(bytes, stream.name()));
  if (!zip.find("meta.json").empty() || !zip.find("lod-meta.json").empty()) return Unpacked();
  std::vector<std::string> splats, others;
  for (const std::string& entry : zip.names()) {
    const fs::path path(entry);
    if (entry.ends_with('/') || entry.starts_with("__MACOSX") || path.filename().string().starts_with('.')) continue;
    const SplatFormatEntry* format = format_by_extension(path);
    (format && format->read ? splats : others).push_back(entry);
  }
  if (splats.size() > 1)
    return Error{"'" + stream.name() + "' holds " + std::to_string(splats.size()) + " splat files (" +
                 first_names(splats) + "): unpack the one that is meant"};
  if (splats.empty()) {
    const std::string what = what_it_is({}, stream.name());
    const bool torch = !zip.find("data.pkl").empty();
    return Error{"'" + stream.name() + "' " +
                 (!what.empty()    ? what
                  : torch          ? what_it_is({}, "archive.pth")
                  : others.empty() ? "is an empty zip archive"
                                   : "is a zip archive without splats: it holds " + first_names(others) +
                                         "; unpack it, and open its folder if these are photos")};
  }
  SPLAT_ASSIGN_OR_RETURN(std::string inside, zip.read(splats.front()));
  return Unpacked(
      {stream.name() + ": " + fs::path(splats.front()).filename().string(), std::move(inside), "in a zip archive"});
}

// Unpacks the beginning first: what is no splat file is not unpacked.
Result<Unpacked> from_gzip(ByteStream& stream) {
  constexpr size_t kStartBytes = size_t(1) << 12, kFirstBytes = size_t(1) << 20;
  constexpr uint64_t kMostUnpacked = 64;  // times the packed bytes
  SPLAT_ASSIGN_OR_RETURN(const std::string_view beginning, stream.peek(kFirstBytes));
  ByteStream first(beginning, stream.name());
  GzipReader start_reader(first);
  std::string bytes(kStartBytes, '\0');
  const auto start = start_reader.read_some(bytes);
  if (!start) return Unpacked();  // no reader makes more of it
  fs::path inside = fs::path(stream.name()).filename();
  if (named(inside, ".gz")) inside = inside.stem();
  const SplatFormatEntry* format = format_by_either(std::string_view(bytes).substr(0, *start), *start, inside);
  if (format ? format->format == SplatFormat::kSpz : named(stream.name(), ".spz")) return Unpacked();
  if (!format) return Error{"'" + stream.name() + "' " + what_it_is(beginning, inside)};
  SPLAT_ASSIGN_OR_RETURN(const std::string_view packed, stream.peek(size_t(stream.remaining())));
  ByteStream all(packed, stream.name());
  GzipReader reader(all);
  size_t have = 0;
  bytes.resize(kFirstBytes);
  for (;;) {
    SPLAT_ASSIGN_OR_RETURN(const size_t more, reader.read_some(std::span(bytes).subspan(have)));
    have += more;
    if (have < bytes.size()) break;
    if (have > kMostUnpacked * packed.size() + kFirstBytes)
      return Error{"'" + stream.name() + "' unpacks to absurdly much"};
    bytes.resize(2 * have);
  }
  bytes.resize(have);
  const std::string behind =
      all.remaining() == 0 ? ""
                           : ", " + splat::counted(size_t(all.remaining()), "byte") + " behind the packed data ignored";
  return Unpacked({stream.name() + ": " + inside.string(), std::move(bytes), "packed by gzip" + behind});
}

}  // namespace

Result<Unpacked> unpack_splats(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(4));
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) return from_zip(stream);
  if (start.starts_with("\x1f\x8b")) return from_gzip(stream);
  return Unpacked();
}

}  // namespace io
