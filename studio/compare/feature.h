// Photos beside the splats in the window: a section with the figures of all photos, and two pictures over the scene.
#pragma once

#include <optional>
#include <vector>

#include "studio/compare/compare_mode.h"
#include "studio/feature.h"
#include "studio/window/workspace.h"

namespace viewer {
struct PicturePlace;
}

namespace studio {

class CompareFeature final : public Feature {
 public:
  explicit CompareFeature(Workspace& shared);

  void scene_left(bool same) override;
  void scene_opened() override { mode_.choose(work.received.cameras()); }
  void photos_changed() override;
  void run_began() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  bool covers_scene() const override { return mode_.on; }
  void draw_in_place_of_scene() override;
  const char* covering_hint() const override {
    return "drag the border; [ and ] step through the photos; K or Escape closes";
  }
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  std::string figures_of_photo(int view) const override;
  void escape() override { mode_.on = false; }
  void add_state(nlohmann::json& state) const override;

 private:
  void take(Comparison&& arrived);
  bool can_compare() const;
  bool may_show() const { return can_compare() && (mode_.on || !work.scene_covered()); }  // nothing else is there
  void set_on(bool on);  // on: only where there are splats and a photo
  void choose(int view);
  void next(int by);  // the photo after the compared one, or before it
  void request(std::optional<int> view);

  void draw_section(bool open);  // compare_panel.cpp, like those that follow; open: unfolded at first
  void view_row();
  void measure_button();
  void use_cell(int view);
  void train_on_button();
  void table_rows(PhotoOrder order, bool descending);
  void table();

  void tool_row();  // compared_pictures.cpp, like those that follow
  void pictures();
  void draw_wipe(const PicturePlace& place);
  PictureTexture& texture_of(ComparedPicture picture);
  std::string figures() const;
  void name_and_figures();

  CompareMode mode_;
  std::optional<Comparison> comparison_;  // its pictures are in the three textures
  PictureTexture render_, photo_, error_, difference_;
};

}  // namespace studio
