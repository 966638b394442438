// The one table of what the window can do. Menus, the list of commands, shortcuts and the key sheet are made from it: a
// new action is a row here. What the edit mode adds is in edit/edit_panel.h.
#pragma once

#include <string_view>
#include <vector>

#include "viewer/actions/action.h"
#include "viewer/workspace.h"

namespace viewer {

std::vector<Action> window_actions(Workspace& work);

// Runs the first possible action of the window that has these keys; false: there is none.
bool run_action_with(Workspace& work, std::string_view keys);

}  // namespace viewer
