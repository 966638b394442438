// The handles over the scene by which splats and the crop box are moved, turned and scaled (ImGuizmo).
#pragma once

#include <array>

#include "studio/edit/transform_tool.h"
#include "studio/window/scene_place.h"

namespace studio {

// What is to be dragged, and by which handles.
struct Handles {
  TransformKind kind = TransformKind::kMove;
  std::array<double, 3> from{}, at{};  // where its middle stood when the drag began, and stands now
  double size = 0;                     // world units
  bool dragging = false;               // else a handle that is held is let go
  bool enabled = true;
};

enum class HandleEvent { kNone, kDragged, kReleased };

// In every frame, after the scene: draws them and takes their drags; `by`: what these have come to.
HandleEvent take_handles(Workspace& work, const ScenePlace& scene, const Handles& handles, splat::Similarity& by);

}  // namespace studio
