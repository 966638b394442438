#include "viewer/widgets/theme.h"

#include <imgui/imgui.h>

namespace viewer {
namespace {

ImVec4 rgb(int hex, float alpha = 1) {
  return {float((hex >> 16) & 255) / 255, float((hex >> 8) & 255) / 255, float(hex & 255) / 255, alpha};
}
std::array<float, 4> rgba(int hex, float alpha = 1) {
  const ImVec4 c = rgb(hex, alpha);
  return {c.x, c.y, c.z, c.w};
}

struct Shades {
  int window, popup, field, field_hovered, chosen, border, text, faint, accent, progress;
};
constexpr Shades kDark{0x1b1e23, 0x22262c, 0x2a2f37, 0x343b45, 0x4a5462,
                       0x30353d, 0xe4e7eb, 0x98a1ad, 0x4f9cd9, 0x2a7048};
constexpr Shades kLight{0xf6f7f9, 0xffffff, 0xe3e7ec, 0xd6dce4, 0xb6c1ce,
                        0xd0d5dc, 0x1f242b, 0x565f6a, 0x1a6cb0, 0x6cc08b};

void set_colours(const Shades& s) {
  ImVec4* c = ImGui::GetStyle().Colors;
  c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = rgb(s.window);
  c[ImGuiCol_ChildBg] = rgb(s.window, 0);
  c[ImGuiCol_PopupBg] = rgb(s.popup);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(s.field);
  c[ImGuiCol_Text] = rgb(s.text);
  c[ImGuiCol_TextDisabled] = rgb(s.faint);
  c[ImGuiCol_Border] = c[ImGuiCol_Separator] = c[ImGuiCol_TableBorderLight] = rgb(s.border);
  c[ImGuiCol_TableBorderStrong] = rgb(s.border);
  c[ImGuiCol_TableHeaderBg] = rgb(s.field);
  c[ImGuiCol_TableRowBgAlt] = rgb(s.text, 0.04f);
  c[ImGuiCol_FrameBg] = c[ImGuiCol_Button] = c[ImGuiCol_ScrollbarGrab] = rgb(s.field);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ScrollbarGrabHovered] = rgb(s.field_hovered);
  // Opaque: buttons lie over the scene, too, whatever its brightness.
  c[ImGuiCol_FrameBgActive] = c[ImGuiCol_ButtonActive] = c[ImGuiCol_CheckboxSelectedBg] = rgb(s.chosen);
  c[ImGuiCol_ScrollbarGrabActive] = rgb(s.accent, 0.7f);
  c[ImGuiCol_ScrollbarBg] = rgb(s.window, 0);
  c[ImGuiCol_Header] = rgb(s.field);
  c[ImGuiCol_HeaderHovered] = rgb(s.field_hovered);
  c[ImGuiCol_HeaderActive] = rgb(s.chosen);
  c[ImGuiCol_CheckMark] = rgb(s.text);
  c[ImGuiCol_PlotHistogram] = rgb(s.progress);
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
  static const Palette dark{.accent = rgba(0x4f9cd9),
                            .good = rgba(0x6cc08b),
                            .warning = rgba(0xe0b35a),
                            .bad = rgba(0xe5706b),
                            .faint = rgba(kDark.faint),
                            .primary = rgba(0x2f6ea3),
                            .primary_hovered = rgba(0x3577ae),
                            .primary_active = rgba(0x285f8d),
                            .viewport = {0.075f, 0.082f, 0.094f},
                            .grid = rgba(0xffffff, 0.16f),
                            .camera = rgba(0xb4bcc6, 0.7f),
                            .held_out_camera = rgba(0xe0b35a, 0.9f),
                            .current_camera = rgba(0x4f9cd9),
                            .plot_line = rgba(0xaab4c0),
                            .plot_fill = rgba(0xaab4c0, 0.14f)};
  static const Palette light{.accent = rgba(0x1a6cb0),
                             .good = rgba(0x217a43),
                             .warning = rgba(0x8f5d00),
                             .bad = rgba(0xc23934),
                             .faint = rgba(kLight.faint),
                             .primary = rgba(0x195f98),
                             .primary_hovered = rgba(0x1f6fb0),
                             .primary_active = rgba(0x164f7e),
                             .viewport = {0.925f, 0.932f, 0.942f},
                             .grid = rgba(0x000000, 0.16f),
                             .camera = rgba(0x59626d, 0.75f),
                             .held_out_camera = rgba(0xa26a00, 0.9f),
                             .current_camera = rgba(0x1a6cb0),
                             .plot_line = rgba(0x59626d),
                             .plot_fill = rgba(0x59626d, 0.12f)};
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
  style.FramePadding = {9, 4};
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
