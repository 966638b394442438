// Refuses single allocations of a thread, by operators of its own: for one source of a test program, whose operators
// they are. What they give is no zeros.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>

namespace splat::test {
namespace {

thread_local long t_until_refusal = -1;  // allocations that succeed before one is refused; -1: none is

void* granted(size_t size) {
  if (t_until_refusal >= 0 && t_until_refusal-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size);
  if (!memory) throw std::bad_alloc();
  return std::memset(memory, 0xBE, size);
}

// Refuses the n-th allocation of `work` (from 0), which may throw std::bad_alloc then; false: there are not as many.
template <class Work>
bool refusing(long n, const Work& work) {
  t_until_refusal = n;
  try {
    work();
  } catch (const std::bad_alloc&) {
  }
  const bool refused = t_until_refusal < 0;
  t_until_refusal = -1;
  return refused;
}

}  // namespace
}  // namespace splat::test

void* operator new(size_t size) { return splat::test::granted(size); }
void* operator new[](size_t size) { return splat::test::granted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
