// Films along a path: --render --path. The next picture is drawn while the one before is written or encoded.
#pragma once

#include "app/console/outcome.h"
#include "app/options/tasks.h"

namespace app {

Outcome make_film(const RenderTask& task);

}  // namespace app
