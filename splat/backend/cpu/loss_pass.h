// The loss of a picture against its photo and its gradient by the picture, in strips on all threads. Keeps its sums and
// scratch memory. Every row is computed alike and added up in order, whichever thread has it.
#pragma once

#include <array>

#include "splat/backend/backend.h"
#include "splat/backend/cpu/frame.h"
#include "splat/backend/cpu/kernels.h"
#include "splat/core/parallel.h"

namespace splat::cpu {

class LossPass {
 public:
  // Writes frame.v_image. background: of the picture.
  LossValue run(Frame& frame, const std::array<float, 3>& background, const TrainingImage& target,
                const LossSettings& settings, const Kernels& kernels, ThreadPool& pool);
  size_t bytes() const { return scratch_.bytes() + row_l1_.bytes() + row_ssim_.bytes() + row_v_colour_.bytes(); }

 private:
  AlignedBuffer<float> scratch_;             // [threads][...]
  AlignedBuffer<double> row_l1_, row_ssim_;  // [3][height]
  AlignedBuffer<math::ChannelColour<double>> row_v_colour_;
};

}  // namespace splat::cpu
