// Undoes what some programs do when they write splats: values stored as a renderer uses them instead of as a trainer
// keeps them, quaternions in another order.
#pragma once

#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"

namespace splat::edit {

struct Repairs {
  bool opacity = false;   // stored as 0..1 (or all as 0..255) instead of its logit; beyond, it is clamped
  bool scale = false;     // stored as standard deviations instead of their logarithms
  bool colour = false;    // stored as 0..1 instead of the coefficient of degree 0
  bool rotation = false;  // stored as x, y, z, w instead of w, x, y, z
  bool any() const { return opacity || scale || colour || rotation; }
};

void repair(Gaussians& model, const Repairs& repairs, ThreadPool& pool);

}  // namespace splat::edit
