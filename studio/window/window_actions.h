// The one table of what the window can do. Menus, the list of commands, shortcuts and the key sheet are made from it: a
// new action is a row here, or of its feature (Feature::add_actions).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studio/window/workspace.h"
#include "viewer/actions/action.h"

namespace studio {

std::vector<Action> window_actions(Workspace& work);  // those of menus, in their order
std::vector<Action> all_actions(Workspace& work);     // and those that no menu lists: tools, steps of editing
// One row of a feature, for a button elsewhere; none: there is none. Makes no more than the features' rows of that
// menu.
std::optional<Action> feature_action(Workspace& work, const std::string& menu, std::string_view name);

// Runs the first possible action of the window that has these keys; false: there is none.
bool run_action_with(Workspace& work, std::string_view keys);

}  // namespace studio
