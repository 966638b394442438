#include "viewer/shell/dock_layout.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr ImGuiID kRoot = 0x1000;  // the node of the whole room; ImGui numbers the others from 1 on
constexpr const char* kRootText = "0x00001000";
constexpr const char* kColumns[] = {"left", "right", "log"};  // always somewhere
constexpr float kLeft = 300, kRight = 360, kLog = 200;        // px at scale 1, usually: widths, and the log's height
constexpr float kLeftShare = 0.26f, kRightShare = 0.32f, kStackedShare = 0.4f;    // of the room, at most
constexpr float kNarrowest = 200, kLowest = 60;                                   // px at scale 1
constexpr float kDetachedWidth = 340, kDetachedHeight = 420, kDetachedStep = 28;  // likewise
constexpr size_t kLongestText = 1 << 16, kLongestLine = 256;
// Tabs have a button to close them; another one for all of them would be one too many.
constexpr ImGuiDockNodeFlags kFlags = int(ImGuiDockNodeFlags_PassthruCentralNode) |
                                      int(ImGuiDockNodeFlags_NoDockingOverCentralNode) |
                                      int(ImGuiDockNodeFlags_NoCloseButton);

std::string name_of(std::string_view panel) { return "###" + std::string(panel); }

ImGuiWindow* window_of(std::string_view panel) { return ImGui::FindWindowByName(name_of(panel).c_str()); }

// As it was read, also of a panel that was not shown so far; null: there is none.
ImGuiWindowSettings* kept_window(std::string_view panel) {
  return ImGui::FindWindowSettingsByID(ImHashStr(name_of(panel).c_str()));
}

bool is_central(const ImGuiDockNode& node) {
  return node.IsCentralNode() ||
         (node.IsSplitNode() && (is_central(*node.ChildNodes[0]) || is_central(*node.ChildNodes[1])));
}

// Windows that were read and not shown so far.
void scale_floating(float grown) {
  const auto scaled = [grown](ImVec2ih v) { return ImVec2ih(short(float(v.x) * grown), short(float(v.y) * grown)); };
  auto& all = ImGui::GetCurrentContext()->SettingsWindows;
  for (ImGuiWindowSettings* kept = all.begin(); kept; kept = all.next_chunk(kept))
    if (!ImGui::FindWindowByID(kept->ID)) kept->Pos = scaled(kept->Pos), kept->Size = scaled(kept->Size);
}

struct KeptNode {
  std::string parent;
  bool split = false;
  int parts = 0;
};
using KeptNodes = std::map<std::string, KeptNode>;

// False: it is no node, or has no place below those before it.
bool take_node(const std::string& line, KeptNodes& nodes, std::string& scene) {
  static const std::regex form(
      " *Dock(?:Node |(Space)) *ID=(0x(?!0{8})[0-9A-F]{8})"
      "(?: Parent=(0x[0-9A-F]{8}) SizeRef=[0-9]{1,5},[0-9]{1,5}|"
      "(?: Window=0x[0-9A-F]{8})? Pos=-?[0-9]{1,5},-?[0-9]{1,5} Size=[0-9]{1,5},[0-9]{1,5})"
      "( Split=[XY])?(?: NoResize=1)?( CentralNode=1)?(?: [A-Za-z]+=1)*(?: Selected=0x[0-9A-F]{8})?");
  std::smatch found;
  if (line.size() > kLongestLine || !std::regex_match(line, found, form)) return false;
  const std::string id = found[2], parent = found[3];
  if (found[5].matched && !std::exchange(scene, id).empty()) return false;
  if (found[1].matched != (id == kRootText) || !nodes.insert({id, {parent, found[4].matched, 0}}).second) return false;
  if (parent.empty()) return true;
  const auto above = nodes.find(parent);
  return above != nodes.end() && parent != id && above->second.split && ++above->second.parts <= 2;
}

// Whether its nodes are a tree around the scene, since ImGui believes every word.
bool is_layout(const std::string& text) {
  if (text.size() > kLongestText) return false;
  KeptNodes nodes;
  std::string scene;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if ((line.find("DockNode") != std::string::npos || line.find("DockSpace") != std::string::npos) &&
        !take_node(line, nodes, scene))
      return false;
  for (const auto& [id, node] : nodes)
    if (node.parts != (node.split ? 2 : 0)) return false;
  while (nodes.contains(scene) && !nodes[scene].parent.empty()) scene = nodes[scene].parent;
  return scene == kRootText;
}

}  // namespace

void DockLayout::load(const std::string& text, float scale) {
  ImGui::RemoveSettingsHandler("Table");  // their columns are as they are at first
  usual_ = !is_layout(text);
  if (usual_) return;
  scale_ = scale;
  ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
  for (const std::string_view section : kSections)
    if (kept_window(section)) alone_.emplace_back(section);
  if (!std::all_of(std::begin(kColumns), std::end(kColumns), kept_window)) reset();
}

void DockLayout::reset() {
  usual_ = true;
  for (const std::string_view section : kSections) attach(std::string(section));
}

Area DockLayout::update(const Area& room, float scale) {
  const float grown = usual_ ? 1 : scale / scale_;
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
  if (std::exchange(usual_, false)) build(room);
  if (grown != 1) scale_floating(grown);
  if (ImGuiDockNode* root = ImGui::DockBuilderGetNode(kRoot)) narrow(*root, room, grown);
  ImGui::DockSpace(kRoot, {0, 0}, kFlags);
  ImGui::End();
  const ImGuiDockNode* scene = ImGui::DockBuilderGetCentralNode(kRoot);
  scene_ =
      scene ? Area{scene->Pos.x, scene->Pos.y, std::max(scene->Size.x, 1.0f), std::max(scene->Size.y, 1.0f)} : room;
  return scene_;
}

void DockLayout::build(const Area& room) {
  ImGui::DockBuilderAddNode(kRoot, kFlags | ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(kRoot, {room.width, room.height});
  ImGuiID rest = kRoot;
  const auto cut = [&](const char* panel, ImGuiDir side, float size) {
    const ImGuiID node = ImGui::DockBuilderSplitNode(rest, side, 0.25f, nullptr, &rest);
    ImGui::DockBuilderGetNode(node)->SizeRef = {size * scale_, size * scale_};
    ImGui::DockBuilderDockWindow(name_of(panel).c_str(), node);
  };
  cut("left", ImGuiDir_Left, kLeft);
  cut("right", ImGuiDir_Right, kRight);
  cut("log", ImGuiDir_Down, kLog);
  ImGui::DockBuilderFinish(kRoot);
}

// What lies beside the scene, before ImGui takes the sizes; grown: how much larger all is to be.
void DockLayout::narrow(ImGuiDockNode& node, const Area& room, float grown) {
  if (node.IsLeafNode() || !is_central(node)) return;
  const bool first = !is_central(*node.ChildNodes[0]), stacked = node.SplitAxis == ImGuiAxis_Y;
  ImGuiDockNode& side = *node.ChildNodes[first ? 0 : 1];
  float& size = side.SizeRef[node.SplitAxis];
  const float most =
      std::floor(stacked ? room.height * kStackedShare : room.width * (first ? kLeftShare : kRightShare));
  const float least = std::min(most, (stacked ? kLowest : kNarrowest) * scale_), wanted = size * grown;
  size = std::max(1.0f, std::clamp(std::floor(wanted), least, most));
  narrowed_.push_back({side.ID, node.SplitAxis, wanted, size});
  narrow(*node.ChildNodes[first ? 1 : 0], room, grown);
}

// A size that is not as it was set was dragged by the user.
std::string DockLayout::finish() {
  for (const Narrowed& n : std::exchange(narrowed_, {}))
    if (ImGuiDockNode* node = ImGui::DockBuilderGetNode(n.node); node && node->SizeRef[n.axis] == n.set)
      node->SizeRef[n.axis] = n.wanted;
  return ImGui::SaveIniSettingsToMemory();
}

bool DockLayout::begin(const std::string& panel, const std::string& title, bool* open) {
  if (const auto alone = std::find(alone_.begin(), alone_.end(), panel); alone != alone_.end()) {
    const float step = float(alone - alone_.begin() + 1) * kDetachedStep * scale_;
    ImGui::SetNextWindowPos({scene_.x + step, scene_.y + step}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(
        {std::min(kDetachedWidth * scale_, scene_.width), std::min(kDetachedHeight * scale_, scene_.height)},
        ImGuiCond_FirstUseEver);
  }
  const bool seen = ImGui::Begin((title + name_of(panel)).c_str(), open,
                                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (!window->ScrollbarY) {  // its room is kept, so that nothing moves when it comes
    const float bar = ImGui::GetStyle().ScrollbarSize;
    window->WorkRect.Max.x -= bar;
    window->ContentRegionRect.Max.x -= bar;
  }
  const ImRect handle = window->DockIsActive ? window->DC.DockTabItemRect : window->TitleBarRect();
  note_place(("tab " + panel).c_str(), handle.Min.x + ImGui::GetFontSize(), handle.GetCenter().y);
  return seen;
}

bool DockLayout::detached(std::string_view section) const {
  return std::find(alone_.begin(), alone_.end(), section) != alone_.end();
}

void DockLayout::detach(const std::string& section) {
  if (!detached(section)) alone_.push_back(section);
}

void DockLayout::attach(const std::string& section) {
  std::erase(alone_, section);
  ImGui::ClearWindowSettings(name_of(section).c_str());
}

std::string DockLayout::in_front() const {
  std::string names;
  const auto add = [&](const auto& panel) {
    const ImGuiWindow* window = window_of(panel);
    const ImGuiDockNode* node = window ? window->DockNode : nullptr;
    if (node && node->Windows.Size > 1 && node->SelectedTabId == window->TabId) names.append(" ").append(panel);
  };
  for (const char* column : kColumns) add(column);
  for (const std::string& section : alone_) add(section);
  return names;
}

}  // namespace viewer
