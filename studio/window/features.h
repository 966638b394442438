// All features of the window.
#pragma once

#include "studio/window/workspace.h"

namespace viewer {

void add_features(Workspace& work);

}  // namespace viewer
