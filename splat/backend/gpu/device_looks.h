// Looks of the rows (Backend::set_looks()) on the device.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/backend/row_looks.h"
#include "splat/core/gpu_buffer.h"

namespace splat::gpu {

class DeviceLooks {
 public:
  // Waits until the device has them.
  KeptLooks::Change set(const RowLooks& looks, size_t rows, hipStream_t stream) {
    if (!looks.looks.empty()) {  // first: where memory is refused nothing has changed
      device_.reserve_discarding(rows);
      tints_.reserve_discarding(math::kTints);
    }
    const auto changed = kept_.set(looks, rows, [](size_t) {});
    if (changed == KeptLooks::Change::kNothing || !kept_.data()) return changed;
    SPLAT_GPU_CHECK(hipMemcpyAsync(device_.data(), kept_.data(), rows, hipMemcpyHostToDevice, stream));
    SPLAT_GPU_CHECK(
        hipMemcpyAsync(tints_.data(), kept_.tints().of, sizeof(math::Tints), hipMemcpyHostToDevice, stream));
    SPLAT_GPU_CHECK(hipStreamSynchronize(stream));
    return changed;
  }
  void forget() { kept_.forget(); }
  bool any() const { return kept_.data() != nullptr; }
  ProjectArgs with(ProjectArgs args) const {
    if (any()) args.looks = device_.data(), args.tints = tints_.data();
    return args;
  }
  size_t bytes() const { return device_.bytes() + tints_.bytes(); }

 private:
  KeptLooks kept_;
  DeviceBuffer<uint8_t> device_;    // [N] where there are any
  DeviceBuffer<math::Tint> tints_;  // [kTints] likewise
};

}  // namespace splat::gpu
