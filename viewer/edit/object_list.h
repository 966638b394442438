// The objects that parts of the splats were separated into: selecting one, and saving it alone.
#pragma once

#include "viewer/workspace.h"

namespace viewer {

void draw_object_list(Workspace& work);  // in the current window; nothing where there is one object

}  // namespace viewer
