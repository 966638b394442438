#include "viewer/panel_layout.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace viewer {
namespace {

using nlohmann::json;

constexpr int kDeepest = 8;           // splits inside each other
constexpr float kMostUnits = 20'000;  // px at scale 1, of any side
constexpr size_t kLongestText = 1 << 16;

PanelTree leaf(std::string_view panel, float size) {
  PanelTree tree;
  tree.panels = {std::string(panel)};
  tree.size = size;
  return tree;
}

PanelTree split(bool stacked, PanelTree first, PanelTree second, float size = 0) {
  PanelTree tree;
  tree.stacked = stacked;
  tree.size = size;
  tree.parts.push_back(std::move(first));
  tree.parts.push_back(std::move(second));
  return tree;
}

bool same_shape(const PanelTree& a, const PanelTree& b) {
  return a.scene == b.scene && a.panels == b.panels && a.stacked == b.stacked &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_shape);
}

json to_json(const PanelTree& tree) {
  json out = json::object();
  if (tree.size > 0) out["size"] = tree.size;
  if (tree.scene) out["scene"] = true;
  if (!tree.panels.empty()) out["panels"] = tree.panels;
  if (!tree.in_front.empty()) out["in_front"] = tree.in_front;
  if (tree.parts.empty()) return out;
  json& parts = out[tree.stacked ? "stacked" : "beside"] = json::array();
  for (const PanelTree& part : tree.parts) parts.push_back(to_json(part));
  return out;
}

// What is read so far: which panels, and whether the scene was there.
struct Seen {
  std::set<std::string> panels;
  bool scene = false;
};

bool is_panel(std::string_view name) {
  return is_section(name) || std::find(std::begin(kColumns), std::end(kColumns), name) != std::end(kColumns);
}

bool take_panel(const json& name, Seen& seen) {
  return name.is_string() && is_panel(name.get<std::string>()) && seen.panels.insert(name.get<std::string>()).second;
}

std::optional<float> number_in(const json& object, const char* name, float lowest, float highest) {
  if (!object.contains(name) || !object[name].is_number()) return std::nullopt;
  const double value = object[name].get<double>();
  if (!(value >= lowest && value <= highest)) return std::nullopt;
  return float(value);
}

std::optional<PanelTree> tree_from(const json& read, Seen& seen, int depth) {
  if (!read.is_object() || depth > kDeepest) return std::nullopt;
  PanelTree tree;
  if (read.contains("size")) {
    const auto size = number_in(read, "size", 0, kMostUnits);
    if (!size) return std::nullopt;
    tree.size = *size;
  }
  tree.stacked = read.contains("stacked");
  if (tree.stacked || read.contains("beside")) {
    const json& parts = read[tree.stacked ? "stacked" : "beside"];
    if (!parts.is_array() || parts.size() != 2) return std::nullopt;
    for (const json& one : parts) {
      auto part = tree_from(one, seen, depth + 1);
      if (!part) return std::nullopt;
      tree.parts.push_back(std::move(*part));
    }
    return tree;
  }
  if (read.contains("scene")) {
    if (std::exchange(seen.scene, true)) return std::nullopt;
    tree.scene = true;
    return tree;
  }
  if (!read.contains("panels") || !read["panels"].is_array() || read["panels"].empty()) return std::nullopt;
  for (const json& name : read["panels"]) {
    if (!take_panel(name, seen)) return std::nullopt;
    tree.panels.push_back(name.get<std::string>());
  }
  if (read.contains("in_front") && read["in_front"].is_string() && holds(tree, read["in_front"].get<std::string>()))
    tree.in_front = read["in_front"].get<std::string>();
  return tree;
}

std::optional<FloatingPanel> floating_from(const json& read, Seen& seen) {
  if (!read.is_object() || !read.contains("panel") || !take_panel(read["panel"], seen)) return std::nullopt;
  const auto x = number_in(read, "x", -kMostUnits, kMostUnits), y = number_in(read, "y", -kMostUnits, kMostUnits);
  const auto width = number_in(read, "width", 1, kMostUnits), height = number_in(read, "height", 1, kMostUnits);
  if (!x || !y || !width || !height) return std::nullopt;
  return FloatingPanel{read["panel"].get<std::string>(), *x, *y, *width, *height};
}

}  // namespace

PanelLayout usual_layout(const UsualSizes& sizes) {
  PanelTree scene;
  scene.scene = true;
  PanelTree middle = split(true, std::move(scene), leaf("log", sizes.log));
  PanelTree rest = split(false, std::move(middle), leaf("right", sizes.right));
  return {split(false, leaf("left", sizes.left), std::move(rest)), {}};
}

std::optional<UsualSizes> usual_sizes(const PanelLayout& layout) {
  if (!layout.floating.empty() || !same_shape(layout.docked, usual_layout({}).docked)) return std::nullopt;
  const PanelTree& rest = layout.docked.parts[1];
  return UsualSizes{layout.docked.parts[0].size, rest.parts[1].size, rest.parts[0].parts[1].size};
}

bool is_section(std::string_view panel) {
  return std::find(std::begin(kSections), std::end(kSections), panel) != std::end(kSections);
}

bool holds(const PanelTree& tree, std::string_view panel) {
  return std::find(tree.panels.begin(), tree.panels.end(), panel) != tree.panels.end() ||
         std::any_of(tree.parts.begin(), tree.parts.end(), [&](const PanelTree& part) { return holds(part, panel); });
}

bool has_scene(const PanelTree& tree) {
  return tree.scene || std::any_of(tree.parts.begin(), tree.parts.end(), has_scene);
}

std::string layout_text(const PanelLayout& layout) {
  json out = {{"docked", to_json(layout.docked)}};
  if (!layout.floating.empty()) out["floating"] = json::array();
  for (const FloatingPanel& f : layout.floating)
    out["floating"].push_back({{"panel", f.panel}, {"x", f.x}, {"y", f.y}, {"width", f.width}, {"height", f.height}});
  return out.dump();
}

std::optional<PanelLayout> layout_from_text(const std::string& text) {
  if (text.size() > kLongestText) return std::nullopt;
  const json read = json::parse(text, nullptr, false);
  if (!read.is_object() || !read.contains("docked")) return std::nullopt;
  PanelLayout layout;
  Seen seen;
  auto docked = tree_from(read["docked"], seen, 0);
  if (!docked || !seen.scene) return std::nullopt;
  layout.docked = std::move(*docked);
  if (read.contains("floating")) {
    if (!read["floating"].is_array()) return std::nullopt;
    for (const json& one : read["floating"]) {
      const auto panel = floating_from(one, seen);
      if (!panel) return std::nullopt;
      layout.floating.push_back(*panel);
    }
  }
  for (const std::string_view column : kColumns)
    if (!seen.panels.contains(std::string(column))) return std::nullopt;
  return layout;
}

}  // namespace viewer
