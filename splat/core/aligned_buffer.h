// Grow-only array of trivial values on a cache-line boundary: scratch that an iteration reuses without allocating.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "splat/core/huge_pages.h"

namespace splat {

template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr size_t kAlignment = 64;

  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  size_t size() const { return size_; }
  size_t bytes() const { return capacity_ * sizeof(T); }
  T& operator[](size_t i) { return values_[i]; }
  const T& operator[](size_t i) const { return values_[i]; }

  // Keeps the values there are.
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    std::unique_ptr<T[], Free> grown(allocate(capacity * sizeof(T)), Free{capacity * sizeof(T)});
    if (size_) std::memcpy(static_cast<void*>(grown.get()), values_.get(), size_ * sizeof(T));
    values_ = std::move(grown);
    capacity_ = capacity;
  }
  // New values are uninitialised. Grows by half at least, so that slow growth stays linear in all.
  void resize(size_t size) {
    if (size > capacity_) reserve(size > capacity_ + capacity_ / 2 ? size : capacity_ + capacity_ / 2);
    size_ = size;
  }
  void fill_bytes(int byte) {
    if (size_) std::memset(static_cast<void*>(data()), byte, size_ * sizeof(T));
  }

 private:
  static std::align_val_t alignment(size_t bytes) {
    return std::align_val_t(bytes >= kHugeFrom ? kHugePage : kAlignment);
  }
  static T* allocate(size_t bytes) {
    void* p = ::operator new(bytes, alignment(bytes));
    advise_huge_pages(p, bytes);
    return static_cast<T*>(p);
  }
  struct Free {
    size_t bytes = 0;
    void operator()(T* p) const { ::operator delete(static_cast<void*>(p), alignment(bytes)); }
  };
  std::unique_ptr<T[], Free> values_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace splat
