// What is written on what in both themes, in an ImGui context without a window.
#include "viewer/widgets/theme.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace viewer {
namespace {

// WCAG 2.1, relative luminance.
double luminance(const ImVec4& colour) {
  const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.x) + 0.7152 * linear(colour.y) + 0.0722 * linear(colour.z);
}

double contrast(const ImVec4& on, const ImVec4& behind) {
  const double a = luminance(on), b = luminance(behind);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

struct Named {
  std::string name;
  ImVec4 colour;
};

Named of_theme(ImGuiCol index) { return {ImGui::GetStyleColorName(index), ImGui::GetStyle().Colors[index]}; }
Named named(const char* name, const std::array<float, 4>& c) { return {name, {c[0], c[1], c[2], c[3]}}; }

class ThemeTest : public testing::TestWithParam<ThemeChoice> {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    apply_theme(GetParam(), 1);
  }
  void TearDown() override { ImGui::DestroyContext(); }
  static void expect(const std::vector<Named>& written, const std::vector<Named>& behind, double least = 4.5) {
    for (const Named& below : behind) {
      EXPECT_EQ(below.colour.w, 1) << below.name << ": what is behind it would show";
      for (const Named& one : written)
        EXPECT_GE(contrast(one.colour, below.colour), least) << one.name << " on " << below.name;
    }
  }
  const Palette& colours() const { return palette(GetParam()); }
  Named scene() const {
    return {"behind the scene", {colours().viewport[0], colours().viewport[1], colours().viewport[2], 1}};
  }
};

// WCAG 2.1, 1.4.3: 4.5 for text; 1.4.11: 3 for marks.
TEST_P(ThemeTest, WhatIsWrittenCanBeReadOnAllThatItIsWrittenOn) {
  expect({of_theme(ImGuiCol_Text)},
         {of_theme(ImGuiCol_WindowBg),      of_theme(ImGuiCol_MenuBarBg),     of_theme(ImGuiCol_PopupBg),
          of_theme(ImGuiCol_TitleBgActive), of_theme(ImGuiCol_FrameBg),       of_theme(ImGuiCol_FrameBgHovered),
          of_theme(ImGuiCol_FrameBgActive), of_theme(ImGuiCol_Button),        of_theme(ImGuiCol_ButtonHovered),
          of_theme(ImGuiCol_ButtonActive),  of_theme(ImGuiCol_Header),        of_theme(ImGuiCol_HeaderHovered),
          of_theme(ImGuiCol_HeaderActive),  of_theme(ImGuiCol_Tab),           of_theme(ImGuiCol_TabHovered),
          of_theme(ImGuiCol_TabSelected),   of_theme(ImGuiCol_TabDimmed),     of_theme(ImGuiCol_TabDimmedSelected),
          of_theme(ImGuiCol_PlotHistogram), of_theme(ImGuiCol_TableHeaderBg), scene()});
  const Named faint = named("faint", colours().faint);
  expect({of_theme(ImGuiCol_TextDisabled), faint, named("accent", colours().accent), named("good", colours().good),
          named("warning", colours().warning), named("bad", colours().bad)},
         {of_theme(ImGuiCol_WindowBg), of_theme(ImGuiCol_PopupBg), scene()});
  expect({of_theme(ImGuiCol_TextDisabled), faint}, {of_theme(ImGuiCol_FrameBg), of_theme(ImGuiCol_TitleBg)});
  expect({{"white", {1, 1, 1, 1}}},
         {named("primary", colours().primary), named("primary_hovered", colours().primary_hovered),
          named("primary_active", colours().primary_active)});
}

TEST_P(ThemeTest, MarksCanBeSeen) {
  expect({of_theme(ImGuiCol_CheckMark)}, {of_theme(ImGuiCol_CheckboxSelectedBg), of_theme(ImGuiCol_FrameBg)}, 3);
  expect({of_theme(ImGuiCol_NavCursor)}, {of_theme(ImGuiCol_WindowBg), of_theme(ImGuiCol_PopupBg), scene()}, 3);
}

// Nothing that is chosen, that goes on or that lies in the scene looks like what a panel is for.
TEST_P(ThemeTest, AColourHasOneMeaning) {
  const auto blue = [](const ImVec4& c) { return c.z > c.x + 0.2f && c.z > c.y + 0.1f; };
  EXPECT_TRUE(blue(named("", colours().accent).colour));
  EXPECT_TRUE(blue(named("", colours().primary).colour));
  for (const ImGuiCol other : {ImGuiCol_ButtonActive, ImGuiCol_FrameBgActive, ImGuiCol_HeaderActive,
                               ImGuiCol_CheckboxSelectedBg, ImGuiCol_CheckMark, ImGuiCol_PlotHistogram})
    EXPECT_FALSE(blue(of_theme(other).colour)) << ImGui::GetStyleColorName(other);
  for (const std::array<float, 4>& other : {colours().camera, colours().held_out_camera, colours().plot_line})
    EXPECT_FALSE(blue(named("", other).colour));
  EXPECT_TRUE(blue(named("", colours().current_camera).colour));
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeTest, testing::Values(ThemeChoice::kDark, ThemeChoice::kLight),
                         [](const auto& theme) { return theme.param == ThemeChoice::kDark ? "dark" : "light"; });

}  // namespace
}  // namespace viewer
