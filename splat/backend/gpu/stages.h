// The stages that take more than one kernel: kernels, sorts, scans and fills in their order. Enqueued on the target's
// stream; nothing waits, nothing allocates.
#pragma once

#include "splat/backend/gpu/kernel_args.h"

namespace splat::gpu {

// Every tile's splats from front to back; `view.packed` chooses between one sort by tile and depth, and two.
void make_tile_lists(size_t splats, Frame& frame, const DrawnView& view, const Target& target);

// The splats as planes, blended, and the gradient of what makes them a surface by the picture of them.
void add_surface_loss(ModelRows& model, Frame& frame, const DrawnView& view, const SurfaceSettings& settings,
                      const Target& target);

// The adjoint of blending, of colours and, where view.planes, of planes; `ordered`: without float atomics.
void blend_backward_of_view(ModelRows& model, Frame& frame, const DrawnView& view, bool ordered, const Target& target);

}  // namespace splat::gpu
