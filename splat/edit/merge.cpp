#include "splat/edit/merge.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "splat/model/gaussian_rows.h"

namespace splat::edit {
namespace {

constexpr size_t kBlockFloats = size_t(1) << 20;

// Gives the memory behind values that nobody reads any more back to the system, whole pages of it: the vector keeps its
// size, and zeros or the values stand there.
void release(float* begin, float* end) {
  const auto page = uintptr_t(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = (uintptr_t(begin) + page - 1) / page * page, last = uintptr_t(end) / page * page;
  char* const at = reinterpret_cast<char*>(begin) + (first - uintptr_t(begin));
  if (first < last) ::madvise(at, last - first, MADV_DONTNEED);
}

// Appends rows of `width` values as rows of `to_width`, the rest zero, and empties `from`.
void move_rows(std::vector<float>& from, size_t width, std::vector<float>& to, size_t to_width) {
  const size_t rows = from.size() / width, block = std::max<size_t>(kBlockFloats / width, 1);
  for (size_t begin = 0; begin < rows; begin += block) {
    const size_t end = std::min(begin + block, rows);
    const size_t run = to_width == width ? end - begin : 1;  // rows that stay as they lie
    for (size_t row = begin; row < end; row += run) {
      const auto values = from.begin() + ptrdiff_t(row * width);
      to.insert(to.end(), values, values + ptrdiff_t(run * width));
      to.resize(to.size() + run * (to_width - width));
    }
    release(from.data() + begin * width, from.data() + end * width);
  }
  from = {};
}

}  // namespace

Gaussians merge(std::vector<Gaussians> models) {
  Gaussians merged;
  size_t rows = 0;
  for (const Gaussians& model : models) {
    rows += model.size();
    merged.sh_degree = std::max(merged.sh_degree, model.sh_degree);
  }
  if (models.size() == 1) return std::move(models.front());
  visit_arrays(merged, [&](const std::string_view name, std::vector<float>& to, size_t to_width) {
    to.reserve(rows * to_width);
    for (Gaussians& model : models)
      visit_arrays(model, [&](const char* part, std::vector<float>& from, size_t width) {
        if (name == part) move_rows(from, width, to, to_width);
      });
  });
  return merged;
}

}  // namespace splat::edit
