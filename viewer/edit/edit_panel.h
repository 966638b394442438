// What the edit mode shows and which keys it has: a panel with every tool and step, its name and its key; the shape
// that is being drawn over the scene.
#pragma once

#include <string>
#include <vector>

#include "viewer/actions/action.h"
#include "viewer/edit/scene_place.h"
#include "viewer/workspace.h"

namespace viewer {

void draw_edit_panel(Workspace& work);        // in the current window
std::string edit_hint(const EditMode& edit);  // what the tool does, for the status line
void draw_edit_shape(const Workspace& work, const ScenePlace& scene);
void edit_step(Workspace& work, EditStep step);
void send_edit(Workspace& work, EditRequest request);  // with what every request says
void set_edit_mode(Workspace& work, bool on);          // on: only where there are splats that can be edited
// A key that the edit mode has; false: it has none for it. Letters upper case, 0: none.
struct EditKey {
  char letter = 0;
  bool del = false, backspace = false, enter = false, escape = false, plus = false, minus = false;
  int bracket = 0;  // -1 '[', 1 ']'
  Modifiers modifiers;
};
bool edit_key(Workspace& work, const EditKey& key);
std::vector<Action> edit_actions(Workspace& work);  // every tool and step; none outside the edit mode

}  // namespace viewer
