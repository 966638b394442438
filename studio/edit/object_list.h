// The objects of the scene that is edited: the file that was opened, those that were added, and parts that were
// separated. Each is shown or not, selected, and saved alone; the one that was clicked last is named, locked and placed
// below the list.
#pragma once

#include "studio/window/workspace.h"

namespace studio {

void draw_object_list(Workspace& work);  // in the current window
// What can be done with the object that was clicked on.
void add_object_actions(Workspace& work, uint32_t object, std::vector<Action>& actions);

}  // namespace studio
