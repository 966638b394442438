// hs_splats, and the engine's own arrays.
#pragma once

#include <cstddef>

#include "include/hipsplat.h"
#include "splat/model/gaussians.h"

namespace library {

// The caller's splats, every field of which makes sense.
hs_splats checked_splats(const hs_splats* given);

// hs_splats::low_pass, px^2, and what it is for a file's.
float low_pass_of(const hs_splats& splats);
double low_pass_field(float px2);

// Rows [first, first + count) of checked splats.
void copy_rows(const hs_splats& splats, size_t first, size_t count, splat::Gaussians& rows);

}  // namespace library
