// What a trained block gives to the whole: the splats whose centres lie in its cell.
#pragma once

#include "splat/blocks/cells.h"

namespace splat::blocks {

// Those of the cell alone, along a Morton curve: its bytes depend on the block's rows and not on their order, but for
// rows in the same place.
Gaussians owned_part(const Gaussians& trained, const Ground& ground, const Cell& cell);

}  // namespace splat::blocks
