// What the photos of a scene say about each of its splats, for cleaning up: every view is drawn to see which splats
// show and where the surface is, and differentiated 1 + kProbes times. With r the picture's difference to the photo and
// d what a splat adds to a pixel, taking the splat out lowers the sum of squares by 2 r.d - d.d exactly (blending is
// linear in opacity; only alpha's upper cut-off bends that). r.d is opacity times the gradient by opacity; d.d comes
// from the gradient of a picture of random signs, whose square has that mean (Hutchinson's estimator).
// A photo that fits worse than the median one (blurred, moved, under another light) counts less, so that its squares
// weigh no more than the median's: else what all others show well would go for the one that it never fits. Memory: a
// second model. Deterministic on a deterministic backend.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace splat::clean {

struct Evidence {
  std::vector<uint32_t> views;      // [N] in which it is blended
  std::vector<float> max_weight;    // [N] largest blending weight in any view
  std::vector<float> nearness;      // [N] least depth over the view's median depth, of those views; infinite: none
  std::vector<uint32_t> in_front;   // [N] views in whose picture it lies and is not hidden by the surface; of those,
  std::vector<uint32_t> far_front;  // [N] where it lies far before the surface
  std::vector<double> excess;       // [N] r.d, mean over the values of a photo, summed over the views by their weights
  std::vector<double> own_squares;  // [N] d.d in the same way (estimated)

  // By how much the photos' squared errors would shrink without it; negative: would grow.
  double gain(size_t row) const { return 2 * excess[row] - own_squares[row]; }
  // The share of it that the photos would take away: 0 where it fits, 1 for what should not be there.
  double surplus(size_t row) const { return own_squares[row] > 0 ? excess[row] / own_squares[row] : 0; }
  // Share of the views that look through where it lies.
  double floating(size_t row) const { return far_front[row] / (in_front[row] + 1.0); }
};

struct CleanInputs {
  Backend& backend;
  const Dataset& dataset;
  ImageSource& images;
  std::span<const int> views;                               // of the dataset; held-out ones must not be among them
  RenderSettings render;                                    // background and antialias as trained
  std::function<bool(size_t view, size_t views)> going_on;  // after each; false: stop, which is an error
};

// Of the model that the backend holds, which `model` is a copy of. An error where a photo cannot be decoded.
Result<Evidence> gather(const CleanInputs& inputs, const Gaussians& model);

}  // namespace splat::clean
