// A GPU as its runtime describes it, and the queue of the work for it. Throws DeviceError.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "splat/core/gpu_runtime.h"

namespace splat::gpu {

struct DeviceFacts {
  std::string name;          // "AMD Radeon RX 7900 XTX"
  std::string architecture;  // "gfx1100", "sm_90"
  int wave_size = 32;
  bool integrated = false;  // its memory is the host's
  uint64_t total_bytes = 0;
};
DeviceFacts describe_device(int device);

// Bytes that the current device can still give out. Of a processor's own GPU the runtime reports what the firmware set
// aside, often half a gigabyte; it gives out the host's memory, so that what the host has available counts.
uint64_t free_device_bytes(const DeviceFacts& facts);

// Makes a device the calling thread's current one, and at its end the one that was: it is the caller's. Every call that
// reaches the runtime has one, from its beginning to its end.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) : CurrentDevice(device, std::nothrow) { SPLAT_GPU_CHECK(changed_); }
  CurrentDevice(int device, std::nothrow_t) noexcept : device_(device) {  // for destructors
    if (hipGetDevice(&before_) != hipSuccess) before_ = device;
    changed_ = before_ == device ? hipSuccess : hipSetDevice(device);
  }
  ~CurrentDevice() {
    if (before_ != device_) (void)hipSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int device_, before_ = 0;
  hipError_t changed_;
};
// The first member of a class that holds things on a device, filled by its destructor: until all others are gone.
using UntilGone = std::optional<CurrentDevice>;

// An event to wait for without keeping a processor core busy; move-only.
class Event {
 public:
  Event() { SPLAT_GPU_CHECK(hipEventCreateWithFlags(&event_, hipEventBlockingSync | hipEventDisableTiming)); }
  ~Event() { (void)hipEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(hipStream_t stream) { SPLAT_GPU_CHECK(hipEventRecord(event_, stream)); }
  void wait() const {
    const hipError_t state = hipEventQuery(event_);
    if (state == hipErrorNotReady) return SPLAT_GPU_CHECK(hipEventSynchronize(event_));
    SPLAT_GPU_CHECK(state);
  }

 private:
  hipEvent_t event_ = nullptr;
};

// A stream, and events for reports one iteration apart. Made and destroyed while its device is the current one.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  hipStream_t stream() const { return stream_.stream; }
  void wait() const {
    idle_.record(stream());
    idle_.wait();
  }
  void mark(int slot) { reported_[slot].record(stream()); }
  void wait_for(int slot) const { reported_[slot].wait(); }

 private:
  struct Stream {
    Stream() { SPLAT_GPU_CHECK(hipStreamCreate(&stream)); }
    ~Stream() { (void)hipStreamDestroy(stream); }
    hipStream_t stream = nullptr;
  };
  Stream stream_;
  Event reported_[2];
  mutable Event idle_;
};

}  // namespace splat::gpu
