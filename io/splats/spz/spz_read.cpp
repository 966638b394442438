#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/gzip.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/spz/spz.h"
#include "io/splats/spz/spz_codec.h"
#include "splat/core/parallel.h"
#include "splat/model/transform.h"

namespace io {

namespace {

constexpr size_t kLegacyHeaderBytes = 16, kHeaderBytes = 32, kTocEntryBytes = 16;
constexpr uint8_t kAntialiasedFlag = 1, kExtensionsFlag = 2;
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
  std::vector<std::string> unread{};  // extensions, by what they are
  bool swapped = false;  // the frame's second and third axis: a turn about x follows the signs of layout.frame
};

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
  const uint64_t unpacked = uint64_t(header.count) * header.layout.row_bytes();
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
  file.gaussians.sh_degree = std::min(header.layout.sh_degree, splat::kMaxShDegree);
  file.gaussians.resize(header.count);
  return file;
}

// The frame that an extension declares, by the letters of x, y and z: Left or Right, Up or Down, Front or Back. 1 to 8
// are LDB, RDB, LUB, RUB, LDF, RDF, LUF, RUF; 9 to 16 the same, turned by 90 degrees about x: LFD, RFD, LFU, RFU, LBD,
// RBD, LBU, RBU. Those are undone as the reference library does, signs first: for RFD, LFD, RBU and LBU it thereby
// means the opposite of two of the letters, but it is what writes such files.
void follow_frame(uint32_t value, Header& header, std::vector<std::string>& warnings) {
  constexpr uint32_t kLast = 16;
  if (value == 0) return;  // not specified
  if (value > kLast) {
    warnings.push_back("the file declares a frame that hipsplat does not know (" + std::to_string(value) +
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
void read_extensions(std::string_view records, Header& header, std::vector<std::string>& warnings) {
  while (records.size() >= 8) {
    const uint32_t type = load<uint32_t>(records.data()), bytes = load<uint32_t>(records.data() + 4);
    records.remove_prefix(8);
    if (bytes > records.size()) break;
    if (type == kFrameExtension && bytes >= 4)
      follow_frame(load<uint32_t>(records.data()), header, warnings);
    else if (header.unread.size() < kMostNamed)
      header.unread.push_back(called(type));
    records.remove_prefix(bytes);
  }
  if (!records.empty()) warnings.push_back("the file's extensions are damaged; what they say is ignored");
}

void turn_back(const Header& header, Gaussians& model, splat::ThreadPool& pool) {
  if (header.swapped) splat::transform(model, {1, splat::quat_about({1, 0, 0}, -90), {}}, pool);
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

// What follows the streams.
Result<std::string> read_rest(GzipReader& gzip, std::vector<std::string>& warnings) {
  std::string rest(kMaxExtensionBytes, '\0');
  SPLAT_ASSIGN_OR_RETURN(const size_t have, gzip.read_some(rest));
  rest.resize(have);
  std::vector<char> ignored(kMaxExtensionBytes);
  for (size_t more = gzip.at_end() ? 0 : 1; more > 0;) {  // on to the checksum
    SPLAT_ASSIGN_OR_RETURN(more, gzip.read_some(ignored));
    if (more > 0 && warnings.empty())
      warnings.push_back("the unpacked data go on after the last splat; that is ignored");
  }
  return rest;
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
  std::vector<std::string> warnings;
  SPLAT_ASSIGN_OR_RETURN(const std::string rest, read_rest(gzip, warnings));
  if (header.flags & kExtensionsFlag) read_extensions(rest, header, warnings);

  SplatFile file = new_file(header);
  file.warnings = std::move(warnings);
  splat::ThreadPool pool;
  for (size_t i = 0; i < kSpzStreams.size(); ++i) {
    decode_all(header.layout, kSpzStreams[i], bytes[i], file.gaussians, pool);
    bytes[i] = {};
  }
  turn_back(header, file.gaussians, pool);
  return file;
}

// ---- version 4: a plain header, extensions, a table of contents, and a zstd frame for each stream

struct Part {
  SpzStream stream;
  uint64_t offset = 0;
  size_t packed = 0;
  std::vector<char> bytes{};
};

Result<std::vector<Part>> read_contents(ByteStream& stream, const Header& header) {
  const auto corrupt = [&](const std::string& problem) {
    return Error{"'" + stream.name() + "': " + problem + " (truncated or corrupt)"};
  };
  const uint64_t end_of_toc = uint64_t(header.toc_offset) + header.streams * kTocEntryBytes;
  if (header.toc_offset < kHeaderBytes || end_of_toc > stream.size())
    return corrupt("the table of contents lies outside of the file");
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view toc,
                         stream.read_at(header.toc_offset, header.streams * kTocEntryBytes, scratch));
  std::vector<Part> parts;
  uint64_t offset = end_of_toc;
  size_t entry = 0;
  for (const SpzStream part : kSpzStreams) {
    const uint64_t wanted = uint64_t(header.count) * header.layout.row_bytes(part);
    if (wanted == 0) continue;  // empty streams are not stored
    if (entry == header.streams) return corrupt(std::string("the file has no stream for ") + name_of(part));
    const uint64_t packed = load<uint64_t>(toc.data() + entry * kTocEntryBytes);
    const uint64_t unpacked = load<uint64_t>(toc.data() + entry * kTocEntryBytes + 8);
    ++entry;
    if (packed > stream.size() - offset) return corrupt(std::string("the file ends inside ") + name_of(part));
    if (unpacked != wanted)
      return corrupt(std::string(name_of(part)) + " take " + std::to_string(unpacked) + " bytes where " +
                     std::to_string(wanted) + " were expected");
    parts.push_back({part, offset, size_t(packed)});
    offset += packed;
  }
  return parts;
}

Status unpack(const ByteStream& stream, const Header& header, Part& part) {
  std::vector<char> scratch;
  SPLAT_ASSIGN_OR_RETURN(const std::string_view packed, stream.read_at(part.offset, part.packed, scratch));
  part.bytes.resize(header.count * header.layout.row_bytes(part.stream));
  const size_t got = ZSTD_decompress(part.bytes.data(), part.bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != part.bytes.size())
    return Error{"'" + stream.name() + "', byte " + std::to_string(part.offset) + ": the compressed data of " +
                 name_of(part.stream) + " are corrupt"};
  return {};
}

Result<SplatFile> read_version_4(ByteStream& stream, Header header) {
  SPLAT_ASSIGN_OR_RETURN(std::vector<Part> parts, read_contents(stream, header));
  std::vector<std::string> warnings;
  if (header.flags & kExtensionsFlag) {
    std::vector<char> scratch;
    const size_t bytes = std::min<size_t>(header.toc_offset - kHeaderBytes, kMaxExtensionBytes);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view records, stream.read_at(kHeaderBytes, bytes, scratch));
    read_extensions(records, header, warnings);
  }
  splat::ThreadPool pool;
  std::vector<Status> statuses(parts.size());
  pool.for_each(parts.size(), [&](size_t i, int) {  // the largest, which comes last, first
    const size_t part = parts.size() - 1 - i;
    statuses[part] = unpack(stream, header, parts[part]);
  });
  for (const Status& status : statuses)
    if (!status) return status.error();

  SplatFile file = new_file(header);
  file.warnings = std::move(warnings);
  for (Part& part : parts) {
    decode_all(header.layout, part.stream, part.bytes, file.gaussians, pool);
    part.bytes = {};
  }
  turn_back(header, file.gaussians, pool);
  return file;
}

// As version 2 or 3, but not packed: no program is known to write it, some fixtures are so.
Result<SplatFile> read_unpacked(ByteStream& stream, const Header& header) {
  SPLAT_TRY(stream.skip(kLegacyHeaderBytes));
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
