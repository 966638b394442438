// Where everything in the window goes: menu above, status below, the panels docked around the scene between them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "studio/window/panel_sections.h"
#include "studio/window/viewport.h"
#include "studio/window/workspace.h"
#include "viewer/shell/area.h"
#include "viewer/shell/dock_layout.h"

namespace viewer {

class WindowLayout {
 public:
  explicit WindowLayout(Workspace& work) : work_(work) {}
  void load() { dock_.load(work_.settings.layout, work_.settings.layout_scale); }  // as it was remembered

  void update();  // at the start of a frame: where everything is in it
  void draw(Viewport& viewport, double frame_ms, bool full_screen);
  const Area& scene() const { return scene_; }
  void add_state(nlohmann::json& state) const;

  bool next_panel = false, menus_wanted = false;  // the keyboard is to go there with the next frame

 private:
  void focus_next_panel();
  void focus_menus();
  void reset();
  void draw_column(const char* id, const char* title, const std::vector<PanelSection>& sections, bool seen, bool* open);
  void note();

  Workspace& work_;
  DockLayout dock_;
  Area menu_, status_, scene_;
  bool has_left_ = false, has_right_ = false, has_log_ = false;
};

}  // namespace viewer
