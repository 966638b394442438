#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/gzip.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/spz/spz.h"
#include "io/splats/spz/spz_codec.h"
#include "splat/core/counted.h"
#include "splat/core/memory_guard.h"
#include "splat/core/parallel.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/transform.h"

namespace io {

namespace {

constexpr size_t kLegacyHeaderBytes = 16, kHeaderBytes = 32, kTocEntryBytes = 16;
constexpr uint8_t kAntialiasedFlag = 1, kExtensionsFlag = 2, kLevelsFlag = 0x80;
constexpr size_t kLevelBytes = 2 + 4;  // of a splat: how many children it has, and the first of them
constexpr const char* kLevelsName = "the levels of detail";
constexpr uint32_t kFrameExtension = 0xadbe0003u;  // SPZ_ADOBE_coordinate_system
constexpr uint32_t kOrbitExtension = 0xadbe0002u;  // limits of a viewer's camera
constexpr size_t kMostNamed = 16;                  // extensions
constexpr size_t kMaxExtensionBytes = size_t(1) << 20;
constexpr size_t kChunkRows = size_t(1) << 14;  // decoded by one thread at a time
constexpr uint64_t kAlwaysAllowedBytes = size_t(1) << 16;

struct Header {
  SpzLayout layout;
  uint32_t count = 0;
  uint8_t flags = 0, streams = 0;
  uint32_t toc_offset = 0;
  std::vector<std::string> unread{}, warnings{};  // extensions, by what they are; what else there is to say
  bool swapped = false;  // the frame's second and third axis: a turn about x follows the signs of layout.frame
};

// What may change what the numbers mean.
void note_unknown(Header& header) {
  const unsigned unknown = header.flags & ~unsigned(kAntialiasedFlag | kExtensionsFlag | kLevelsFlag);
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "0x%02x", unknown);
  if (unknown != 0)
    header.warnings.push_back("the file sets flags that hipsplat does not know (" + std::string(digits.data()) +
                              "): its numbers may mean something else than what is shown");
  if (header.layout.version < 4 && header.streams != 0)
    header.warnings.push_back("the last byte of the header is " + std::to_string(header.streams) +
                              ", where SPZ has 0: the file's numbers may mean something else than what is shown");
}

// The 16 bytes that all versions have; only the last differ in meaning.
Result<Header> parse_header(const char* bytes, const ByteStream& stream) {
  Header header;
  const std::string name = "'" + stream.name() + "'";
  if (load<uint32_t>(bytes) != kSpzMagic) return Error{name + " is no SPZ file: its unpacked data do not start so"};
  header.layout.version = load<uint32_t>(bytes + 4);
  header.count = load<uint32_t>(bytes + 8);
  header.layout.sh_degree = uint8_t(bytes[12]);
  header.layout.fractional_bits = uint8_t(bytes[13]);
  header.flags = uint8_t(bytes[14]);
  header.streams = uint8_t(bytes[15]);
  if (header.layout.version < 1 || header.layout.version > 4)
    return Error{name + " is an SPZ file of version " + std::to_string(header.layout.version) +
                 "; hipsplat knows versions 1 to 4"};
  if (header.layout.sh_degree > kMaxSpzDegree)
    return Error{name + " claims spherical harmonics of degree " + std::to_string(header.layout.sh_degree) +
                 ", but SPZ has none above 4 (corrupt)"};
  if (header.layout.fractional_bits > 24)
    return Error{name + " claims " + std::to_string(header.layout.fractional_bits) +
                 " fractional bits in 24-bit positions (corrupt)"};
  header.layout.halved_opacities = header.flags & kLevelsFlag;
  note_unknown(header);
  const uint64_t unpacked =
      uint64_t(header.count) * (header.layout.row_bytes() + (header.flags & kLevelsFlag ? kLevelBytes : 0));
  if (unpacked > kAlwaysAllowedBytes && unpacked / kMaxSpzExpansion > stream.size())
    return Error{name + " claims " + std::to_string(header.count) + " splats, which its " +
                 std::to_string(stream.size()) + " bytes cannot hold (truncated or corrupt)"};
  return header;
}

SplatFile new_file(const Header& header) {
  SplatFile file;
  file.kind = SplatFormat::kSpz;
  file.format = "SPZ version " + std::to_string(header.layout.version);
  file.antialiased = header.flags & kAntialiasedFlag;
  file.stored_sh_degree = header.layout.sh_degree;
  file.unread = header.unread;
  file.warnings = header.warnings;
  file.gaussians.sh_degree = std::min(header.layout.sh_degree, splat::kMaxShDegree);
  splat::MemoryGuard::ask_for_model(header.count, file.gaussians.sh_degree);
  file.gaussians.resize(header.count);
  return file;
}

// The frame that an extension declares, by the letters of x, y and z: Left or Right, Up or Down, Front or Back. 1 to 8
// are LDB, RDB, LUB, RUB, LDF, RDF, LUF, RUF; 9 to 16 the same, turned by 90 degrees about x: LFD, RFD, LFU, RFU, LBD,
// RBD, LBU, RBU. Those are undone as the reference library does, signs first: for RFD, LFD, RBU and LBU it thereby
// means the opposite of two of the letters, but it is what writes such files.
void follow_frame(uint32_t value, Header& header) {
  constexpr uint32_t kLast = 16;
  if (value == 0) return;  // not specified
  if (value > kLast) {
    header.warnings.push_back("the file declares a frame that hipsplat does not know (" + std::to_string(value) +
                              "); it is read as any other SPZ file");
    return;
  }
  const uint32_t bits = (value - 1) % 8;  // R, U, F; ours is RDF
  header.layout.frame = {bits & 1 ? 1.0f : -1.0f, bits & 2 ? -1.0f : 1.0f, bits & 4 ? 1.0f : -1.0f};
  header.swapped = value > 8;
}

std::string called(uint32_t extension) {
  if (extension == kOrbitExtension) return "the extension SPZ_ADOBE_safe_orbit_camera";
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", extension);
  return "the extension 0x" + std::string(digits.data());
}

// Extension records: u32 type, u32 bytes, payload. Only the frame concerns us: it changes what the numbers mean.
void read_extensions(std::string_view records, Header& header) {
  while (records.size() >= 8) {
    const uint32_t type = load<uint32_t>(records.data()), bytes = load<uint32_t>(records.data() + 4);
    records.remove_prefix(8);
    if (bytes > records.size()) break;
    if (type == kFrameExtension && bytes >= 4)
      follow_frame(load<uint32_t>(records.data()), header);
    else if (header.unread.size() < kMostNamed)
      header.unread.push_back(called(type));
    records.remove_prefix(bytes);
  }
  if (!records.empty()) header.warnings.push_back("the file's extensions are damaged; what they say is ignored");
}

void note_ignored(uint64_t bytes, const char* where, Header& header) {
  if (bytes > 0)
    header.warnings.push_back("the last " + splat::counted(size_t(bytes), "byte") + ", " + where + ", " +
                              splat::noun(size_t(bytes), "belongs", "belong") + " to nothing that is known and " +
                              splat::noun(size_t(bytes), "is", "are") + " ignored");
}

// Keeps the finest of a file's levels of detail (Spark's build-lod): splats without children. Those with some stand for
// them from afar, and would be drawn over them. `children`: u16 a splat.
Status keep_finest(std::string_view children, const std::string& name, SplatFile& file) {
  std::vector<uint32_t> finest;
  for (size_t row = 0; row < file.gaussians.size(); ++row)
    if (load<uint16_t>(children.data() + 2 * row) == 0) finest.push_back(uint32_t(row));
  const size_t all = file.gaussians.size();
  if (all > 0 && finest.empty())
    return Error{"'" + name + "' has levels of detail in which every splat has children (corrupt)"};
  if (finest.size() < all) file.gaussians = splat::gather_rows(file.gaussians, finest);
  file.warnings.push_back("the file has levels of detail (Spark's): the finest is read, " +
                          splat::counted(finest.size(), "splat") + "; " +
                          splat::counted(all - finest.size(), "merged one") + " of coarser levels " +
                          splat::noun(all - finest.size(), "is", "are") + " left out");
  return {};
}

// What is done when all is decoded.
Status finish(const Header& header, std::string_view children, const std::string& name, splat::ThreadPool& pool,
              SplatFile& file) {
  if (header.swapped) splat::transform(file.gaussians, {1, splat::quat_about({1, 0, 0}, -90), {}}, pool);
  return header.flags & kLevelsFlag ? keep_finest(children, name, file) : Status();
}

void decode_all(const SpzLayout& layout, SpzStream stream, const std::vector<char>& bytes, Gaussians& model,
                splat::ThreadPool& pool) {
  const size_t row_bytes = layout.row_bytes(stream);
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    const char* first = bytes.data() + begin * row_bytes;
    decode_spz(layout, stream, reinterpret_cast<const uint8_t*>(first), begin, end, model);
  });
}

// ---- versions 1 to 3: everything in one gzip stream, extensions at its end

constexpr const char* kBehindSplats = "behind the last splat";

// What follows the streams: extensions, where there are any.
Status read_rest(GzipReader& gzip, Header& header) {
  std::string rest(kMaxExtensionBytes, '\0');
  SPLAT_ASSIGN_OR_RETURN(const size_t have, gzip.read_some(rest));
  rest.resize(have);
  uint64_t ignored = 0;
  std::vector<char> scratch(kMaxExtensionBytes);
  for (size_t more = gzip.at_end() ? 0 : 1; more > 0;) {  // on to the checksum
    SPLAT_ASSIGN_OR_RETURN(more, gzip.read_some(scratch));
    ignored += more;
  }
  if (header.flags & kExtensionsFlag)
    read_extensions(rest, header);
  else
    ignored += have;
  note_ignored(ignored, kBehindSplats, header);
  return {};
}

Result<SplatFile> read_gzipped(ByteStream& stream) {
  GzipReader gzip(stream);
  std::array<char, kLegacyHeaderBytes> start;
  SPLAT_TRY(gzip.read(start, "the header"));
  SPLAT_ASSIGN_OR_RETURN(Header header, parse_header(start.data(), stream));
  if (header.layout.version > 3)
    return Error{"'" + stream.name() +
                 "' is an SPZ file of version 4 packed by gzip, as no program writes it (corrupt)"};
  std::array<std::vector<char>, kSpzStreams.size()> bytes;  // kept until the frame is known
  for (size_t i = 0; i < kSpzStreams.size(); ++i) {
    bytes[i].resize(header.count * header.layout.row_bytes(kSpzStreams[i]));
    SPLAT_TRY(gzip.read(bytes[i], name_of(kSpzStreams[i])));
  }
  std::string levels(header.flags & kLevelsFlag ? header.count * kLevelBytes : 0, '\0');
  SPLAT_TRY(gzip.read(levels, kLevelsName));
  SPLAT_TRY(read_rest(gzip, header));
  note_ignored(stream.remaining(), "behind the packed data", header);

  SplatFile file = new_file(header);
  splat::ThreadPool pool;
  for (size_t i = 0; i < kSpzStreams.size(); ++i) {
    decode_all(header.layout, kSpzStreams[i], bytes[i], file.gaussians, pool);
    bytes[i] = {};
  }
  SPLAT_TRY(finish(header, levels, stream.name(), pool, file));
  return file;
}

// ---- version 4: a plain header, extensions, a table of contents, and a zstd frame for each stream

struct Part {
  const char* name;
  uint64_t offset = 0;
  size_t packed = 0, unpacked = 0;
  std::vector<char> bytes{};
};

// What a file has for each splat, in its order.
std::vector<Part> wanted_parts(const Header& header) {
  std::vector<Part> parts;
  for (const SpzStream stream : kSpzStreams)
    parts.push_back({name_of(stream), 0, 0, header.count * header.layout.row_bytes(stream)});
  if (header.flags & kLevelsFlag)
    for (const size_t width : {size_t(2), kLevelBytes - 2}) parts.push_back({kLevelsName, 0, 0, header.count * width});
  return parts;
}

// Where they lie; those without bytes are not stored.
Result<std::vector<Part>> read_contents(ByteStream& stream, Header& header) {
  const auto corrupt = [&](const std::string& problem) {
    return Error{"'" + stream.name() + "': " + problem + " (truncated or corrupt)"};
  };
  const uint64_t end_of_toc = uint64_t(header.toc_offset) + header.streams * kTocEntryBytes;
  if (header.toc_offset < kHeaderBytes || end_of_toc > stream.size())
    return corrupt("the table of contents lies outside of the file");
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view toc,
                         stream.read_at(header.toc_offset, header.streams * kTocEntryBytes, scratch));
  std::vector<Part> parts = wanted_parts(header);
  uint64_t offset = end_of_toc;
  size_t entry = 0;
  for (Part& part : parts) {
    if (part.unpacked == 0) continue;
    if (entry == header.streams) return corrupt(std::string("the file has no stream for ") + part.name);
    const uint64_t packed = load<uint64_t>(toc.data() + entry * kTocEntryBytes);
    const uint64_t unpacked = load<uint64_t>(toc.data() + entry * kTocEntryBytes + 8);
    ++entry;
    if (packed > stream.size() - offset) return corrupt(std::string("the file ends inside ") + part.name);
    if (unpacked != part.unpacked)
      return corrupt(std::string(part.name) + " take " + std::to_string(unpacked) + " bytes where " +
                     std::to_string(part.unpacked) + " were expected");
    part.offset = offset, part.packed = size_t(packed);
    offset += packed;
  }
  note_ignored(stream.size() - offset, kBehindSplats, header);
  return parts;
}

Status unpack(const ByteStream& stream, Part& part) {
  if (part.unpacked == 0) return {};
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view packed, stream.read_at(part.offset, part.packed, scratch));
  part.bytes.resize(part.unpacked);
  const size_t got = ZSTD_decompress(part.bytes.data(), part.bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != part.bytes.size())
    return Error{"'" + stream.name() + "', byte " + std::to_string(part.offset) + ": the compressed data of " +
                 part.name + " are corrupt"};
  return {};
}

Result<SplatFile> read_version_4(ByteStream& stream, Header header) {
  SPLAT_ASSIGN_OR_RETURN(std::vector<Part> parts, read_contents(stream, header));
  if (header.flags & kExtensionsFlag) {
    std::vector<char> scratch;
    const size_t bytes = std::min<size_t>(header.toc_offset - kHeaderBytes, kMaxExtensionBytes);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view records, stream.read_at(kHeaderBytes, bytes, scratch));
    read_extensions(records, header);
  }
  splat::ThreadPool pool;
  std::vector<Status> statuses(parts.size());
  pool.for_each(parts.size(), [&](size_t i, int) {  // the largest, which comes last, first
    const size_t part = parts.size() - 1 - i;
    statuses[part] = unpack(stream, parts[part]);
  });
  for (const Status& status : statuses)
    if (!status) return status.error();

  SplatFile file = new_file(header);
  for (const SpzStream which : kSpzStreams) {
    std::vector<char>& bytes = parts[size_t(which)].bytes;
    decode_all(header.layout, which, bytes, file.gaussians, pool);
    bytes = {};
  }
  const bool levels = header.flags & kLevelsFlag;
  const std::span<const char> children =
      levels ? std::span<const char>(parts[kSpzStreams.size()].bytes) : std::span<const char>();
  SPLAT_TRY(finish(header, {children.data(), children.size()}, stream.name(), pool, file));
  return file;
}

// As version 2 or 3, but not packed: no program is known to write it, some fixtures are so.
Result<SplatFile> read_unpacked(ByteStream& stream, Header header) {
  SPLAT_TRY(stream.skip(kLegacyHeaderBytes));
  const bool levels = header.flags & kLevelsFlag;
  const uint64_t all = uint64_t(header.count) * (header.layout.row_bytes() + (levels ? kLevelBytes : 0));
  const uint64_t more = stream.remaining() > all ? stream.remaining() - all : 0;
  if (header.flags & kExtensionsFlag) {
    std::vector<char> scratch;
    SPLAT_ASSIGN_OR_RETURN(
        const std::string_view records,
        stream.read_at(stream.size() - more, size_t(std::min<uint64_t>(more, kMaxExtensionBytes)), scratch));
    read_extensions(records, header);
  } else {
    note_ignored(more, kBehindSplats, header);
  }
  SplatFile file = new_file(header);
  splat::ThreadPool pool;
  for (const SpzStream part : kSpzStreams) {
    const size_t bytes = header.count * header.layout.row_bytes(part);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view ahead, stream.peek(bytes));
    if (ahead.size() < bytes)
      return stream.error(std::string("the file ends inside ") + name_of(part) + " (truncated or corrupt)");
    decode_all(header.layout, part, {ahead.begin(), ahead.end()}, file.gaussians, pool);
    stream.advance(bytes);
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string_view children, stream.peek(levels ? header.count * kLevelBytes : 0));
  if (levels && children.size() < header.count * kLevelBytes)
    return stream.error(std::string("the file ends inside ") + kLevelsName + " (truncated or corrupt)");
  SPLAT_TRY(finish(header, children, stream.name(), pool, file));
  file.warnings.push_back("the file is not packed by gzip as SPZ files are; other programs will refuse it");
  return file;
}

Result<SplatFile> read_plain(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(std::string_view start, stream.peek_header(kLegacyHeaderBytes));
  SPLAT_ASSIGN_OR_RETURN(Header header, parse_header(start.data(), stream));
  if (header.layout.version < 4) return read_unpacked(stream, header);
  SPLAT_ASSIGN_OR_RETURN(start, stream.peek_header(kHeaderBytes));
  header.toc_offset = load<uint32_t>(start.data() + 16);
  return read_version_4(stream, header);
}

}  // namespace

Result<SplatFile> unpack_spz(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(4));
  const bool gzip = start.starts_with("\x1f\x8b");
  if (!gzip && (start.size() < 4 || load<uint32_t>(start.data()) != kSpzMagic))
    return Error{"'" + stream.name() + "' is no SPZ file: it starts neither like gzip data nor with 'NGSP'"};
  return gzip ? read_gzipped(stream) : read_plain(stream);
}

Result<SplatFile> read_spz(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(SplatFile file, unpack_spz(stream));
  note_reduced_degree(file);
  check_splats(file);
  return file;
}

}  // namespace io
