// Where everything in the window goes: menu above, status below, a panel on either side, the log under the scene.
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "viewer/compare/compare_panel.h"
#include "viewer/edit/edit_panel.h"
#include "viewer/overlay/scene_overlay.h"
#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"
#include "viewer/window/window_impl.h"

namespace viewer {
namespace {

constexpr const char *kLeftPanel = "##left", *kRightPanel = "##right";
constexpr float kLeftShare = 0.26f, kRightShare = 0.32f;  // of the window's width, at most
constexpr float kLogShare = 0.24f;                        // of its height
constexpr float kNarrowest = 200;                         // px at scale 1

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

bool begin_fixed(const char* id, const Area& area, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  return ImGui::Begin(id, nullptr, kFixed | ImGuiWindowFlags_NoResize | flags);
}

}  // namespace

void Window::Impl::lay_out() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const WindowSettings& s = work_.settings;
  const float bar = ImGui::GetFrameHeight(), scale = work_.appearance.scale;
  const bool shown = work_.received.anything_open() && !work_.hide_panels;
  has_left_ = shown && s.left_open;
  const bool right = work_.received.dataset || work_.received.continuation() || work_.received.city;
  has_right_ = shown && (work_.edits() || (s.right_open && right));
  has_log_ = !work_.hide_panels && s.log_open;
  menu_ = {0, 0, size.x, bar};
  status_ = {0, size.y - bar, size.x, bar};
  const float top = bar, height = std::max(size.y - 2 * bar, 1.0f);
  const float left_width = has_left_ ? std::min(s.left_width * scale, size.x * kLeftShare) : 0;
  const float right_width = has_right_ ? std::min(s.right_width * scale, size.x * kRightShare) : 0;
  const float log_height = has_log_ ? height * kLogShare : 0;
  left_ = {0, top, left_width, height};
  right_ = {size.x - right_width, top, right_width, height};
  scene_ = {left_width, top, std::max(size.x - left_width - right_width, 1.0f), std::max(height - log_height, 1.0f)};
  log_ = {scene_.x, top + scene_.height, scene_.width, log_height};
}

// Its inner edge can be dragged; the new width is remembered.
void Window::Impl::side_panel(const char* id, Area area, bool right, float& width) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  const float widest = ImGui::GetIO().DisplaySize.x * (right ? kRightShare : kLeftShare);
  ImGui::SetNextWindowSizeConstraints({std::min(kNarrowest * work_.appearance.scale, widest), area.height},
                                      {widest, area.height});
  ImGui::Begin(id, nullptr, kFixed);
  if (right) {
    work_.edits() ? draw_edit_panel(work_) : work_.received.city ? draw_city_panel(work_) : draw_training_panel(work_);
  } else {
    draw_scene_panel(work_);
    draw_mesh_panel(work_);
    draw_photos_panel(work_.received, work_.look, work_.appearance);
    if (!work_.received.dataset) draw_comparison(work_, false);
    draw_display_panel(work_);
    draw_camera_panel(work_.look, work_.settings.navigation, work_.appearance);
    draw_histogram_panel(work_.received, work_.look, work_.app.commands, work_.appearance);
  }
  // Only by the mouse: a window that is made smaller narrows its panels for as long as it is small.
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::GetWindowWidth() != area.width)
    width = ImGui::GetWindowWidth() / work_.appearance.scale;
  ImGui::End();
}

// From the scene to the first panel, then to the next, then back.
void Window::Impl::focus_next_panel() {
  next_panel_ = false;
  std::vector<const char*> panels;
  if (has_left_) panels.push_back(kLeftPanel);
  if (has_right_) panels.push_back(kRightPanel);
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  const bool navigating = ImGui::GetIO().NavVisible && focused;
  size_t next = 0;
  for (size_t i = 0; i < panels.size() && navigating; ++i)
    if (std::string_view(focused->RootWindow->Name) == panels[i]) next = i + 1;
  ImGuiWindow* panel = next < panels.size() ? ImGui::FindWindowByName(panels[next]) : nullptr;
  ImGui::FocusWindow(panel);
  if (panel) ImGui::NavInitWindow(panel, true);  // at its first widget
  ImGui::SetNavCursorVisible(panel != nullptr);
}

void Window::Impl::draw_panels() {
  if (next_panel_) focus_next_panel();
  draw_menu_bar(work_);
  if (has_left_) side_panel(kLeftPanel, left_, false, work_.settings.left_width);
  if (has_right_) side_panel(kRightPanel, right_, true, work_.settings.right_width);
  if (has_log_) {
    begin_fixed("##log", log_);
    draw_log_panel(work_.received, work_.appearance);
    ImGui::End();
  }
  if (!work_.received.anything_open()) {
    begin_fixed("##welcome", scene_, ImGuiWindowFlags_NoBackground);
    draw_welcome(work_);
    ImGui::End();
  }
  if (work_.compare.on) {
    begin_fixed("##compare", scene_, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_compared_pictures(work_);
    ImGui::End();
  } else if (work_.received.anything_open() && !work_.hide_panels) {
    draw_scene_overlay(work_, scene_.x + scene_.width, scene_.y, scene_.width, windowed_.width > 0);
    draw_grid_label(work_, scene_.x, scene_.y + scene_.height);
  }
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.WindowPadding.x, style.FramePadding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  begin_fixed("##status", status_, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_status_bar(work_, viewport_, frame_ms_);
  ImGui::End();
  ImGui::PopStyleVar(2);
  draw_popups(work_);
}

}  // namespace viewer
