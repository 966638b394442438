#include "studio/window/window_layout.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "studio/window/panel_sections.h"
#include "studio/window/panels.h"
#include "studio/window/scene_overlay.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoDocking;

bool begin_fixed(const char* id, const Area& area, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  return ImGui::Begin(id, nullptr, kFixed | ImGuiWindowFlags_NoResize | flags);
}

// At the right end of the heading that was drawn from `top` on, without a place of its own in the layout.
bool detach_button(const std::string& section, float top) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = ImGui::GetFrameHeight(), side = 0.42f * ImGui::GetFontSize(), shift = 0.3f * side;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float y = top + style.ItemSpacing.y;
  const ImRect box({right - height, y}, {right, y + height});
  const std::string label = "detach " + section;
  const ImGuiID id = ImGui::GetID(label.c_str());
  if (!ImGui::ItemAdd(box, id)) return false;
  bool hovered = false, held = false;
  const bool pressed = ImGui::ButtonBehavior(box, id, &hovered, &held);
  note_place(label.c_str());
  tooltip("Make this a panel by itself, to be moved and docked by its title");
  const ImU32 colour = ImGui::GetColorU32(hovered ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  const ImVec2 middle{box.GetCenter().x, box.GetCenter().y + 0.25f * side + shift};
  const auto square = [&](float by) {
    ImGui::GetWindowDrawList()->AddRect({middle.x - side + by, middle.y - side - by},
                                        {middle.x + side / 2 + by, middle.y + side / 2 - by}, colour);
  };
  square(0);
  square(2 * shift);
  return pressed;
}

}  // namespace

void WindowLayout::reset() {
  WindowSettings& s = work_.settings;
  s.left_open = s.right_open = true;
  s.log_open = work_.hide_panels = work_.reset_layout = false;
  dock_.reset();
}

void WindowLayout::update() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const WindowSettings& s = work_.settings;
  const float bar = ImGui::GetFrameHeight();
  const bool shown = work_.received.anything_open() && !work_.hide_panels;
  has_left_ = shown && s.left_open;
  const bool right = work_.received.dataset || work_.received.continuation() || owner_of_right(work_);
  has_right_ = shown && (work_.edits() || (s.right_open && right));
  has_log_ = !work_.hide_panels && s.log_open;
  menu_ = {0, 0, size.x, bar};
  status_ = {0, size.y - bar, size.x, bar};
  if (work_.reset_layout) reset();
  scene_ = dock_.update({0, bar, size.x, std::max(size.y - 2 * bar, 1.0f)}, work_.appearance.scale);
}

// Its sections below each other; those that are detached are panels of their own.
void WindowLayout::draw_column(const char* id, const char* title, const std::vector<PanelSection>& sections, bool seen,
                               bool* open) {
  if (seen) {
    if (dock_.begin(id, title, open))
      for (const PanelSection& section : sections) {
        if (dock_.detached(section.id)) continue;
        const float top = ImGui::GetCursorScreenPos().y;
        section.draw();
        if (!section.id.empty() && detach_button(section.id, top)) dock_.detach(section.id);
      }
    ImGui::End();
  }
  if (!work_.received.anything_open() || work_.hide_panels) return;
  for (const PanelSection& section : sections) {
    if (!dock_.detached(section.id)) continue;
    bool stays = true;
    if (dock_.begin(section.id, section.title, &stays)) {
      leave_out_section_heading();
      section.draw();
    }
    ImGui::End();
    if (!stays) dock_.attach(section.id);
  }
}

// Once the mouse has let go.
void WindowLayout::note() {
  std::string now = dock_.finish();
  if (ImGui::IsAnyMouseDown()) return;
  work_.settings.layout = std::move(now);
  work_.settings.layout_scale = work_.appearance.scale;
}

// From the scene to the first panel, then to the next, then back.
void WindowLayout::focus_next_panel() {
  next_panel = false;
  std::vector<ImGuiWindow*> panels;
  const auto add = [&](const std::string& id) {
    ImGuiWindow* panel = ImGui::FindWindowByName(("###" + id).c_str());
    if (panel && panel->WasActive && !panel->Hidden) panels.push_back(panel);
  };
  if (!work_.received.anything_open()) panels.push_back(ImGui::FindWindowByName("##welcome"));
  if (has_left_) add("left");
  if (has_right_) add("right");
  for (const std::string_view section : kSections)
    if (dock_.detached(section)) add(std::string(section));
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  const bool navigating = ImGui::GetIO().NavVisible && focused;
  size_t next = 0;
  for (size_t i = 0; i < panels.size() && navigating; ++i)
    if (focused->RootWindow == panels[i]) next = i + 1;
  ImGuiWindow* panel = next < panels.size() ? panels[next] : nullptr;
  ImGui::FocusWindow(panel);
  if (panel) ImGui::NavInitWindow(panel, true);  // at its first widget
  ImGui::SetNavCursorVisible(panel != nullptr);
}

void WindowLayout::focus_menus() {
  menus_wanted = false;
  ImGuiWindow* bar = ImGui::FindWindowByName("##MainMenuBar");
  ImGui::FocusWindow(bar);
  ImGui::GetCurrentContext()->NavLayer = ImGuiNavLayer_Menu;
  ImGui::NavInitWindow(bar, true);
  ImGui::SetNavCursorVisible(true);
}

void WindowLayout::draw(Viewport& viewport, double frame_ms, bool full_screen) {
  if (next_panel) focus_next_panel();
  if (menus_wanted) focus_menus();
  draw_menu_bar(work_);
  const bool editing = work_.edits();
  draw_column("left", "Scene", left_sections(work_), has_left_, &work_.settings.left_open);
  draw_column("right", right_title(work_), right_sections(work_), has_right_,
              editing ? nullptr : &work_.settings.right_open);
  if (has_log_) {
    if (dock_.begin("log", "Log", &work_.settings.log_open)) draw_log_panel(work_.received, work_.appearance);
    ImGui::End();
  }
  note();
  if (!work_.received.anything_open()) {
    begin_fixed("##welcome", scene_, ImGuiWindowFlags_NoBackground);
    draw_welcome(work_);
    ImGui::End();
  }
  if (work_.scene_covered()) {
    begin_fixed("##covering", scene_, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    for (const auto& feature : work_.features)
      if (feature->covers_scene()) feature->draw_in_place_of_scene();
    ImGui::End();
  } else if (work_.received.anything_open() && !work_.hide_panels) {
    draw_scene_overlay(work_, scene_.x + scene_.width, scene_.y, scene_.width, full_screen);
    draw_grid_label(work_, scene_.x, scene_.y + scene_.height);
  }
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.WindowPadding.x, style.FramePadding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  begin_fixed("##status", status_, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_status_bar(work_, viewport, frame_ms);
  ImGui::End();
  ImGui::PopStyleVar(2);
  draw_popups(work_);
}

void WindowLayout::add_state(nlohmann::json& state) const {
  state["panels"] = {has_left_, has_right_, has_log_};
  state["scene"] = {int(scene_.x), int(scene_.y), int(scene_.width), int(scene_.height)};
  state["detached"] = dock_.alone().size();
  state["in_front"] = dock_.in_front();
}

}  // namespace viewer
