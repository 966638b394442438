// Meshes in the window: the dialog that asks for one, its prediction, the mesh over the splats or by itself, and its
// panel.
#pragma once

#include <filesystem>
#include <optional>

#include "studio/feature.h"
#include "studio/mesh/messages.h"
#include "studio/window/left_alone.h"
#include "studio/window/workspace.h"
#include "viewer/layers/mesh_layer.h"

namespace studio {

class MeshFeature final : public Feature {
 public:
  explicit MeshFeature(Workspace& shared);

  void scene_left(bool same) override;
  void each_frame() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  void draw_dialogs() override;
  Layer* layer() override { return &layer_; }
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  void add_state(nlohmann::json& state) const override;

 private:
  void take(ShownMesh&& made);
  void drop();
  bool can_make() const;  // there are splats, and nothing else is being made
  void want_prediction();
  void ask_open();
  void ask_save();
  void draw_panel();       // mesh_panel.cpp
  void look_rows();        // likewise
  void region_row();       // mesh_dialog.cpp
  void draw_prediction();  // likewise

  std::optional<ShownMesh> mesh_;  // without what is on the graphics card
  MeshLayer layer_;
  MeshRequest request_;  // with which one is to be made
  bool asks_ = false;    // the dialog is open
  struct Considered {
    MeshRequest request;
    uint64_t splats = 0, edits = 0;  // as they are counted
    friend bool operator==(const Considered&, const Considered&) = default;
  };
  LeftAlone<Considered> considered_;  // that the dialog shows
  std::optional<MeshPrediction> prediction_;
};

}  // namespace studio
