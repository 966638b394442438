// Contributions and depth of the view drawn last (backend.h): second walks over its tile lists; and the gradient by its
// pose. Keeps their memory, which is taken when first used: 16 bytes a splat, at most 13 a pixel. Waits for the device.
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
  PoseGradient read_pose_gradient(const UpdateArgs& update, int sh_degree, const Queue& queue, const Target& target);
  size_t bytes() const {
    return sums_.bytes() + mask_.bytes() + depth_.bytes() + block_v_pose_.bytes() + v_pose_.bytes();
  }

 private:
  DeviceBuffer<ContributionSum> sums_;  // [N]
  DeviceBuffer<uint8_t> mask_;          // [H,W]
  DeviceBuffer<float> depth_;           // [H,W] or [3,H,W]
  DeviceBuffer<float> block_v_pose_;    // PoseArgs
  DeviceBuffer<double> v_pose_;
};

// The gradient by the background, from the transmittance and the gradient by the picture.
std::array<float, 3> background_gradient(const std::vector<float>& final_t, const std::vector<float>& v_image);

}  // namespace splat::gpu
