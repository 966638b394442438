// Editing in the window: the edit mode with its panel, its shapes and handles over the scene, and the questions about
// edits that are not saved.
#pragma once

#include <optional>

#include "studio/edit/messages.h"
#include "studio/feature.h"
#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace studio {

class EditFeature final : public Feature {
 public:
  explicit EditFeature(Workspace& shared);

  void each_frame() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  const char* has_right_column() const override { return work.edits() ? "Edit" : nullptr; }
  void draw_dialogs() override;
  void draw_over_scene(const ScenePlace& scene) override;
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  void add_state(nlohmann::json& state) const override;

 private:
  void take_arrived();
  void take_ground();
  void add_objects(nlohmann::json& state) const;

  std::optional<EditedScene> arrived_;  // of splats that are not received yet
  std::optional<EditsFound> found_;     // whether to restore them
};

}  // namespace studio
