// The second walk over a view's lists that Backend::add_surface_loss() is: splats as planes blended in place of their
// colours, and their gradients' moments beside those of the colours. Memory is taken at the first call.
#pragma once

#include "splat/backend/cpu/frame.h"
#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/model_rows.h"
#include "splat/backend/surface_settings.h"
#include "splat/core/parallel.h"

namespace splat::cpu {

// Arguments for the splats that the last forward pass found visible.
PlaneArgs plane_args(const ModelRows& model, const math::ViewParams<float>& view, const Frame& frame);

class SurfacePass {
 public:
  // Blends the planes and takes the gradient of their loss by the picture of them.
  void draw(Frame& frame, BlendArgs blend, PlaneArgs planes, const SurfaceSettings& settings, const Kernels& kernels,
            ThreadPool& pool);
  // After that of the colours, of as many rows.
  void replay(Frame& frame, BlendArgs blend, size_t rows, const Kernels& kernels, ThreadPool& pool);

  void forget() { drawn_ = false; }
  bool drawn() const { return drawn_; }
  bool facing() const { return facing_; }                                      // as drawn
  const float* moments() const { return drawn_ ? moments_.data() : nullptr; }  // as those of the colours
  size_t bytes() const;

 private:
  void swap_colours(Frame& frame, size_t splats, ThreadPool& pool);
  void make_room(const ImageSize& size, const SurfaceSettings& settings);
  void spread_prior(const ImageSize& size, const DepthPrior& prior, ThreadPool& pool);
  SurfaceArgs surface_args(const Frame& frame, const math::ViewParams<float>& view, const SurfaceSettings& settings);

  bool drawn_ = false, facing_ = false;
  size_t splats_ = 0;
  DistortionArgs distortion_;                            // of the last draw()
  AlignedBuffer<float> planes_;                          // [records][kPlaneFloats]
  AlignedBuffer<float> picture_, v_picture_;             // [3][plane]
  AlignedBuffer<float> depths_, by_here_, by_x_, by_y_;  // [plane] with room on both sides
  AlignedBuffer<float> distortion_sums_;                 // [2][plane]
  AlignedBuffer<float> priors_;                          // [plane]
  AlignedBuffer<float> moments_;                         // [rows][kInstanceFloats]
};

}  // namespace splat::cpu
