#include "viewer/widgets/theme.h"

#include <imgui/imgui.h>

namespace viewer {
namespace {

constexpr float kTextPx = 16;  // at scale 1

ImVec4 rgb(int hex, float alpha = 1) {
  return {float((hex >> 16) & 255) / 255, float((hex >> 8) & 255) / 255, float(hex & 255) / 255, alpha};
}
std::array<float, 4> rgba(int hex, float alpha = 1) {
  const ImVec4 c = rgb(hex, alpha);
  return {c.x, c.y, c.z, c.w};
}

ImVec4 mixed(const ImVec4& a, const ImVec4& b, float share) {
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z), 1};
}

struct Shades {
  int window, popup, field, field_hovered, border, text, disabled, accent, header;
};
constexpr Shades kDark{0x1b1e23, 0x22262c, 0x2a2f37, 0x343b45, 0x30353d, 0xe4e7eb, 0x868e99, 0x4f9cd9, 0x2a2f37};
constexpr Shades kLight{0xf6f7f9, 0xffffff, 0xdde2e9, 0xd0d7e0, 0xd0d5dc, 0x1f242b, 0x727a85, 0x1f77be, 0xe3e7ec};

void set_colours(const Shades& s) {
  ImVec4* c = ImGui::GetStyle().Colors;
  c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = rgb(s.window);
  c[ImGuiCol_ChildBg] = rgb(s.window, 0);
  c[ImGuiCol_PopupBg] = rgb(s.popup);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(s.field);
  c[ImGuiCol_Text] = rgb(s.text);
  c[ImGuiCol_TextDisabled] = rgb(s.disabled);
  c[ImGuiCol_Border] = c[ImGuiCol_Separator] = c[ImGuiCol_TableBorderLight] = rgb(s.border);
  c[ImGuiCol_FrameBg] = c[ImGuiCol_Button] = c[ImGuiCol_ScrollbarGrab] = rgb(s.field);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ScrollbarGrabHovered] = rgb(s.field_hovered);
  // Opaque: buttons lie over the scene, too, whatever its brightness.
  c[ImGuiCol_FrameBgActive] = c[ImGuiCol_ButtonActive] = mixed(rgb(s.window), rgb(s.accent), 0.55f);
  c[ImGuiCol_CheckboxSelectedBg] = rgb(s.field);
  c[ImGuiCol_ScrollbarGrabActive] = rgb(s.accent, 0.7f);
  c[ImGuiCol_ScrollbarBg] = rgb(s.window, 0);
  c[ImGuiCol_Header] = rgb(s.header);
  c[ImGuiCol_HeaderHovered] = rgb(s.field_hovered);
  c[ImGuiCol_HeaderActive] = rgb(s.accent, 0.45f);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_PlotHistogram] = rgb(s.accent);
  c[ImGuiCol_SliderGrab] = rgb(s.accent, 0.5f);  // the value behind it stays readable
  c[ImGuiCol_SliderGrabActive] = rgb(s.accent, 0.7f);
  c[ImGuiCol_SeparatorActive] = rgb(s.accent);
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_ResizeGripHovered] = rgb(s.accent, 0.6f);
  c[ImGuiCol_ResizeGrip] = rgb(s.border, 0);
  c[ImGuiCol_ResizeGripActive] = rgb(s.accent);
  c[ImGuiCol_TextSelectedBg] = rgb(s.accent, 0.35f);
  c[ImGuiCol_NavCursor] = rgb(s.accent);
  c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, 0.45f);
  c[ImGuiCol_Tab] = rgb(s.field);
  c[ImGuiCol_TabHovered] = rgb(s.field_hovered);
  c[ImGuiCol_TabSelected] = c[ImGuiCol_TabDimmedSelected] = rgb(s.window);
  c[ImGuiCol_TabDimmed] = rgb(s.field);
  c[ImGuiCol_TabSelectedOverline] = rgb(s.accent);
  c[ImGuiCol_TabDimmedSelectedOverline] = rgb(s.accent, 0.5f);
  c[ImGuiCol_DockingPreview] = rgb(s.accent, 0.5f);
  c[ImGuiCol_DockingEmptyBg] = rgb(s.window, 0);
}

}  // namespace

const Palette& palette(ThemeChoice theme) {
  static const Palette dark{rgba(0x4f9cd9),        rgba(0x6cc08b),        rgba(0xe0b35a),
                            rgba(0xe5706b),        rgba(0x98a1ad),        {0.075f, 0.082f, 0.094f},
                            rgba(0xffffff, 0.16f), rgba(0x8fb7d8, 0.75f), rgba(0xe0b35a, 0.9f),
                            rgba(0xffffff),        rgba(0x4f9cd9),        rgba(0x4f9cd9, 0.16f)};
  static const Palette light{rgba(0x1f77be),        rgba(0x2c8a50),       rgba(0xa26a00),
                             rgba(0xc23934),        rgba(0x5c6570),       {0.925f, 0.932f, 0.942f},
                             rgba(0x000000, 0.16f), rgba(0x2b5f8a, 0.7f), rgba(0xa26a00, 0.9f),
                             rgba(0x111417),        rgba(0x1f77be),       rgba(0x1f77be, 0.14f)};
  return theme == ThemeChoice::kDark ? dark : light;
}

void apply_theme(ThemeChoice theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowRounding = style.ChildRounding = 0;
  style.FrameRounding = style.GrabRounding = style.PopupRounding = style.TabRounding = 4;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 12;
  style.WindowBorderSize = style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowPadding = {12, 10};
  style.FramePadding = {9, 5};
  style.ItemSpacing = {8, 7};
  style.ItemInnerSpacing = {7, 5};
  style.IndentSpacing = 14;
  style.GrabMinSize = 12;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  set_colours(theme == ThemeChoice::kDark ? kDark : kLight);
  style.ScaleAllSizes(scale);
  style.FontSizeBase = kTextPx;
  style.FontScaleMain = scale;
}

}  // namespace viewer
