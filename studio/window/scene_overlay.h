// What lies over the scene in its upper right corner: buttons for the mode of navigation and the view, and the world's
// axes, of which a click on one looks along it.
#pragma once

#include <array>

#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace viewer {

// The corner of the scene, ImGui's coordinates, and the width that there is. Without the buttons where that is little.
void draw_scene_overlay(Workspace& work, float right, float top, float width, bool full_screen);

// How far apart the lines of the grid are, in its lower left corner; nothing where there is no grid.
void draw_grid_label(const Workspace& work, float left, float bottom);

// A dataset before its training: what is outside of the photo, px of the scene (Viewport::photo_frame()), is dimmed.
void dim_around_photo(const Workspace& work, const ScenePlace& scene, const std::array<float, 4>& photo);

}  // namespace viewer
