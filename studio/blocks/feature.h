// A scene in blocks in the window: the plan of one, how far each is, their boxes in the scene, and whose splats are
// open.
#pragma once

#include <optional>
#include <vector>

#include "studio/blocks/messages.h"
#include "studio/blocks/plan_dialog.h"
#include "studio/feature.h"
#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"
#include "viewer/layers/lines_layer.h"

namespace studio {

class BlocksFeature final : public Feature {
 public:
  explicit BlocksFeature(Workspace& shared);

  void each_frame() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  const char* has_right_column() const override { return city_ ? "Blocks" : nullptr; }
  void draw_over_scene(const ScenePlace& scene) override;  // numbers at the boxes
  void draw_dialogs() override { plan_.draw(); }
  Layer* layer() override { return &layer_; }
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  bool trains() const override { return city_ && city_->work != CityWork::kNone; }
  void add_state(nlohmann::json& state) const override;

 private:
  void take(CityScene&& city);
  void copy_command();
  void draw_panel();  // blocks_panel.cpp, like the next five
  void draw_table();
  void draw_row(int number, int columns);
  void draw_work();
  void draw_shown();
  const char* next_step() const;  // what Start does now, in a word; null: nothing is left
  void start() { work.ask(StartBlocks{city_->path, work.choices.device}); }
  void open_part(int part);  // in place of the splats that are open
  void remake_boxes();
  bool shows_boxes() const;

  PlanDialog plan_{work};
  std::optional<CityScene> city_;
  LinesLayer layer_;
  bool boxes_changed_ = false;
  uint64_t merges_ = 0;                // of this window, whose whole was shown
  const Palette* boxes_of_ = nullptr;  // the colours that the boxes were made with
};

}  // namespace studio
