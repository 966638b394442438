// Controls by themselves, in an ImGui context without a window: what stands beside what, and what is typed.
#include <gtest/gtest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <string>

#include "tests/viewer/widgets/imgui_test.h"
#include "viewer/widgets/button_places.h"
#include "viewer/widgets/icon_button.h"
#include "viewer/widgets/tooltip_place.h"

namespace viewer {
namespace {

class ControlsTest : public ImGuiTest {
 protected:
  void SetUp() override {
    ImGuiTest::SetUp();
    ImGui::GetIO().UserData = &places_;
  }
  template <class Draw>
  static void frame(const Draw& draw) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("panel");
    draw();
    ImGui::End();
    ImGui::EndFrame();
  }

  ButtonPlaces places_;
};

TEST_F(ControlsTest, ASlidersValueStandsBesideItsTrack) {
  constexpr float kWidth = 200;
  for (float value : {0.1f, 40.0f, 500.0f}) {
    const auto before = places_;
    frame([&] {
      const float left = ImGui::GetCursorScreenPos().x;
      ImGui::SetNextItemWidth(kWidth);
      slider("##radius", &value, {0.1f, 500, 40, "%.0f px", true});
      const float low = ImGui::GetItemRectMin().x, high = ImGui::GetItemRectMax().x;  // of the value
      EXPECT_GT(low, left + 2 * (float(places_.all["##radius"][0]) - left)) << "the track ends before it";
      EXPECT_NEAR(high, left + kWidth, 1);
    });
    EXPECT_TRUE(before.all.empty() || places_.all == before.all) << "whatever the value, the track is the same";
  }
}

TEST_F(ControlsTest, TheTipOfAMainButtonIsNotWrittenInItsWhite) {
  apply_theme(ThemeChoice::kLight, 1);
  const auto draw = [] { main_button({ThemeChoice::kLight}, "Go", "What it does", 100); };
  const auto tip = [] { return ImGui::FindWindowByName("##Tooltip_00"); };
  frame(draw);
  ImGui::GetIO().AddMousePosEvent(float(places_.all["Go"][0]), float(places_.all["Go"][1]));
  for (int i = 0; i < 100 && !tip(); ++i) frame(draw);
  frame(draw);
  ASSERT_TRUE(tip());
  const ImU32 words = ImGui::GetColorU32(ImGuiCol_Text);
  EXPECT_TRUE(std::any_of(tip()->DrawList->VtxBuffer.begin(), tip()->DrawList->VtxBuffer.end(),
                          [&](const ImDrawVert& one) { return one.col == words; }));
}

TEST_F(ControlsTest, ButtonsOfARowLeaveNoHoles) {
  const Appearance look;
  const auto width = [] { return ImGui::GetItemRectSize().x; };
  frame([&] {
    ImGui::TextUnformatted("Behind");
    ImGui::SameLine();
    const float left = ImGui::GetCursorScreenPos().x, all = ImGui::GetContentRegionAvail().x;
    EvenRow row(look, 3);
    row.button("A", nullptr);
    const float third = width();
    row.button("What only a line for itself has room for", nullptr);
    EXPECT_EQ(width(), all);
    EXPECT_EQ(ImGui::GetItemRectMin().x, left) << "not below the word before it";
    row.button("B", nullptr);
    EXPECT_EQ(width(), all) << "nothing stands beside it";
    EXPECT_LT(third, all / 3);
  });
}

TEST_F(ControlsTest, NoCountIsAutomatic) {
  int count = 0;
  const auto draw = [&](bool focus) {
    frame([&] {
      if (focus) ImGui::SetKeyboardFocusHere();
      count_field("##count", &count, 50);
    });
  };
  draw(true);
  draw(false);
  ImGui::GetIO().AddInputCharactersUTF8("40");
  for (int i = 0; i < 4; ++i) draw(false);
  EXPECT_EQ(count, 40);
  ImGui::GetIO().AddInputCharactersUTF8("0");
  for (int i = 0; i < 4; ++i) draw(false);
  EXPECT_EQ(count, 50) << "the most";
  for (int i = 0; i < 3; ++i) {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, true), ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, false);
    for (int frames = 0; frames < 3; ++frames) draw(false);
  }
  EXPECT_EQ(count, 0);
}

TEST_F(ControlsTest, NoDegreeAboveThatOfTheSceneCanBeChosen) {
  const Appearance look;
  int degree = 1;
  const auto press = [&](const char* label) {
    for (const bool down : {false, true, false}) {
      const auto place = places_.all[label];
      ImGui::GetIO().AddMousePosEvent(float(place[0]), float(place[1]));
      ImGui::GetIO().AddMouseButtonEvent(0, down);
      for (int i = 0; i < 2; ++i) frame([&] { degree_choice(look, &degree, 2); });
    }
  };
  frame([&] { degree_choice(look, &degree, 2); });
  press("3");
  EXPECT_EQ(degree, 1);
  press("2");
  EXPECT_EQ(degree, 2);
}

TEST_F(ControlsTest, IconsShrinkWhereThereIsLittleRoom) {
  const Appearance look;
  EXPECT_EQ(icon_cell(look, 5, 400, 4), kIconCell);
  const float cell = icon_cell(look, 5, 100, 4);
  EXPECT_LE(5 * cell + 4 * 4, 100);
  EXPECT_GT(cell, 15);
  EXPECT_GT(icon_cell(look, 5, 10, 4), 0) << "they never vanish";
}

bool overlap(const TooltipPlace& at, float width, float height, const Edges& other) {
  return at.x < other.right && at.x + width > other.left && at.y < other.bottom && at.y + height > other.top;
}

TEST(Tooltips, LieOnNothingThatComesNext) {
  constexpr Edges kWindow{0, 0, 1000, 700};
  constexpr float kWidth = 250, kHeight = 60;
  const Edges left{0, 30, 300, 670}, right{640, 30, 1000, 670}, item{20, 640, 120, 666};
  EXPECT_FALSE(overlap(tooltip_place(kWindow, left, item, kWidth, kHeight), kWidth, kHeight, left));
  EXPECT_LE(tooltip_place(kWindow, left, item, kWidth, kHeight).y + kHeight, kWindow.bottom);
  const Edges of_right{700, 100, 800, 126};
  EXPECT_FALSE(overlap(tooltip_place(kWindow, right, of_right, kWidth, kHeight), kWidth, kHeight, right));
  const Edges strip{300, 30, 640, 66}, of_strip{560, 35, 590, 61};
  const TooltipPlace below = tooltip_place(kWindow, strip, of_strip, kWidth, kHeight);
  EXPECT_GE(below.y, strip.bottom);
  EXPECT_LE(below.x + kWidth, strip.right) << "and on no panel beside it";
  const Edges status{0, 670, 1000, 700}, of_status{900, 675, 990, 695};
  const TooltipPlace above = tooltip_place(kWindow, status, of_status, kWidth, kHeight);
  EXPECT_LE(above.y + kHeight, status.top);
  EXPECT_LE(above.x + kWidth, kWindow.right);
  const Edges page{0, 30, 1000, 670}, button{300, 300, 600, 350};
  EXPECT_LE(tooltip_place(kWindow, page, button, kWidth, kHeight).y + kHeight, button.top)
      << "a page as wide as the window: what was read, not what comes";
}

}  // namespace
}  // namespace viewer
