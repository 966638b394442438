// What the photos of a scene say about each of its splats, for cleaning up: every view is drawn to see which splats
// show and where the surface is, and differentiated. With r the picture's difference to the photo and d what a splat
// adds to a pixel, taking the splat out lowers the sum of squares by 2 r.d - d.d exactly (blending is linear in
// opacity; only alpha's cut-offs bend that). r.d is opacity times the gradient by opacity. d.d is how much less that
// becomes once the splat's opacity is halved: the difference to the photo is then r - d/2.
// One photo that fits far worse than the others (blurred, moved, under another light) would outweigh them all: what
// they show well would go for the one that it never fits. Hence a second sum in which it weighs no more than the median
// photo. Memory: a second model. Deterministic on a deterministic backend.
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
  std::vector<uint32_t> in_front;   // [N] views in whose picture it lies and is not hidden by the surface; of those,
  std::vector<uint32_t> far_front;  // [N] where it lies far before the surface
  std::vector<double> excess;       // [N] r.d, mean over the values of a photo, summed over the views
  std::vector<double> own_squares;  // [N] d.d in the same way; 0 until it is measured
  std::vector<double> fair_excess, fair_own_squares;  // [N] the same with the views' weights
  std::vector<double> weights;  // of the views, at most 1: the median photo's squared error over its own

  // By how much the photos' squared errors would shrink without it; negative: would grow.
  double gain(size_t row) const { return 2 * excess[row] - own_squares[row]; }
  double fair_gain(size_t row) const { return 2 * fair_excess[row] - fair_own_squares[row]; }
  // The share of it that the photos would take away: 0 where it fits, 1 for what should not be there.
  double surplus(size_t row) const { return own_squares[row] > 0 ? excess[row] / own_squares[row] : 0; }
  double fair_surplus(size_t row) const {
    return fair_own_squares[row] > 0 ? fair_excess[row] / fair_own_squares[row] : 0;
  }
  // Share of the views that look through where it lies.
  double floating(size_t row) const { return far_front[row] / (in_front[row] + 1.0); }
};

struct CleanInputs {
  Backend& backend;
  const Dataset& dataset;
  ImageSource& images;
  std::span<const int> views;                             // of the dataset; held-out ones must not be among them
  RenderSettings render;                                  // background and antialias as trained
  std::function<bool(size_t drawn, size_t of)> going_on;  // after each view of a round; false: stop, which is an error
};

// Both replace what the backend holds. An error where a photo cannot be decoded. Cost: two forwards and a
// backward a view; one of each.
Result<Evidence> gather(const CleanInputs& inputs, const Gaussians& model);
// The own_squares of these rows. Of those that lie before each other it is d times what all of them add: gain() then
// says what each adds to the going of all.
Status measure_own_squares(const CleanInputs& inputs, const Gaussians& model, std::span<const uint32_t> rows,
                           Evidence& evidence);

}  // namespace splat::clean
