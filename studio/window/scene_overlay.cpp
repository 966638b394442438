#include "studio/window/scene_overlay.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/overlay/axis_gizmo.h"
#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_AlwaysAutoResize;
constexpr float kMargin = 8;                       // px at scale 1
constexpr float kArm = 30, kTip = 9, kStroke = 2;  // px at scale 1, of the axes
constexpr float kFarthest = 0.55f;                 // opacity of a tip that points away

constexpr std::array<std::array<float, 3>, 3> kAxisColours{
    {{0.93f, 0.34f, 0.36f}, {0.48f, 0.76f, 0.26f}, {0.33f, 0.56f, 0.95f}}};

// However narrow the scene is, all of them.
void chips(Workspace& work, float room, bool full_screen) {
  constexpr int kButtons = 5;
  Navigator& navigator = work.look.navigator;
  const float cell = icon_cell(work.appearance, kButtons, room, ImGui::GetStyle().ItemSpacing.x);
  const auto chip = [&](const char* icon, const char* name, const char* tip, bool on) {
    const bool pressed = icon_button(work.appearance, icon, name, tip, on, cell);
    ImGui::SameLine();
    return pressed;
  };
  const bool orbits = navigator.mode() == NavigationMode::kOrbit;
  if (chip(icon::kOrbit, "Orbit", "Orbit: left drag turns around the pivot; a double click sets it (V)", orbits))
    navigator.set_mode(NavigationMode::kOrbit);
  if (chip(icon::kFly, "Fly", "Fly: left drag looks around, WASD and QE move (V)", !orbits))
    navigator.set_mode(NavigationMode::kFly);
  if (chip(icon::kFrame, "Frame##overlay", "Frame: see the whole scene (F)", false)) navigator.frame_scene();
  if (chip(icon::kParallel, "Ortho##overlay", "Parallel projection (numpad 5)", navigator.camera().orthographic))
    navigator.toggle_orthographic();
  if (icon_button(work.appearance, icon::kFullScreen, "Full screen", "The scene alone on the screen (F11)", full_screen,
                  cell))
    work.toggle_full_screen = true;
}

void draw_tip(const AxisTip& tip, ImVec2 middle, float arm, bool pointed, const Appearance& look) {
  constexpr const char* kNames[] = {"X", "Y", "Z"};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto& [r, g, b] = kAxisColours[size_t(tip.axis)];
  const float nearness = float(1 - tip.depth) / 2, alpha = kFarthest + (1 - kFarthest) * nearness;
  const ImU32 colour = packed({r, g, b, alpha});
  const ImVec2 at{middle.x + arm * float(tip.x), middle.y + arm * float(tip.y)};
  const float radius = kTip * look.scale;
  if (tip.positive) {
    list.AddLine(middle, at, colour, kStroke * look.scale);
    list.AddCircleFilled(at, radius, colour);
    const ImVec2 size = ImGui::CalcTextSize(kNames[tip.axis]);
    list.AddText({at.x - size.x / 2, at.y - size.y / 2}, IM_COL32(0, 0, 0, 255), kNames[tip.axis]);
  } else {
    list.AddCircleFilled(at, radius, packed({r / 3, g / 3, b / 3, 0.6f * alpha}));
    list.AddCircle(at, radius, colour, 0, kStroke / 2 * look.scale);
  }
  if (!pointed) return;
  list.AddCircle(at, radius + kStroke * look.scale, IM_COL32_WHITE, 0, kStroke * look.scale);
  if (tip.positive) return;
  const std::string name = std::string("-") + kNames[tip.axis];
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  list.AddText({at.x - size.x / 2, at.y - size.y / 2}, IM_COL32_WHITE, name.c_str());
}

void axes(Workspace& work) {
  const Appearance& look = work.appearance;
  const float arm = kArm * look.scale, side = 2 * (arm + (kTip + 2 * kStroke) * look.scale);
  const ImVec2 low = ImGui::GetCursorScreenPos(), middle{low.x + side / 2, low.y + side / 2};
  const bool pressed = ImGui::InvisibleButton("Axes", {side, side});
  note_place("Axes");
  const auto tips = axis_tips(work.look.navigator.camera().world_from_cam);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  // A plate, to be seen on a white photo as well.
  ImGui::GetWindowDrawList()->AddCircleFilled(middle, side / 2, IM_COL32(0, 0, 0, 90));
  std::optional<AxisTip> pointed;
  if (ImGui::IsItemHovered())
    pointed = tip_at(tips, (mouse.x - middle.x) / arm, (mouse.y - middle.y) / arm, double(kTip + kStroke) / kArm);
  for (const AxisTip& tip : tips)
    draw_tip(tip, middle, arm, pointed && pointed->axis == tip.axis && pointed->positive == tip.positive, look);
  if (pointed) tooltip("Look from this side of the scene");
  if (pressed && pointed) work.look.navigator.look_along(-1.0 * pointed->direction());
}

void begin_at(const char* id, float right, float top) {
  ImGui::SetNextWindowPos({right, top}, ImGuiCond_Always, {1, 0});
  ImGui::Begin(id, nullptr, kOverlay);
}

}  // namespace

void draw_grid_label(const Workspace& work, float left, float bottom) {
  const double step = work.edit.measure.grid_step(work.look.navigator.scene_radius());
  if (!work.settings.show_grid || !(step > 0) || work.look.navigator.photo()) return;
  const std::string text = "Grid " + work.edit.measure.text(step);
  const float margin = kMargin * work.appearance.scale, top = bottom - margin - ImGui::GetTextLineHeight();
  const auto& behind = work.look.display.background;
  const ImU32 colour = behind[0] + behind[1] + behind[2] < 1.5f ? IM_COL32(255, 255, 255, 150) : IM_COL32(0, 0, 0, 150);
  ImGui::GetBackgroundDrawList()->AddText({left + margin, top}, colour, text.c_str());
}

void draw_hidden_hint(Workspace& work, float middle, float bottom, bool full_screen) {
  constexpr double kSeconds = 5, kFading = 1;
  const double left = work.hidden_at + kSeconds - work.now;
  if (left <= 0 || !work.received.anything_open()) return;
  const float alpha = float(std::min(left / kFading, 1.0)), pad = kMargin * work.appearance.scale;
  std::string text = full_screen ? "F11: window    Tab: panels    F: whole scene" : "Tab: panels";
  if (!work.received.cameras().empty()) text += "    [ ]: photos    G: photo over it";
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at{middle - size.x / 2, bottom - size.y - 4 * pad};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({at.x - 2 * pad, at.y - pad}, {at.x + size.x + 2 * pad, at.y + size.y + pad},
                     packed({0, 0, 0, 0.7f * alpha}), pad);
  list.AddText(at, packed({1, 1, 1, alpha}), text.c_str());
}

void draw_scene_overlay(Workspace& work, float right, float top, float width, bool full_screen) {
  const float margin = kMargin * work.appearance.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(margin / 2, margin / 2));
  begin_at("##chips", right, top);
  chips(work, width - 2 * margin, full_screen);
  top += ImGui::GetWindowHeight() - margin;
  ImGui::End();
  begin_at("##axes", right, top);
  axes(work);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void dim_around_photo(const Workspace& work, const ScenePlace& scene, const std::array<float, 4>& photo) {
  if (!work.received.dataset || work.received.splats || work.received.training_active()) return;
  const auto [x, y, width, height] = photo;
  const float unit = 1 / scene.pixels_per_unit;
  const ImVec2 low{scene.x, scene.y}, high{scene.x + scene.width, scene.y + scene.height};
  const ImVec2 a{std::clamp(low.x + x * unit, low.x, high.x), std::clamp(low.y + y * unit, low.y, high.y)};
  const ImVec2 b{std::clamp(low.x + (x + width) * unit, low.x, high.x),
                 std::clamp(low.y + (y + height) * unit, low.y, high.y)};
  constexpr ImU32 kDim = IM_COL32(0, 0, 0, 110);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(low, {high.x, a.y}, kDim);
  list.AddRectFilled({low.x, b.y}, high, kDim);
  list.AddRectFilled({low.x, a.y}, {a.x, b.y}, kDim);
  list.AddRectFilled({b.x, a.y}, {high.x, b.y}, kDim);
  list.AddRect(a, b, packed(work.appearance.colours().accent), 0, 1.5f * work.appearance.scale);
}

}  // namespace studio
