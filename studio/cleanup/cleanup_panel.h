// The section of the edit panel that proposes what to clean away.
#pragma once

#include <vector>

#include "studio/window/workspace.h"
#include "viewer/actions/action.h"

namespace studio {

// In the current window. Selects what is proposed once it has arrived, and asks for the effect of another selection.
void draw_cleanup_panel(Workspace& work);
void add_cleanup_actions(Workspace& work, std::vector<Action>& actions);

}  // namespace studio
