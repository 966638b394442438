// What the columns hold: sections in their order, each with how it is drawn, and when there is anything to show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "viewer/workspace.h"

namespace viewer {

struct PanelSection {
  std::string id, title;       // id: of kSections; empty: it stays in its column
  std::function<void()> draw;  // in the current window, under a heading that can be folded
};

std::vector<PanelSection> left_sections(Workspace& work);
std::vector<PanelSection> right_sections(Workspace& work);
const char* right_title(const Workspace& work);  // of the right column, by what is done

}  // namespace viewer
