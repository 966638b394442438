// What belongs to moving, turning and scaling: their part of the tools' strip.
#pragma once

#include "studio/window/workspace.h"

namespace studio {

void draw_transform_options(Workspace& work);  // in the current line

}  // namespace studio
