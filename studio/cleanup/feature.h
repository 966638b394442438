// Clean-ups in the window: what is proposed comes with the edit mode's panel, and as boxes over the scene.
#pragma once

#include "studio/feature.h"
#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace studio {

class CleanupFeature final : public Feature {
 public:
  explicit CleanupFeature(Workspace& shared);
  void draw_over_scene(const ScenePlace& scene) override;
  void add_state(nlohmann::json& state) const override;
};

}  // namespace studio
