// Memory that a caller lends: scratch comes out of its allocator, in place of ours, so that whoever keeps the books of
// a device's memory (torch's caching allocator) knows of it. Its functions run on the thread that needs the memory, and
// do not throw. What is given back may still be in use by work that went to `stream` before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

namespace splat {

struct Lender {
  static constexpr size_t kAlignment = 64;  // bytes, of all that it gives

  void* user = nullptr;
  void* (*allocate)(void* user, size_t bytes, void* stream) = nullptr;  // null: there is none
  void (*free)(void* user, void* memory) = nullptr;
  void* stream = nullptr;  // whose work uses the memory

  explicit operator bool() const { return allocate != nullptr; }
};

// Thrown out of plugins too (hence the visibility).
class __attribute__((visibility("default"))) NothingLent : public std::bad_alloc {
 public:
  NothingLent(size_t bytes, bool aligned) {
    std::snprintf(text_, sizeof text_, "the caller's allocator %s for %zu bytes of scratch",
                  aligned ? "has no memory" : "gives an address that is no multiple of 64", bytes);
  }
  const char* what() const noexcept override { return text_; }

 private:
  char text_[128];
};

inline void* borrow(const Lender& lender, size_t bytes) {
  void* const memory = lender.allocate(lender.user, bytes, lender.stream);
  const bool aligned = uintptr_t(memory) % Lender::kAlignment == 0;
  if (memory && aligned) return memory;
  if (memory) lender.free(lender.user, memory);
  throw NothingLent(bytes, aligned);
}

}  // namespace splat
