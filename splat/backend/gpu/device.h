// A GPU as its runtime describes it, and the queue of the work for it. Throws DeviceError.
#pragma once

#include <cstdint>
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

// A stream, and events for reports one iteration apart.
class Queue {
 public:
  explicit Queue(int device) : stream_(device) {}
  ~Queue() { (void)hipSetDevice(stream_.device); }  // before its events and stream go
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void use() const { SPLAT_GPU_CHECK(hipSetDevice(stream_.device)); }  // the calling thread's device
  hipStream_t stream() const { return stream_.stream; }
  void wait() const {
    idle_.record(stream());
    idle_.wait();
  }
  void mark(int slot) { reported_[slot].record(stream()); }
  void wait_for(int slot) const { reported_[slot].wait(); }

 private:
  struct Stream {
    explicit Stream(int on_device) : device(on_device) {
      SPLAT_GPU_CHECK(hipSetDevice(device));
      SPLAT_GPU_CHECK(hipStreamCreate(&stream));
    }
    ~Stream() { (void)hipStreamDestroy(stream); }
    int device;
    hipStream_t stream = nullptr;
  };
  Stream stream_;
  Event reported_[2];
  mutable Event idle_;
};

}  // namespace splat::gpu
