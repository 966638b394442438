// What lies over the scene in its upper right corner: buttons for the mode of navigation and the view, and the world's
// axes, of which a click on one looks along it.
#pragma once

#include <array>

#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"
#include "viewer/shell/area.h"

namespace studio {

// The corner of the scene, ImGui's coordinates, and the width that there is: where that is little, buttons are smaller.
void draw_scene_overlay(Workspace& work, float right, float top, float width, bool full_screen);

// In the lower right corner: whether keys and drags view or edit, and the way to the other; while editing, a frame
// around the scene.
void draw_scene_mode(Workspace& work, const Area& scene);

// How far apart the lines of the grid are, in its lower left corner; nothing where there is no grid.
void draw_grid_label(const Workspace& work, float left, float bottom);

// How hidden panels come back, above the middle of the scene's lower edge; for a few seconds from when they were
// hidden.
void draw_hidden_hint(Workspace& work, float middle, float bottom, bool full_screen);

// A dataset before its training: what is outside of the photo, px of the scene (Viewport::photo_frame()), is dimmed.
void dim_around_photo(const Workspace& work, const ScenePlace& scene, const std::array<float, 4>& photo);

}  // namespace studio
