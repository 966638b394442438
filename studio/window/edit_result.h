// From a run to the editing of what it came to.
#pragma once

#include "studio/window/workspace.h"

namespace studio {

// The splats of a run that has come to its end are its file's from now on, seen as before: edits begin.
void edit_result(Workspace& work);
bool edit_is_wanted(Workspace& work);  // once, where the splats are there that edit_result() has opened

}  // namespace studio
