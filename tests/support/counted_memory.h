// Counts what a program allocates, by operators of its own: for one source of a test program, whose operators they are.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace splat::test {
namespace {

std::atomic<size_t> g_bytes{0}, g_peak{0};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  const size_t now = g_bytes += ::malloc_usable_size(memory);
  for (size_t peak = g_peak; now > peak && !g_peak.compare_exchange_weak(peak, now);) {
  }
  return memory;
}

void counted_free(void* memory) {
  g_bytes -= ::malloc_usable_size(memory);
  std::free(memory);
}

// What `work` holds at most beyond what is held at its start.
template <class Work>
size_t peak_of(const Work& work) {
  const size_t before = g_bytes;
  g_peak = before;
  work();
  return g_peak - before;
}

}  // namespace
}  // namespace splat::test

void* operator new(size_t size) { return splat::test::counted(std::malloc(size)); }
void* operator new[](size_t size) { return splat::test::counted(std::malloc(size)); }
void* operator new(size_t size, std::align_val_t alignment) {
  return splat::test::counted(
      std::aligned_alloc(size_t(alignment), (size + size_t(alignment) - 1) / size_t(alignment) * size_t(alignment)));
}
// As libstdc++ asks for scratch memory; a sanitizer would answer it by its own.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  void* memory = std::malloc(size);
  return memory ? splat::test::counted(memory) : nullptr;
}
void operator delete(void* memory) noexcept { splat::test::counted_free(memory); }
void operator delete[](void* memory) noexcept { splat::test::counted_free(memory); }
void operator delete(void* memory, size_t) noexcept { splat::test::counted_free(memory); }
void operator delete[](void* memory, size_t) noexcept { splat::test::counted_free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { splat::test::counted_free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { splat::test::counted_free(memory); }
