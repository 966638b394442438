// The panels' places: a PanelLayout made of Dear ImGui's dock nodes, and read from them again. What lies beside the
// scene keeps the width or height that it was given; a window too small for that narrows it for as long as it is small.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "viewer/panel_layout.h"
#include "viewer/window/area.h"

struct ImGuiDockNode;

namespace viewer {

class DockLayout {
 public:
  void set(const PanelLayout& layout);  // from the next update() on
  // Once a frame, before begin(): makes `room` the place of all panels and returns what is left to the scene. scale: px
  // per unit of the layout's sizes.
  Area update(const Area& room, float scale);
  // A panel as a window; ImGui::End() follows, whatever it returns. False: nothing of it is seen. open: cleared by its
  // close button; null: it has none.
  bool begin(const std::string& panel, const std::string& title, bool* open);

  bool detached(std::string_view section) const;
  void detach(const std::string& section, const Area& place);  // floating there
  void attach(const std::string& section);                     // back in its column
  PanelLayout layout() const;                                  // as it is now

 private:
  void build();
  void split(unsigned node, const PanelTree& tree);
  void limit(ImGuiDockNode& node);
  bool read(const ImGuiDockNode& node, PanelTree& tree) const;
  std::vector<std::string> panels() const;

  unsigned root_ = 0;
  Area room_;
  float scale_ = 1;
  PanelLayout given_;
  bool due_ = false;                // given_ is to be made
  std::vector<std::string> alone_;  // the sections that are panels by themselves
  std::map<std::string, Area> to_place_;
  struct Size {
    float wanted = 0, set = 0;  // at scale 1; px that ImGui was given
  };
  std::map<unsigned, Size> sizes_;  // by node, of those beside the scene
};

}  // namespace viewer
