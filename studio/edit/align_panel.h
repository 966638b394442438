// What belongs to laying one object on another: its part of the edit mode's panel, and its points over the scene.
#pragma once

#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"

namespace studio {

void draw_align_options(Workspace& work);  // in the current line, in the tools' strip
void draw_align_panel(Workspace& work);    // in the current window
bool align_key(Workspace& work,
               const std::string& key);  // that is none of its actions'; false: the tool has none for it
void add_align_actions(Workspace& work, std::vector<Action>& actions);
void draw_aligned_points(const Workspace& work, const ScenePlace& scene);

}  // namespace studio
