// What the edit mode shows and which keys it has: a panel with every tool and step, its name and its key; the shape
// that is being drawn over the scene.
#pragma once

#include <string>
#include <vector>

#include "studio/edit/send_edit.h"
#include "studio/window/scene_place.h"

namespace studio {

void draw_edit_panel(Workspace& work);            // in the current window
void draw_history(Workspace& work);               // in the current window
std::string step_text(const EditStepDone& step);  // "delete: 454 splats"
void draw_edit_over_scene(Workspace& work, const ScenePlace& scene);
void set_edit_mode(Workspace& work, bool on);  // on: only where there are splats that can be edited
// The mouse over the scene, and the keys' pointer; true: it is a tool's, and not the camera's.
bool edit_pointer(Workspace& work, const InputEvent& event, double scale);
bool edit_key(Workspace& work, const std::string& keys);  // as keys_of() has them; false: the edit mode has none for it
std::vector<Action> edit_actions(Workspace& work);        // every tool and step; none outside the edit mode

}  // namespace studio
