// The rows of PLY elements, gathered by property into arrays of floats or doubles: any scalar type, ASCII or binary of
// either endianness. Binary files are read and converted in blocks by every core, at about the speed of memory for
// little-endian floats; ASCII by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/splats/ply/ply_header.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace io {

struct PlyColumn {
  int property = 0;              // of the element
  float* destination = nullptr;  // row r's value goes to destination[r * stride]
  size_t stride = 1;
  double* wide = nullptr;  // where it goes instead, if it is not null
};

class PlyRows {
 public:
  PlyRows(ByteStream& stream, const PlyHeader& header);  // the stream stands at the file's start

  // Moves to the first row of `element`; elements can only be visited in the order in which they stand, and those with
  // lists are walked row by row. Refused: counts that the file cannot hold, and lists in this one. Memory for the rows
  // may be allocated after this.
  splat::Status seek(const PlyElement& element);
  splat::Status read(const PlyElement& element, std::span<const PlyColumn> columns);  // all rows, from there

  splat::Status look_over(const PlyElement& element, std::span<const PlyColumn> columns);  // binary; stays there
  // Some rows of a binary file, ascending: the i-th of them goes to row i. Stays at the first row.
  splat::Status read_chosen(const PlyElement& element, std::span<const PlyColumn> columns,
                            std::span<const uint32_t> chosen);

  // All binary rows as they stand in the file: body(bytes of rows, first row, rows), in any order, by several
  // threads at once.
  using Body = splat::FunctionRef<void(const char* bytes, size_t first, size_t rows)>;
  splat::Status read_blocks(const PlyElement& element, Body body);

  // After the last row of `element`: an error when the elements behind it are cut off, else a warning about what is odd
  // at the end of the file, or nothing.
  splat::Result<std::string> check_end(const PlyElement& element);

 private:
  splat::Status walk_blocks(const PlyElement& element, Body body);
  struct Block {
    const char* bytes;
    size_t first, rows;  // where they go
  };
  void convert_block(const PlyElement& element, std::span<const PlyColumn> columns, const Block& block) const;
  splat::Status pass_over(const PlyElement& element);
  splat::Status pass_over_lists(const PlyElement& element);
  splat::Status read_binary(const PlyElement& element, std::span<const PlyColumn> columns);
  splat::Status read_ascii(const PlyElement& element, std::span<const PlyColumn> columns);
  splat::Result<std::string_view> next_line();
  splat::Error line_error(const std::string& problem) const;
  splat::Error too_short(const PlyElement& element) const;

  ByteStream& stream_;
  const PlyHeader& header_;
  splat::ThreadPool pool_;
  size_t next_ = 0;          // of header_.elements: the first that has not been passed
  size_t line_;              // ASCII: lines read so far
  bool ended_open_ = false;  // ASCII: the last one had no line end
};

}  // namespace io
