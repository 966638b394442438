// L1 + D-SSIM of a picture against a target, and its gradient, in double. Semantics of masks: LossSettings in
// backend.h.
#pragma once

#include <array>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/backend/reference/reference_render.h"

namespace splat::reference {

struct ImageLoss {
  LossValue value;
  std::vector<math::Vec3<double>> v_image;  // [H,W]
};

ImageLoss image_loss(const Picture& picture, const TrainingImage& target, const LossSettings& settings,
                     const std::array<float, 3>& background = {0, 0, 0});  // that the picture was drawn with

}  // namespace splat::reference
