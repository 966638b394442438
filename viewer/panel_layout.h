// Where the panels of the window are: a tree of splits around the scene, and panels that float over it. Plain values,
// as they are kept between two starts; viewer/window/dock_layout.h makes them Dear ImGui's.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viewer {

// Two columns of sections and the log; they are always somewhere in the tree. A section is in the column that it
// belongs to, or a panel by itself.
inline constexpr std::string_view kColumns[] = {"left", "right", "log"};
inline constexpr std::string_view kSections[] = {"mesh",   "photos",     "comparison", "display",
                                                 "camera", "histograms", "curves"};

struct PanelTree {
  bool scene = false;               // a leaf: the scene itself
  std::vector<std::string> panels;  // a leaf: as tabs, in their order
  std::string in_front;             // the one of several tabs that is; empty: any of them
  std::vector<PanelTree> parts;     // two, beside each other or, with `stacked`, above each other; none: a leaf
  bool stacked = false;
  // Size along the split above it: px at scale 1 if the other part holds the scene, else its share, 0..1.
  float size = 0;

  friend bool operator==(const PanelTree&, const PanelTree&) = default;
};

struct FloatingPanel {
  std::string panel;
  float x = 0, y = 0, width = 0, height = 0;  // px at scale 1, from the window's left top

  friend bool operator==(const FloatingPanel&, const FloatingPanel&) = default;
};

struct PanelLayout {
  PanelTree docked;  // holds the scene once
  std::vector<FloatingPanel> floating;

  friend bool operator==(const PanelLayout&, const PanelLayout&) = default;
};

struct UsualSizes {
  float left = 300, right = 360, log = 200;  // px at scale 1: widths, and the height of the log
};
PanelLayout usual_layout(const UsualSizes& sizes);  // left, scene above log, right
// The sizes of a layout that has the usual shape; none: it has another one.
std::optional<UsualSizes> usual_sizes(const PanelLayout& layout);

bool is_section(std::string_view panel);
bool holds(const PanelTree& tree, std::string_view panel);
bool has_scene(const PanelTree& tree);

std::string layout_text(const PanelLayout& layout);  // JSON
// None: the text is no layout, or one in which the scene or a column is missing, or a panel there twice.
std::optional<PanelLayout> layout_from_text(const std::string& text);

}  // namespace viewer
