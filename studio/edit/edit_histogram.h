// The histogram of the edit mode: of one value of the splats, with what is selected in it; dragging over it selects.
#pragma once

#include "studio/window/workspace.h"

namespace studio {

void draw_edit_histogram(Workspace& work);  // in the current window

}  // namespace studio
