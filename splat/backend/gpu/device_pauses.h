// What rows have missed (AdamPauses), on the device.
#pragma once

#include <algorithm>

#include "splat/backend/backend.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/core/gpu_buffer.h"

namespace splat::gpu {

class DevicePauses {
 public:
  // For an update of the iteration.
  void reserve(int iteration, const Target& target) {
    const size_t room = AdamPauses::room(uint32_t(iteration)), there = device_.capacity();
    there > 0 ? device_.reserve(room, there, target.stream)
              : device_.reserve_discarding(room);  // which waits for nothing
  }
  // After reserve(). What changes comes with the launches: nothing waits.
  AdamStep next(const AdamSettings& settings, size_t splats, const Target& target) {
    AdamStep step = host_.next(settings, splats);
    step.pauses = device_.data();
    const auto [first, end] = host_.changed();
    PauseRows rows{device_.data(), first, 0, {}};
    for (; rows.first < end; rows.first += rows.count) {
      rows.count = std::min(end - rows.first, PauseRows::kMost);
      for (uint32_t i = 0; i < rows.count; ++i) rows.rows[i] = host_.pauses()[(rows.first + i) % AdamPauses::kKept];
      write_pauses(rows, target);
    }
    return step;
  }
  AdamPauses& host() { return host_; }
  const AdamPauses& host() const { return host_; }
  size_t bytes() const { return device_.bytes(); }

 private:
  AdamPauses host_;
  DeviceBuffer<math::AdamValues> device_;  // [room()]
};

}  // namespace splat::gpu
