// What is written on what in both themes, in an ImGui context without a window.
#include "viewer/widgets/theme.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

// WCAG 2.1, relative luminance.
double luminance(const ImVec4& colour) {
  const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.x) + 0.7152 * linear(colour.y) + 0.0722 * linear(colour.z);
}

double contrast(ImGuiCol on, ImGuiCol behind) {
  const double a = luminance(ImGui::GetStyle().Colors[on]), b = luminance(ImGui::GetStyle().Colors[behind]);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

TEST(Theme, WhatIsChosenAndTickedCanBeReadInBoth) {
  ImGui::CreateContext();
  for (const ThemeChoice theme : {ThemeChoice::kDark, ThemeChoice::kLight}) {
    apply_theme(theme, 1);
    for (const ImGuiCol behind : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive}) {
      EXPECT_EQ(ImGui::GetStyle().Colors[behind].w, 1)
          << "it lies over the scene, too: " << ImGui::GetStyleColorName(behind);
      EXPECT_GE(contrast(ImGuiCol_Text, behind), 4.5) << int(theme) << " " << ImGui::GetStyleColorName(behind);
    }
    EXPECT_GE(contrast(ImGuiCol_CheckMark, ImGuiCol_CheckboxSelectedBg), 3) << int(theme) << ": of a ticked box";
  }
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace viewer
