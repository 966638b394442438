// The handles over the scene by which splats and the crop box are moved, turned and scaled (ImGuizmo).
#pragma once

#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace studio {

// In every frame of the edit mode, after the scene: draws the handles of the tool that has some, and takes their drags.
void draw_gizmo(Workspace& work, const ScenePlace& scene);

}  // namespace studio
