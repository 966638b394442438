// Memory on the GPU, and page-locked memory of the host that the GPU reads and writes: move-only arrays of plain
// values that grow, so that no iteration allocates. Failure is a DeviceError with the bytes wanted and free, or a
// lender's NothingLent (lender.h).
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "splat/core/gpu_runtime.h"
#include "splat/core/lender.h"

namespace splat::gpu {

inline void* allocate_device(size_t bytes) {
  void* p = nullptr;
  const hipError_t error = hipMalloc(&p, bytes);
  if (error == hipSuccess) return p;
  (void)hipGetLastError();
  size_t free = 0, total = 0;
  (void)hipMemGetInfo(&free, &total);
  throw DeviceError("hipMalloc", hipGetErrorString(error), bytes, free);
}
inline void* allocate_pinned(size_t bytes) {
  void* p = nullptr;
  SPLAT_GPU_CHECK(hipHostMalloc(&p, bytes));
  return p;
}

template <class T, void* (*kAllocate)(size_t), bool kOnDevice>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)),
        lender_(other.lender_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(lender_, other.lender_);
    return *this;
  }
  ~Buffer() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t capacity() const { return capacity_; }
  size_t bytes() const { return capacity_ * sizeof(T); }

  // Makes room for this many values; what was there is lost when it grows.
  void reserve_discarding(size_t capacity) {
    if (capacity <= capacity_) return;
    release();
    const size_t bytes = capacity * sizeof(T);
    data_ = static_cast<T*>(lender_ ? borrow(*lender_, bytes) : kAllocate(bytes));
    capacity_ = capacity;
  }
  // Keeps the first `used` values.
  void reserve(size_t capacity, size_t used, hipStream_t stream) {
    static_assert(kOnDevice);
    if (capacity <= capacity_) return;
    Buffer grown;
    grown.lender_ = lender_;
    grown.reserve_discarding(capacity);
    if (used) SPLAT_GPU_CHECK(hipMemcpyAsync(grown.data_, data_, used * sizeof(T), hipMemcpyDeviceToDevice, stream));
    SPLAT_GPU_CHECK(hipStreamSynchronize(stream));
    *this = std::move(grown);
  }
  // Gives back what lies behind the first `capacity` values; where there is no room for both, by way of the host.
  void shrink(size_t capacity, hipStream_t stream) {
    if (capacity >= capacity_) return;
    const size_t kept = capacity * sizeof(T);
    Buffer shrunk;
    shrunk.lender_ = lender_;
    try {
      shrunk.reserve_discarding(capacity);
      if (kept) SPLAT_GPU_CHECK(hipMemcpyAsync(shrunk.data_, data_, kept, hipMemcpyDeviceToDevice, stream));
      SPLAT_GPU_CHECK(hipStreamSynchronize(stream));
    } catch (const DeviceError&) {
      std::vector<T> values(capacity);
      SPLAT_GPU_CHECK(hipMemcpyAsync(values.data(), data_, kept, hipMemcpyDeviceToHost, stream));
      SPLAT_GPU_CHECK(hipStreamSynchronize(stream));
      release();
      shrunk.reserve_discarding(capacity);
      SPLAT_GPU_CHECK(hipMemcpyAsync(shrunk.data_, values.data(), kept, hipMemcpyHostToDevice, stream));
      SPLAT_GPU_CHECK(hipStreamSynchronize(stream));
    }
    *this = std::move(shrunk);
  }
  void release() {
    if (data_ && lender_)
      lender_->free(lender_->user, data_);
    else if (data_)
      (void)(kOnDevice ? hipFree(data_) : hipHostFree(data_));
    data_ = nullptr;
    capacity_ = 0;
  }
  // Gives back what there is; from now on memory is this lender's, which outlives it (null: the runtime's).
  void use(const Lender* lender) {
    static_assert(kOnDevice);
    release();
    lender_ = lender;
  }

 private:
  T* data_ = nullptr;
  size_t capacity_ = 0;
  const Lender* lender_ = nullptr;
};

template <class T>
using DeviceBuffer = Buffer<T, allocate_device, true>;
template <class T>
using PinnedBuffer = Buffer<T, allocate_pinned, false>;

}  // namespace splat::gpu
