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

namespace studio {
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

void WindowLayout::update(bool full_screen) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const WindowSettings& s = work_.settings;
  const float bar = ImGui::GetFrameHeight();
  const bool shown = work_.received.anything_open() && !work_.hide_panels;
  has_left_ = shown && s.left_open;
  has_right_ = shown && (work_.edits() || (s.right_open && !right_sections(work_).empty()));
  has_log_ = !work_.hide_panels && s.log_open;
  alone_ = full_screen && work_.hide_panels && work_.received.anything_open();
  const float edge = alone_ ? 0 : bar;
  menu_ = {0, 0, size.x, edge};
  status_ = {0, size.y - edge, size.x, edge};
  if (work_.reset_layout) reset();
  scene_ = dock_.update({0, edge, size.x, std::max(size.y - 2 * edge, 1.0f)}, work_.appearance.scale);
  strips_ = 0;
  if (!alone_) work_.all([&](const Feature& feature) { strips_ += feature.strip_height(); });
  strips_ = std::min(strips_, scene_.height - 1);
  scene_.height -= strips_;
  has_tools_ = shown && work_.edits();
  if (has_tools_) tools_ = take_tool_room(work_, scene_);
}

void WindowLayout::draw_strips() {
  float y = scene_.y + scene_.height;
  for (const auto& feature : work_.features) {
    const float height = std::min(feature->strip_height(), scene_.y + scene_.height + strips_ - y);
    if (!(height > 0)) continue;
    begin_fixed("##strip", {scene_.x, y, scene_.width, height}, ImGuiWindowFlags_NoScrollbar);
    feature->draw_strip();
    ImGui::End();
    y += height;
  }
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

void WindowLayout::draw_tools() {
  constexpr float kMargin = 4, kGap = 2;  // px at scale 1, as in take_tool_room()
  const float scale = work_.appearance.scale, pad = kMargin * scale;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(2 * pad, (tools_.strip.height - ImGui::GetFrameHeight()) / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(pad, pad));
  begin_fixed("##strip", tools_.strip, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_HorizontalScrollbar);
  draw_tool_strip(work_);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(kGap * scale, kGap * scale));
  begin_fixed("##tools", tools_.bar, ImGuiWindowFlags_NoScrollbar);
  draw_tool_bar(work_);
  ImGui::End();
  ImGui::PopStyleVar(5);
}

void WindowLayout::draw_status(Viewport& viewport, double frame_ms) {
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.WindowPadding.x, style.FramePadding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  begin_fixed("##status", status_, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_status_bar(work_, viewport, frame_ms);
  ImGui::End();
  ImGui::PopStyleVar(2);
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
  for (const char* tools : {"##tools", "##strip"})
    if (has_tools_) panels.push_back(ImGui::FindWindowByName(tools));
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

// Or back into the scene.
void WindowLayout::focus_menus() {
  ImGuiWindow* bar = ImGui::FindWindowByName("##MainMenuBar");
  if (ImGui::GetIO().NavVisible && ImGui::GetCurrentContext()->NavWindow == bar) bar = nullptr;
  ImGui::FocusWindow(bar);
  ImGui::GetCurrentContext()->NavLayer = bar ? ImGuiNavLayer_Menu : ImGuiNavLayer_Main;
  if (bar) ImGui::NavInitWindow(bar, true);
  ImGui::SetNavCursorVisible(bar != nullptr);
}

void WindowLayout::draw(Viewport& viewport, double frame_ms, bool full_screen) {
  if (next_panel) focus_next_panel();
  // Dear ImGui's own Alt would take back, frames later, what Window::Impl::on_key() has made of it.
  ImGui::GetCurrentContext()->NavWindowingToggleLayer = false;
  if (std::exchange(menus_wanted, false) && !alone_) focus_menus();
  if (!alone_) draw_menu_bar(work_);
  if (has_tools_) draw_tools();
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
    draw_scene_mode(work_, scene_);
  }
  if (work_.hide_panels) draw_hidden_hint(work_, scene_.x + scene_.width / 2, scene_.y + scene_.height, full_screen);
  draw_strips();
  if (!alone_) draw_status(viewport, frame_ms);
  draw_popups(work_);
}

void WindowLayout::add_state(nlohmann::json& state) const {
  state["panels"] = {has_left_, has_right_, has_log_};
  state["scene"] = {int(scene_.x), int(scene_.y), int(scene_.width), int(scene_.height)};
  state["alone"] = alone_;
  state["detached"] = dock_.alone().size();
  state["in_front"] = dock_.in_front();
}

}  // namespace studio
