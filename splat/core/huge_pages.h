// Memory in pages of 2 MB where the system has them to give: fewer of them to fetch when it is first written, and the
// processor finds their places at once.
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace splat {

inline constexpr size_t kHugePage = size_t(2) << 20, kHugeFrom = 2 * kHugePage;

// Advises the system to use huge pages for the whole pages in this range. Contents are kept; a refusal is harmless.
inline void advise_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] size_t bytes) {
#ifdef __linux__
  if (bytes < kHugeFrom) return;
  const uintptr_t first = (uintptr_t(begin) + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t last = (uintptr_t(begin) + bytes) / kHugePage * kHugePage;
  char* const at = static_cast<char*>(begin) + (first - uintptr_t(begin));
  if (first < last) ::madvise(at, last - first, MADV_HUGEPAGE);
#endif
}

// resize(), with the advice given before the new values are written.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, size_t size) {
  if (size > values.capacity()) {
    values.reserve(std::max(size, 2 * values.size()));
    advise_huge_pages(values.data() + values.size(), (size - values.size()) * sizeof(T));
  }
  values.resize(size);
}

}  // namespace splat
