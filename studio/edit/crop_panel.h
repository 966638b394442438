// What belongs to the crop box: its part of the edit mode's panel, its numbers, its actions, and its edges over the
// scene.
#pragma once

#include <vector>

#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"

namespace studio {

void draw_crop_options(Workspace& work);  // in the current line, in the tools' strip
void draw_crop_panel(Workspace& work);    // in the current window; without what that strip has, where there is one
void draw_crop_numbers(Workspace& work);  // likewise: middle, sides and turn
void draw_crop_box(const Workspace& work, const ScenePlace& scene);
// Once a frame: what follows the box when it has changed.
void follow_crop_box(Workspace& work);

void ask_save_box(Workspace& work);
void begin_crop_box(Workspace& work);  // where there is none yet: the one used last, else around the scene
void add_crop_actions(Workspace& work, std::vector<Action>& actions);

}  // namespace studio
