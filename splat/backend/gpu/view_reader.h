// Contributions and depth of the view drawn last (backend.h): second walks over its tile lists. Keeps their memory,
// which is taken when first used: 16 bytes a splat, at most 13 a pixel. Waits for the device.
#pragma once

#include "splat/backend/backend.h"
#include "splat/backend/gpu/device.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/core/gpu_buffer.h"

namespace splat::gpu {

class ViewReader {
 public:
  void read_contributions(const BlendArgs& blend, size_t splats, const ContributionSettings& settings,
                          const Queue& queue, const Target& target, Contributions& out);
  void read_depth(const BlendArgs& blend, DepthKind kind, const Queue& queue, const Target& target,
                  std::vector<float>& out);
  size_t bytes() const { return sums_.bytes() + mask_.bytes() + depth_.bytes(); }

 private:
  DeviceBuffer<ContributionSum> sums_;  // [N]
  DeviceBuffer<uint8_t> mask_;          // [H,W]
  DeviceBuffer<float> depth_;           // [H,W] or [3,H,W]
};

}  // namespace splat::gpu
