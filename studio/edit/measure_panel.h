// What belongs to the measuring tool: its part of the edit mode's panel, and the lines in the picture.
#pragma once

#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"

namespace studio {

void draw_measure_options(Workspace& work);                 // in the current line, in the tools' strip
void draw_measure_panel(Workspace& work);                   // in the current window
bool measure_key(Workspace& work, const std::string& key);  // false: the tool has none for it
void add_measure_actions(Workspace& work, std::vector<Action>& actions);
void draw_measured(const Workspace& work, const ScenePlace& scene);

}  // namespace studio
