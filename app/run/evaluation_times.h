// When a run looks at photos to say how good it is: decided by counts alone, so that equal runs have the same history
// and equal reports.
#pragma once

#include <cstddef>

namespace app {

// At the usual iterations, and at every tenth of the run, or fewer where that would cost more than a small share of it.
bool evaluation_is_due(int iteration, int iterations, size_t held_out_views);

// How many of the photos trained on are looked at again after so many iterations, at most.
size_t photos_to_fit(int iterations);

}  // namespace app
