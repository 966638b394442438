// Where everything in the window goes: menu above, status below, the panels docked around the scene between them, and
// the tools of the edit mode at its edge. A window that fills the screen shows the scene alone until Tab brings the
// panels.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "studio/edit/tool_bar.h"
#include "studio/window/panel_sections.h"
#include "studio/window/viewport.h"
#include "studio/window/workspace.h"
#include "viewer/shell/area.h"
#include "viewer/shell/dock_layout.h"

namespace studio {

class WindowLayout {
 public:
  explicit WindowLayout(Workspace& work) : work_(work) {}
  void load() { dock_.load(work_.settings.layout, work_.settings.layout_scale); }  // as it was remembered

  void update(bool full_screen);  // at the start of a frame: where everything is in it
  void draw(Viewport& viewport, double frame_ms, bool full_screen);
  const Area& scene() const { return scene_; }
  void add_state(nlohmann::json& state) const;

  bool next_panel = false, menus_wanted = false;  // the keyboard is to go there with the next frame

 private:
  void focus_next_panel();
  void focus_menus();
  void reset();
  void draw_tools();
  void draw_status(Viewport& viewport, double frame_ms);
  void draw_column(const char* id, const char* title, const std::vector<PanelSection>& sections, bool seen, bool* open);
  void draw_strips();
  void note();

  Workspace& work_;
  DockLayout dock_;
  Area menu_, status_, scene_;
  float strips_ = 0;  // how high those of features are, under the scene
  ToolRoom tools_;
  bool has_left_ = false, has_right_ = false, has_log_ = false, has_tools_ = false;
  bool alone_ = false;  // the scene, with nothing around it
};

}  // namespace studio
