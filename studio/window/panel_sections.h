// What the columns hold: the window's own sections and those of the features, in their order.
#pragma once

#include <string>
#include <vector>

#include "studio/feature.h"
#include "studio/window/workspace.h"

namespace studio {

std::vector<PanelSection> left_sections(Workspace& work);
std::vector<PanelSection> right_sections(Workspace& work);
const Feature* owner_of_right(const Workspace& work);  // that has the right column to itself now; null: none
const char* right_title(const Workspace& work);        // by what is done

}  // namespace studio
