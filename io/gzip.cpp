#include "io/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "io/names.h"
#include "splat/core/check.h"

namespace io {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; 16: with a gzip header and checksum
constexpr int kRawWindow = -15;       // without them
constexpr int kLevel = 4;             // of zlib: on splats within 0.5 % of the size at 6, in two thirds of the time
constexpr size_t kReadBytes = size_t(1) << 16;
constexpr size_t kPieceBytes = size_t(1) << 20;       // deflated at once
constexpr size_t kDictionaryBytes = size_t(1) << 15;  // how far back deflate looks

Bytef* bytes_of(const char* data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data)); }

// A piece of a raw deflate stream, on a byte boundary.
std::string deflate_piece(std::string_view dictionary, std::string_view piece, GzipSearch search, bool last) {
  z_stream stream{};
  const int strategy = search == GzipSearch::kRuns ? Z_RLE : Z_DEFAULT_STRATEGY;
  SPLAT_CHECK_EQ(deflateInit2(&stream, kLevel, Z_DEFLATED, kRawWindow, 9, strategy), Z_OK);
  if (!dictionary.empty()) deflateSetDictionary(&stream, bytes_of(dictionary.data()), uInt(dictionary.size()));
  std::string out(deflateBound(&stream, uLong(piece.size())) + 16, '\0');
  stream.next_in = bytes_of(piece.data());
  stream.avail_in = uInt(piece.size());
  stream.next_out = bytes_of(out.data());
  stream.avail_out = uInt(out.size());
  const int code = deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH);
  SPLAT_CHECK_EQ(code, last ? Z_STREAM_END : Z_OK);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string little_endian(uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

}  // namespace

struct GzipReader::State {
  z_stream stream{};
};

GzipReader::GzipReader(ByteStream& stream) : stream_(stream), state_(std::make_unique<State>()) {
  SPLAT_CHECK_EQ(inflateInit2(&state_->stream, kGzipWindow), Z_OK);
}

GzipReader::~GzipReader() { inflateEnd(&state_->stream); }

Result<size_t> GzipReader::read_some(std::span<char> out) {
  z_stream& z = state_->stream;
  size_t have = 0;
  while (have < out.size() && !ended_) {
    SPLAT_ASSIGN_OR_RETURN(const std::string_view ahead, stream_.peek(kReadBytes));
    z.next_in = bytes_of(ahead.data());
    z.avail_in = uInt(ahead.size());
    z.next_out = bytes_of(out.data() + have);
    z.avail_out = uInt(std::min<size_t>(out.size() - have, size_t(1) << 30));
    const uInt room = z.avail_out;
    const int code = inflate(&z, Z_NO_FLUSH);
    stream_.advance(ahead.size() - z.avail_in);
    have += room - z.avail_out;
    if (code == Z_STREAM_END) SPLAT_TRY(look_behind_member());
    if (code == Z_BUF_ERROR || (code == Z_OK && ahead.empty() && room == z.avail_out))
      return stream_.error("the compressed data end too early (truncated)");
    if (code != Z_OK && code != Z_STREAM_END) return stream_.error("the compressed data are corrupt");
  }
  return have;
}

// The next member, or the end.
Status GzipReader::look_behind_member() {
  SPLAT_ASSIGN_OR_RETURN(std::string_view ahead, stream_.peek(2));
  if (ahead.starts_with("\x1f\x8b")) {
    SPLAT_CHECK_EQ(inflateReset(&state_->stream), Z_OK);
    return {};
  }
  ended_ = true;
  while (!ahead.empty() && ahead.front() == '\0') {
    SPLAT_ASSIGN_OR_RETURN(ahead, stream_.peek(kReadBytes));
    stream_.advance(std::min(ahead.find_first_not_of('\0'), ahead.size()));
    SPLAT_ASSIGN_OR_RETURN(ahead, stream_.peek(1));
  }
  return {};
}

Status GzipReader::read(std::span<char> out, const char* what) {
  SPLAT_ASSIGN_OR_RETURN(const size_t have, read_some(out));
  if (have < out.size())
    return stream_.error(std::string("the unpacked data end inside ") + what + " (truncated or corrupt)");
  return {};
}

GzipWriter::GzipWriter(Sink sink, splat::ThreadPool& pool)
    : sink_(std::move(sink)), pool_(pool), checksum_(uint32_t(crc32(0, nullptr, 0))) {
  sink_(std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10));  // deflate; no name, no time; system unknown
}

void GzipWriter::look_for(GzipSearch search) {
  if (search != search_ && pending_.size() > dictionary_) deflate_pending(false);
  search_ = search;
}

void GzipWriter::write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const size_t full = kPieceBytes * size_t(pool_.threads()) + dictionary_;
    const size_t take = std::min(bytes.size(), full - pending_.size());
    pending_.append(bytes.data(), take);
    bytes = bytes.subspan(take);
    if (pending_.size() == full) deflate_pending(false);
  }
}

void GzipWriter::finish() {
  deflate_pending(true);
  sink_(little_endian(checksum_) + little_endian(uint32_t(size_)));
}

void GzipWriter::deflate_pending(bool last) {
  const std::string_view all = pending_;
  const size_t bytes = all.size() - dictionary_, pieces = std::max<size_t>(1, (bytes + kPieceBytes - 1) / kPieceBytes);
  std::vector<std::string> deflated(pieces);
  std::vector<uint32_t> checksums(pieces);
  const auto piece_of = [&](size_t i) { return all.substr(dictionary_ + i * kPieceBytes, kPieceBytes); };
  pool_.for_each(pieces, [&](size_t i, int) {
    const std::string_view piece = piece_of(i);
    const size_t start = dictionary_ + i * kPieceBytes, before = std::min(start, kDictionaryBytes);
    deflated[i] = deflate_piece(all.substr(start - before, before), piece, search_, last && i + 1 == pieces);
    checksums[i] = uint32_t(crc32(0, bytes_of(piece.data()), uInt(piece.size())));
  });
  for (size_t i = 0; i < pieces; ++i) {
    checksum_ = uint32_t(crc32_combine(checksum_, checksums[i], z_off_t(piece_of(i).size())));
    sink_(deflated[i]);
  }
  size_ += bytes;
  dictionary_ = std::min(all.size(), kDictionaryBytes);
  pending_.erase(0, pending_.size() - dictionary_);
}

}  // namespace io
