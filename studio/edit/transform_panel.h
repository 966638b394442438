// What belongs to moving, turning and scaling: their part of the edit mode's panel.
#pragma once

#include "studio/window/workspace.h"

namespace viewer {

void draw_transform_panel(Workspace& work);  // in the current window

}  // namespace viewer
