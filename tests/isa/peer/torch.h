// As much of PyTorch's C++ interface as the host code beside gsplat's kernels names, so that they are compiled and
// launched without PyTorch: tensors are memory and a shape, all of float where a kernel could be of double.
#pragma once

#include <hip/hip_runtime.h>

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace c10 {

inline constexpr std::nullopt_t nullopt = std::nullopt;

namespace hip::HIPCachingAllocator {

class Memory {
 public:
  explicit Memory(size_t bytes) {
    if (hipMalloc(&memory_, bytes) != hipSuccess) std::abort();
  }
  ~Memory() { (void)hipFree(memory_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};
struct Allocator {
  Memory allocate(size_t bytes) const { return Memory(bytes); }
};
inline Allocator* get() {
  static Allocator allocator;
  return &allocator;
}

}  // namespace hip::HIPCachingAllocator
}  // namespace c10

namespace at {

template <class T>
using optional = std::optional<T>;

enum class ScalarType { kFloat };

// Shares its memory, which is never given back.
class Tensor {
 public:
  Tensor() = default;
  template <class T>
  static Tensor of(std::vector<int64_t> shape) {
    Tensor made;
    made.shape_ = std::move(shape);
    made.item_ = sizeof(T);
    if (hipMalloc(&made.memory_, made.bytes()) != hipSuccess) std::abort();
    return made;
  }
  template <class T>
  T* data_ptr() const {
    return static_cast<T*>(memory_);
  }
  int64_t dim() const { return int64_t(shape_.size()); }
  int64_t size(int64_t axis) const { return shape_[size_t(axis < 0 ? axis + dim() : axis)]; }
  int64_t numel() const {
    int64_t count = 1;
    for (int64_t size : shape_) count *= size;
    return count;
  }
  size_t bytes() const { return size_t(numel()) * item_; }
  ScalarType scalar_type() const { return ScalarType::kFloat; }
  void set_(const Tensor& other) const { memory_ = other.memory_; }
  void fill_(int value) const {
    if (value != 0 || hipMemsetAsync(memory_, 0, bytes(), nullptr) != hipSuccess) std::abort();
  }

 private:
  mutable void* memory_ = nullptr;
  std::vector<int64_t> shape_;
  size_t item_ = 0;
};

namespace hip {
inline hipStream_t getCurrentHIPStream() { return nullptr; }
}  // namespace hip

}  // namespace at

#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) \
  do {                                              \
    using scalar_t = float;                         \
    (void)(type);                                   \
    __VA_ARGS__();                                  \
  } while (false)

// Of an attribute that AMD's runtime has no use for.
#define hipFuncSetAttribute(...) hipSuccess
