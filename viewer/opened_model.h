// What the window needs of a model, computed off the window's thread.
#pragma once

#include "splat/core/parallel.h"
#include "viewer/app_state.h"

namespace viewer {

// Sets everything in `opened` that follows from the splats alone: them, their packed form, centres and radii, bounds
// and histograms. Cost: a few passes over the splats.
void set_model(splat::Gaussians model, splat::ThreadPool& pool, OpenedSplats& opened);

}  // namespace viewer
