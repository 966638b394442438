// Grow-only array of trivial values on a cache-line boundary: scratch that an iteration reuses without allocating.
// Throws std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "splat/core/huge_pages.h"
#include "splat/core/lender.h"
#include "splat/core/page_memory.h"

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

  // Keeps the values there are, and them alone: where memory is refused (std::bad_alloc) nothing has changed.
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    const size_t old_bytes = bytes(), new_bytes = capacity * sizeof(T);
    if (old_bytes >= kHugeFrom && !lender_) {
      T* const grown = static_cast<T*>(grow_pages(values_.get(), old_bytes, new_bytes));
      (void)values_.release();
      values_ = std::unique_ptr<T[], Free>(grown, Free{new_bytes, nullptr});
    } else {
      std::unique_ptr<T[], Free> grown(allocate(new_bytes), Free{new_bytes, lender_});
      if (size_) std::memcpy(static_cast<void*>(grown.get()), values_.get(), size_ * sizeof(T));
      values_ = std::move(grown);
    }
    capacity_ = capacity;
  }
  // New values are uninitialised. Grows by half at least where there is room, so that slow growth stays linear in all.
  void resize(size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  // Gives back what there is; from now on memory is this lender's, which outlives it (null: the system's).
  void use(const Lender* lender) {
    values_.reset();
    size_ = capacity_ = 0;
    lender_ = lender;
  }
  void fill_bytes(int byte) {
    if (size_) std::memset(static_cast<void*>(data()), byte, size_ * sizeof(T));
  }

 private:
  void grow(size_t size) {
    const size_t half_more = capacity_ + capacity_ / 2;
    if (size < half_more) try {
        return reserve(half_more);
      } catch (const std::bad_alloc&) {
      }
    reserve(size);
  }
  T* allocate(size_t bytes) const {
    if (lender_) return static_cast<T*>(borrow(*lender_, bytes));
    return static_cast<T*>(bytes >= kHugeFrom ? map_pages(bytes) : ::operator new(bytes, std::align_val_t(kAlignment)));
  }
  struct Free {
    size_t bytes = 0;
    const Lender* lender = nullptr;
    void operator()(T* p) const {
      if (lender)
        lender->free(lender->user, p);
      else if (bytes >= kHugeFrom)
        unmap_pages(p, bytes);
      else
        ::operator delete(static_cast<void*>(p), std::align_val_t(kAlignment));
    }
  };
  std::unique_ptr<T[], Free> values_;
  size_t size_ = 0, capacity_ = 0;
  const Lender* lender_ = nullptr;
};

}  // namespace splat
