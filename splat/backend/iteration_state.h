// Which call of a backend may follow which, decided here for all of them (backend.h): forward() at any time; pictures
// are read, and loss() or set_image_gradient() called any number of times, after it; backward() once after those, with
// add_surface_loss() before it where it is wanted;
// read_contributions() and read_depth() after forward() and before backward(), which takes the lists of the view;
// read_gradients(), read_pose_gradient() and update() after backward(). update() and row operations require a new
// forward(). Everything else is a bug of the caller (SPLAT_CHECK).
#pragma once

#include "splat/core/check.h"

namespace splat {

class IterationState {
 public:
  void model_changed() { step_ = Step::kNothing; }

  // A forward() that fails leaves nothing to go on with: forward_begins() comes before it touches anything.
  void forward_begins() { step_ = Step::kNothing; }
  void rendered() { step_ = Step::kRendered; }
  void check_picture() const { SPLAT_CHECK(step_ >= Step::kRendered); }
  bool has_lists() const { return step_ == Step::kRendered || step_ == Step::kImageGradient; }
  void check_lists() const { SPLAT_CHECK(has_lists()); }

  void check_before_image_gradient() const { SPLAT_CHECK(step_ == Step::kRendered || step_ == Step::kImageGradient); }
  void has_image_gradient() { step_ = Step::kImageGradient; }
  bool image_gradient_known() const { return step_ >= Step::kImageGradient; }

  void check_before_backward() const { SPLAT_CHECK(step_ == Step::kImageGradient); }
  void has_gradients() { step_ = Step::kGradients; }
  void check_gradients() const { SPLAT_CHECK(step_ == Step::kGradients); }

 private:
  enum class Step { kNothing, kRendered, kImageGradient, kGradients };
  Step step_ = Step::kNothing;
};

}  // namespace splat
