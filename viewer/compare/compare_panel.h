// What comparing photos with splats shows: a section in a panel, and two pictures over the scene.
#pragma once

#include "viewer/workspace.h"

namespace viewer {

void draw_comparison(Workspace& work, bool open);  // in the current window; open: unfolded at first
void draw_compared_pictures(Workspace& work);      // in the current window, which covers the scene
void set_compare_mode(Workspace& work, bool on);   // on: only where there are splats and a photo
void compare_next(Workspace& work, int by);        // the photo after the compared one, or before it

}  // namespace viewer
