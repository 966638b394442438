// What the window shows of splats when it opens them, for a picture without a window.
#pragma once

#include <array>
#include <optional>

#include "app/jobs/input/splat_input.h"
#include "splat/model/camera.h"

namespace app {

struct FirstLook {
  splat::View view;                 // a square of `side` px
  std::array<float, 3> background;  // [0,1]
};

// From the first photo of the run that the splats belong to, else the whole of them from a little above; none: no splat
// has a finite position.
std::optional<FirstLook> first_look(const SplatInput& input, int side, int threads);

}  // namespace app
