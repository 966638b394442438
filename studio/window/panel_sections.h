// What the columns hold: the window's own sections and those of the features, in their order.
#pragma once

#include <string>
#include <vector>

#include "studio/feature.h"
#include "studio/window/workspace.h"

namespace viewer {

std::vector<PanelSection> left_sections(Workspace& work);
std::vector<PanelSection> right_sections(Workspace& work);
std::string right_title(const Workspace& work);  // of the right column, by what is done

}  // namespace viewer
