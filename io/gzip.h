// Gzip files (RFC 1952), streamed in both directions: neither holds the whole. A file may be several members one after
// another, as pigz, bgzip and cat make them: their contents follow each other. Zeros behind the last one, which tapes
// and block devices leave, are passed over, as gzip(1) does; anything else there stays in the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace io {

// No deflate stream grows more than this when it is unpacked (1032, by the format).
inline constexpr uint64_t kMaxGzipExpansion = 1032;

class GzipReader {
 public:
  explicit GzipReader(ByteStream& stream);  // at the gzip header
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  splat::Result<size_t> read_some(std::span<char> out);       // fewer than asked for only at the end
  splat::Status read(std::span<char> out, const char* what);  // exactly; `what` is named when the data end inside
  bool at_end() const { return ended_; }                      // the last checksum was read, and is right

 private:
  splat::Status look_behind_member();

  struct State;
  ByteStream& stream_;
  std::unique_ptr<State> state_;
  bool ended_ = false;
};

// What deflate looks for. Matches of earlier bytes are slow to find; noisy numbers have hardly any but runs of one
// byte.
enum class GzipSearch { kMatches, kRuns };

// One gzip member, deflated in pieces by every core of `pool`; its bytes do not depend on their number.
class GzipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  GzipWriter(Sink sink, splat::ThreadPool& pool);
  void look_for(GzipSearch search);  // in the bytes that follow; matches at first
  void write(std::span<const char> bytes);
  void finish();

 private:
  void deflate_pending(bool last);

  Sink sink_;
  splat::ThreadPool& pool_;
  std::string pending_;    // what has not been deflated, behind a dictionary of the bytes before it
  size_t dictionary_ = 0;  // bytes of it
  GzipSearch search_ = GzipSearch::kMatches;
  uint32_t checksum_ = 0;
  uint64_t size_ = 0;
};

}  // namespace io
