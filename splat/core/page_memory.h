// Memory in pages straight from the system, on a boundary of huge pages. It grows by moving pages to where there is
// room: nothing is copied, and the old and the new memory are never there both. Pages take no memory until they are
// written; new ones are zero. Throws std::bad_alloc; sizes are in bytes.
#pragma once

#include <cstddef>

namespace splat {

void* map_pages(size_t bytes);
void* grow_pages(void* pages, size_t old_bytes, size_t bytes);  // the first min(old_bytes, bytes) stay
void unmap_pages(void* pages, size_t bytes) noexcept;

}  // namespace splat
