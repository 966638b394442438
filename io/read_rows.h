// Rows of equal size, read from a file in blocks and handed to every thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/byte_stream.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace io {

struct RowRange {
  uint64_t start = 0;  // of the first row; all rows must lie within the file
  size_t row_bytes = 1, rows = 0;
  size_t block_rows = 1;  // the most that are read at a time
};

// body(bytes of rows, first row, rows), in any order, by several threads at once. An error is the disk's alone.
splat::Status read_rows(const ByteStream& stream, const RowRange& range, splat::ThreadPool& pool,
                        splat::FunctionRef<void(const char* bytes, size_t first, size_t rows)> body);

}  // namespace io
