// The tools that draw a shape in the picture and select what lies in it. Shift adds, Ctrl removes, both intersect.
#pragma once

#include <memory>
#include <vector>

#include "studio/edit/tool.h"

namespace studio {

std::vector<std::unique_ptr<Tool>> shape_tools();

}  // namespace studio
