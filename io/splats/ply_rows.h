// The rows of one PLY element, gathered by property into arrays of floats: any scalar type, ASCII or binary of either
// endianness, in blocks. Cost: one pass over the file; about the speed of memory for little-endian floats.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/ply_header.h"
#include "splat/core/result.h"

namespace io {

struct PlyColumn {
  int property = 0;              // of the element
  float* destination = nullptr;  // row r's value goes to destination[r * stride]
  size_t stride = 1;
};

class PlyRows {
 public:
  PlyRows(ByteStream& stream, const PlyHeader& header);  // the stream stands at the file's start

  // Moves to the first row of `element`. Refused: counts that the file cannot hold, and lists in the elements up to
  // this one. Memory for the rows may be allocated after this.
  splat::Status seek(const PlyElement& element);
  splat::Status read(const PlyElement& element, std::span<const PlyColumn> columns);  // all rows, from there

  // After the last row of `element`: an error when the elements behind it are cut off, else a warning about what is odd
  // at the end of the file, or nothing.
  splat::Result<std::string> check_end(const PlyElement& element) const;

 private:
  splat::Status read_binary(const PlyElement& element, std::span<const PlyColumn> columns);
  splat::Status read_ascii(const PlyElement& element, std::span<const PlyColumn> columns);
  splat::Result<std::string_view> next_line();
  splat::Error line_error(const std::string& problem) const;
  splat::Error too_short(const PlyElement& element) const;

  ByteStream& stream_;
  const PlyHeader& header_;
  size_t line_;              // ASCII: lines read so far
  bool ended_open_ = false;  // ASCII: the last one had no line end
};

}  // namespace io
