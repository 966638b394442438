// The depth map beside a view (SurfaceSettings) on the device: sent for every view, through page-locked memory.
#pragma once

#include <cstring>
#include <span>

#include "splat/backend/gpu/device.h"
#include "splat/core/gpu_buffer.h"

namespace splat::gpu {

class DepthPriorRoom {
 public:
  // [H,W]; waits until the device has read the one before.
  void send(std::span<const uint16_t> values, hipStream_t stream) {
    if (values.empty()) return;
    copied_.wait();
    host_.reserve_discarding(values.size());
    device_.reserve_discarding(values.size());
    std::memcpy(host_.data(), values.data(), values.size_bytes());
    SPLAT_GPU_CHECK(hipMemcpyAsync(device_.data(), host_.data(), values.size_bytes(), hipMemcpyHostToDevice, stream));
    copied_.record(stream);
  }
  const uint16_t* data() const { return device_.data(); }
  size_t bytes() const { return device_.bytes(); }

 private:
  PinnedBuffer<uint16_t> host_;
  DeviceBuffer<uint16_t> device_;
  Event copied_;
};

}  // namespace splat::gpu
