// The tools of the edit mode at the edge of the scene: a bar of icons at its left, and above both a strip, always of
// one height, that names the tool and has its options. What has no room there stands at the end of the edit panel.
#pragma once

#include "studio/window/workspace.h"
#include "viewer/shell/area.h"

namespace studio {

struct ToolRoom {
  Area strip, bar;  // ImGui's coordinates
};

// Takes it from the scene. A bar for which that is too low has more columns.
ToolRoom take_tool_room(const Workspace& work, Area& scene);
void draw_tool_bar(Workspace& work);  // in the current window, like those that follow
void draw_tool_strip(Workspace& work);
void draw_tool_details(Workspace& work);  // a section, where the tool has more to say than the strip holds

}  // namespace studio
