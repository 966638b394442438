#include "viewer/window/dock_layout.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kLeftShare = 0.26f, kRightShare = 0.32f, kStackedShare = 0.4f;  // of the room, at most
constexpr float kNarrowest = 200, kLowest = 60;                                 // px at scale 1
constexpr float kNominal = 4096;  // px: of the room while it is split, so that no part is too small for that
// Tabs have a button to close them; another one for all of them would be one too many.
constexpr ImGuiDockNodeFlags kFlags = int(ImGuiDockNodeFlags_PassthruCentralNode) |
                                      int(ImGuiDockNodeFlags_NoDockingOverCentralNode) |
                                      int(ImGuiDockNodeFlags_NoCloseButton);

std::string name_of(const std::string& panel, const std::string& title) { return title + "###" + panel; }

ImGuiWindow* window_of(const std::string& panel) { return ImGui::FindWindowByName(name_of(panel, "").c_str()); }

// As ImGui makes it of the window's name, also before there is such a window.
ImGuiID tab_id_of(const std::string& panel) { return ImHashStr("#TAB", 0, ImHashStr(name_of(panel, "").c_str())); }

bool is_central(const ImGuiDockNode& node) {
  return node.IsCentralNode() ||
         (node.IsSplitNode() && (is_central(*node.ChildNodes[0]) || is_central(*node.ChildNodes[1])));
}

// Also of a panel that is not shown at present; 0: it floats by itself.
ImGuiID node_id_of(const std::string& panel) {
  if (const ImGuiWindow* window = window_of(panel)) return window->DockId;
  const ImGuiWindowSettings* settings = ImGui::FindWindowSettingsByID(ImHashStr(name_of(panel, "").c_str()));
  return settings ? settings->DockId : 0;
}

const ImGuiDockNode* root_of(const ImGuiDockNode* node) {
  while (node && node->ParentNode) node = node->ParentNode;
  return node;
}

}  // namespace

void DockLayout::set(const PanelLayout& layout) {
  given_ = layout;
  due_ = true;
  alone_.clear();
  for (const std::string_view section : kSections) {
    const bool floats = std::any_of(layout.floating.begin(), layout.floating.end(),
                                    [&](const FloatingPanel& f) { return f.panel == section; });
    if (floats || holds(layout.docked, section)) alone_.emplace_back(section);
  }
}

std::vector<std::string> DockLayout::panels() const {
  std::vector<std::string> all(std::begin(kColumns), std::end(kColumns));
  all.insert(all.end(), alone_.begin(), alone_.end());
  return all;
}

Area DockLayout::update(const Area& room, float scale) {
  room_ = room;
  scale_ = scale;
  ImGui::SetNextWindowPos({room.x, room.y});
  ImGui::SetNextWindowSize({room.width, room.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("##dock", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(3);
  root_ = ImGui::GetID("panels");
  if (due_) build();
  if (ImGuiDockNode* root = ImGui::DockBuilderGetNode(root_)) limit(*root);
  ImGui::DockSpace(root_, {0, 0}, kFlags);
  ImGui::End();
  const ImGuiDockNode* scene = ImGui::DockBuilderGetCentralNode(root_);
  if (!scene) return room;
  return {scene->Pos.x, scene->Pos.y, std::max(scene->Size.x, 1.0f), std::max(scene->Size.y, 1.0f)};
}

void DockLayout::build() {
  due_ = false;
  sizes_.clear();
  for (const std::string& panel : panels()) ImGui::DockBuilderDockWindow(name_of(panel, "").c_str(), 0);
  ImGui::DockBuilderRemoveNode(root_);
  ImGui::DockBuilderAddNode(root_, kFlags | ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(root_, {kNominal, kNominal});
  split(root_, given_.docked);
  ImGui::DockBuilderFinish(root_);
  for (const FloatingPanel& f : given_.floating)
    to_place_[f.panel] = {f.x * scale_, f.y * scale_, f.width * scale_, f.height * scale_};
}

void DockLayout::split(unsigned node, const PanelTree& tree) {
  if (tree.parts.empty()) {
    for (const std::string& panel : tree.panels) ImGui::DockBuilderDockWindow(name_of(panel, "").c_str(), node);
    if (!tree.in_front.empty()) ImGui::DockBuilderGetNode(node)->SelectedTabId = tab_id_of(tree.in_front);
    return;
  }
  // ImGui cuts the first or last part off, and the rest stays the scene's.
  const bool first = !has_scene(tree.parts[0]), beside_scene = has_scene(tree);
  const PanelTree& cut = tree.parts[first ? 0 : 1];
  const ImGuiDir side = tree.stacked ? (first ? ImGuiDir_Up : ImGuiDir_Down) : (first ? ImGuiDir_Left : ImGuiDir_Right);
  const float share = beside_scene ? 0.25f : std::clamp(cut.size, 0.05f, 0.95f);
  ImGuiID at = 0, rest = 0;
  ImGui::DockBuilderSplitNode(node, side, share, &at, &rest);
  if (beside_scene) sizes_[at] = {cut.size, -1};
  split(at, cut);
  split(rest, tree.parts[first ? 1 : 0]);
}

// Before ImGui takes the sizes: one that is not as it was left was dragged by the user.
void DockLayout::limit(ImGuiDockNode& node) {
  if (node.IsLeafNode() || !is_central(node)) return;
  const bool first = !is_central(*node.ChildNodes[0]);
  ImGuiDockNode& side = *node.ChildNodes[first ? 0 : 1];
  const bool stacked = node.SplitAxis == ImGuiAxis_Y;
  const auto known = sizes_.find(side.ID);
  Size size = known != sizes_.end() ? known->second : Size{};
  const float now = side.SizeRef[node.SplitAxis];
  if (known == sizes_.end() || (size.set >= 0 && now != size.set)) size.wanted = now / scale_;
  const float most =
      std::floor(stacked ? room_.height * kStackedShare : room_.width * (first ? kLeftShare : kRightShare));
  const float least = std::min(most, (stacked ? kLowest : kNarrowest) * scale_);
  size.set = side.SizeRef[node.SplitAxis] = std::max(1.0f, std::clamp(std::floor(size.wanted * scale_), least, most));
  sizes_[side.ID] = size;
  limit(*node.ChildNodes[first ? 1 : 0]);
}

bool DockLayout::begin(const std::string& panel, const std::string& title, bool* open) {
  if (const auto place = to_place_.find(panel); place != to_place_.end()) {
    ImGui::SetNextWindowDockID(0, ImGuiCond_Always);
    ImGui::SetNextWindowPos({place->second.x, place->second.y});
    ImGui::SetNextWindowSize({place->second.width, place->second.height});
    to_place_.erase(place);
  }
  const bool seen = ImGui::Begin(name_of(panel, title).c_str(), open,
                                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImRect handle = window->DockIsActive ? window->DC.DockTabItemRect : window->TitleBarRect();
  note_place(("tab " + panel).c_str(), handle.Min.x + ImGui::GetFontSize(), handle.GetCenter().y);
  return seen;
}

bool DockLayout::detached(std::string_view section) const {
  return std::find(alone_.begin(), alone_.end(), section) != alone_.end();
}

void DockLayout::detach(const std::string& section, const Area& place) {
  if (detached(section)) return;
  alone_.push_back(section);
  to_place_[section] = place;
}

void DockLayout::attach(const std::string& section) {
  std::erase(alone_, section);
  to_place_.erase(section);
}

// False: there is nothing in it.
bool DockLayout::read(const ImGuiDockNode& node, PanelTree& tree) const {
  if (node.IsLeafNode()) {
    tree.scene = node.IsCentralNode();
    for (const std::string& panel : panels())
      if (!to_place_.contains(panel) && node_id_of(panel) == node.ID) tree.panels.push_back(panel);
    for (const std::string& panel : tree.panels)
      if (tree.panels.size() > 1 && tab_id_of(panel) == node.SelectedTabId) tree.in_front = panel;
    return tree.scene || !tree.panels.empty();
  }
  PanelTree parts[2];
  const bool filled[2] = {read(*node.ChildNodes[0], parts[0]), read(*node.ChildNodes[1], parts[1])};
  if (!filled[0] || !filled[1]) {
    if (filled[0] || filled[1]) tree = std::move(parts[filled[0] ? 0 : 1]);
    return filled[0] || filled[1];
  }
  tree.stacked = node.SplitAxis == ImGuiAxis_Y;
  const bool scene[2] = {has_scene(parts[0]), has_scene(parts[1])};
  const float all = node.ChildNodes[0]->SizeRef[node.SplitAxis] + node.ChildNodes[1]->SizeRef[node.SplitAxis];
  for (int i = 0; i < 2; ++i) {
    const auto size = sizes_.find(node.ChildNodes[i]->ID);
    if (!scene[0] && !scene[1])
      parts[i].size = all > 0 ? node.ChildNodes[i]->SizeRef[node.SplitAxis] / all : 0.5f;
    else
      parts[i].size = scene[i] || size == sizes_.end() ? 0 : size->second.wanted;
    tree.parts.push_back(std::move(parts[i]));
  }
  return true;
}

PanelLayout DockLayout::layout() const {
  const ImGuiDockNode* root = ImGui::DockBuilderGetNode(root_);
  if (due_ || !root) return given_;
  PanelLayout now;
  read(*root, now.docked);
  for (const std::string& panel : panels()) {
    if (holds(now.docked, panel)) continue;
    const ImGuiWindow* window = window_of(panel);
    const auto before = std::find_if(given_.floating.begin(), given_.floating.end(),
                                     [&](const FloatingPanel& f) { return f.panel == panel; });
    if (const auto place = to_place_.find(panel); place != to_place_.end()) {
      const Area& a = place->second;
      now.floating.push_back({panel, a.x / scale_, a.y / scale_, a.width / scale_, a.height / scale_});
    } else if (window) {  // several that float as one come back as several
      const ImGuiDockNode* host = root_of(window->DockNode);
      const ImVec2 at = host ? host->Pos : window->Pos, size = host ? host->Size : window->SizeFull;
      now.floating.push_back({panel, at.x / scale_, at.y / scale_, size.x / scale_, size.y / scale_});
    } else if (before != given_.floating.end()) {
      now.floating.push_back(*before);
    }
  }
  return now;
}

}  // namespace viewer
