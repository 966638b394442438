// Row operations in place, all arrays of a model together: beside the model they need a few bytes a row at most, so
// that files that fill half the memory can be edited.
#pragma once

#include <cstdint>
#include <span>

#include "splat/model/gaussians.h"

namespace splat::edit {

void keep_rows(Gaussians& model, std::span<const uint8_t> keep);       // [N] rows with 1 stay, in their order
void reorder_rows(Gaussians& model, std::span<const uint32_t> order);  // [N] a permutation; row order[i] becomes row i
void reduce_sh_degree(Gaussians& model, int degree);                   // bands above are dropped
void raise_sh_degree(Gaussians& model, int degree);                    // by bands of zeros

}  // namespace splat::edit
