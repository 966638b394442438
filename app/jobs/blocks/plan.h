// hipsplat blocks plan: a coarse model of the whole scene (the scaffold), cells, and which photos each block is trained
// on.
#pragma once

#include "app/jobs/blocks/city.h"
#include "app/jobs/blocks/watch.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"

namespace app {

// Makes options.output a city, or goes on with one of the same dataset and settings that was interrupted; a complete
// one is left as it is. The scaffold is trained by the usual trainer on photos of a quarter of the size.
Outcome plan_city(const Options& options, City& city, const BlocksWatch& watch = {});

// Predicts the plan from the cameras alone, without training a scaffold: City::blocks and both numbers of iterations.
// Writes nothing. Cost: one header read per photo.
Outcome forecast_city(const Options& options, City& city);

}  // namespace app
