// A scene in blocks in the window: how far each is, their boxes in the scene, and whose splats are open.
#pragma once

#include <optional>
#include <vector>

#include "studio/blocks/messages.h"
#include "studio/feature.h"
#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"
#include "viewer/layers/lines_layer.h"

namespace viewer {

class BlocksFeature final : public Feature {
 public:
  explicit BlocksFeature(Workspace& shared);

  void each_frame() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  const char* has_right_column() const override { return city_ ? "Blocks" : nullptr; }
  void draw_over_scene(const ScenePlace& scene) override;  // numbers at the boxes
  Layer* layer() override { return &layer_; }
  void add_state(nlohmann::json& state) const override;

 private:
  void draw_panel();  // blocks_panel.cpp, like the next two
  void draw_table();
  void draw_row(int number);
  void open_part(int part) { work.ask(OpenCityPart{city_->path, part}); }
  void remake_boxes();
  bool shows_boxes() const;

  std::optional<CityScene> city_;
  LinesLayer layer_;
  bool boxes_changed_ = false;
  const Palette* boxes_of_ = nullptr;  // the colours that the boxes were made with
};

}  // namespace viewer
