// All features of the window.
#pragma once

#include "studio/window/workspace.h"

namespace studio {

void add_features(Workspace& work);

}  // namespace studio
