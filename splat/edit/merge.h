// Several models as one, without holding them twice: memory is taken for the result as its arrays are filled, and given
// back by the models as they are read. Beside the result it needs a few megabytes.
#pragma once

#include <vector>

#include "splat/model/gaussians.h"

namespace splat::edit {

// Rows in the order of the models, at the highest SH degree of all.
Gaussians merge(std::vector<Gaussians> models);

}  // namespace splat::edit
