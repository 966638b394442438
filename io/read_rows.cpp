#include "io/read_rows.h"
#include "io/names.h"

#include <vector>

namespace io {

Status read_rows(const ByteStream& stream, const RowRange& range, splat::ThreadPool& pool,
                 splat::FunctionRef<void(const char*, size_t, size_t)> body) {
  std::vector<std::vector<char>> scratch(size_t(pool.threads()));
  std::vector<Status> failures(scratch.size());
  pool.for_chunks(range.rows, range.block_rows, [&](size_t begin, size_t end, int thread) {
    Status& failure = failures[size_t(thread)];
    if (!failure) return;
    const auto bytes =
        stream.read_at(range.start + begin * range.row_bytes, (end - begin) * range.row_bytes, scratch[size_t(thread)]);
    if (bytes)
      body(bytes->data(), begin, end - begin);
    else
      failure = bytes.error();
  });
  for (const Status& failure : failures)
    if (!failure) return failure.error();
  return {};
}

}  // namespace io
