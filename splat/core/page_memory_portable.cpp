// In standard C++, for systems whose pages cannot be moved: growing copies.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "splat/core/huge_pages.h"
#include "splat/core/page_memory.h"

namespace splat {
namespace {

constexpr size_t kBefore = sizeof(void*);  // in front of the pages stands what calloc() gave

}  // namespace

void* map_pages(size_t bytes) {
  void* const raw = std::calloc(1, bytes + kHugePage + kBefore);  // zero, and not written before it is used
  if (!raw) throw std::bad_alloc();
  const uintptr_t pages = (uintptr_t(raw) + kBefore + kHugePage - 1) / kHugePage * kHugePage;
  void* const start = static_cast<char*>(raw) + (pages - uintptr_t(raw));
  std::memcpy(static_cast<char*>(start) - kBefore, &raw, kBefore);
  return start;
}

void* grow_pages(void* pages, size_t old_bytes, size_t bytes) {
  void* const grown = map_pages(bytes);
  std::memcpy(grown, pages, std::min(old_bytes, bytes));
  unmap_pages(pages, old_bytes);
  return grown;
}

void unmap_pages(void* pages, size_t /*bytes*/) noexcept {
  void* raw = nullptr;
  std::memcpy(&raw, static_cast<char*>(pages) - kBefore, kBefore);
  std::free(raw);
}

}  // namespace splat
