#include "splat/core/page_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "splat/core/huge_pages.h"

namespace splat {
namespace {

size_t whole_pages(size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

// Address space on a boundary of huge pages.
char* map_aligned(size_t bytes, int protection) {
  const size_t mapped = bytes + kHugePage;
  void* const raw = ::mmap(nullptr, mapped, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  char* const start = static_cast<char*>(raw);
  const size_t head = (kHugePage - uintptr_t(start) % kHugePage) % kHugePage;
  if (head > 0) ::munmap(start, head);
  if (kHugePage > head) ::munmap(start + head + bytes, kHugePage - head);
  return start + head;
}

}  // namespace

void* map_pages(size_t bytes) {
  bytes = whole_pages(bytes);
  char* const pages = map_aligned(bytes, PROT_READ | PROT_WRITE);
  advise_huge_pages(pages, bytes);
  return pages;
}

void* grow_pages(void* pages, size_t old_bytes, size_t bytes) {
  old_bytes = whole_pages(old_bytes), bytes = whole_pages(bytes);
  if (bytes == old_bytes) return pages;
  if (void* const here = ::mremap(pages, old_bytes, bytes, 0); here != MAP_FAILED) return here;
  char* const room = map_aligned(bytes, PROT_NONE);
  void* const moved = ::mremap(pages, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, room);
  if (moved != MAP_FAILED) return moved;
  ::munmap(room, bytes);
  throw std::bad_alloc();
}

void unmap_pages(void* pages, size_t bytes) noexcept { ::munmap(pages, whole_pages(bytes)); }

}  // namespace splat
