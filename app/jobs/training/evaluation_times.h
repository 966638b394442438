// When a run looks at photos to say how good it is: decided by counts alone, so that equal runs have the same history
// and equal reports.
#pragma once

#include <cstddef>

namespace app {

// At the usual iterations, and at every tenth of the run, or fewer where that would cost more than a small share of it.
bool evaluation_is_due(int iteration, int iterations, size_t held_out_views);

// The most of the photos trained on that are looked at again after that number of iterations.
size_t photos_to_fit(int iterations);

}  // namespace app
