// Measuring: points that are clicked on the scene, the lengths between them, and what is made of both. The points, and
// how long a unit is, are EditMode::measure.
#pragma once

#include "studio/edit/tool.h"

namespace studio {

class MeasureTool final : public Tool {
 public:
  MeasureTool();

  bool take_pointer(Workspace& work, const InputEvent& event, double scale) override;
  void picked(Workspace& work, const PickedPoint& found) override;
  bool take_keys(Workspace& work, const std::string& keys) override;
  void add_actions(Workspace& work, std::vector<Action>& actions) override;
  void draw_strip(Workspace& work) override;
  float panel_rows(const Workspace&) const override { return 6; }
  void draw_panel(Workspace& work) override;
  void draw_over_scene(Workspace& work, const ScenePlace& scene) override;
  void add_state(const Workspace& work, nlohmann::json& state) const override;
};

}  // namespace studio
