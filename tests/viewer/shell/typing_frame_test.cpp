// What is typed and clicked while one slow frame is drawn, as the events that GLFW's callbacks make of it.
#include "viewer/shell/typing_frame.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cctype>
#include <string>

#include "tests/viewer/widgets/imgui_test.h"

namespace viewer {
namespace {

class TypingFrame : public ImGuiTest {
 protected:
  void frame(bool focus = false) {
    begin_typing_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::Begin("panel");
    if (focus) ImGui::SetKeyboardFocusHere();
    entered |= ImGui::InputText("##field", text_, sizeof text_, ImGuiInputTextFlags_EnterReturnsTrue);
    field_ = middle();
    clicks += ImGui::Button("press");
    button_ = middle();
    ImGui::End();
    ImGui::EndFrame();
  }
  void begin_typing() {
    frame(true);
    for (int i = 0; i < 3; ++i) frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  }
  // Until nothing waits any more; how many frames that took.
  int frames_for_all() {
    int frames = 0;
    do {
      frame();
      ++frames;
    } while (!ImGui::GetCurrentContext()->InputEventsQueue.empty());
    return frames;
  }
  static void change(ImGuiKey key, bool down) { ImGui::GetIO().AddKeyEvent(key, down); }
  static void press(ImGuiKey key) { change(key, true), change(key, false); }
  // As Window's callbacks part frames where a modifier is let go.
  static void hold(ImGuiKey modifier, ImGuiKey key, bool down) {
    if (!down) press(ImGuiKey_F24);
    change(modifier, down), change(key, down);
  }
  static void type(const std::string& letters) {
    for (const char letter : letters) {
      const bool shift = std::isupper(letter);
      const ImGuiKey key = letter == ' ' ? ImGuiKey_Space : ImGuiKey(ImGuiKey_A + std::tolower(letter) - 'a');
      if (shift) hold(ImGuiMod_Shift, ImGuiKey_LeftShift, true);
      change(key, true);
      ImGui::GetIO().AddInputCharacter(unsigned(letter));
      change(key, false);
      if (shift) hold(ImGuiMod_Shift, ImGuiKey_LeftShift, false);
    }
  }
  std::string text() const { return text_; }

  int clicks = 0;
  bool entered = false;
  ImVec2 field_, button_;  // their middles

 private:
  static ImVec2 middle() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {(low.x + high.x) / 2, (low.y + high.y) / 2};
  }
  char text_[100] = "";
};

TEST_F(TypingFrame, AllLettersOfASlowFrameAreThereInTheNext) {
  begin_typing();
  type("Twenty letters of A Slow Frame");
  frame();
  EXPECT_EQ(text(), "Twenty letters of A Slow Frame");
  EXPECT_EQ(frames_for_all(), 1);
  type("ll");
  frame();
  EXPECT_EQ(text(), "Twenty letters of A Slow Framell") << "of one key";
}

TEST_F(TypingFrame, OtherKeysKeepTheirPlaceAmongLetters) {
  begin_typing();
  type("ab");
  press(ImGuiKey_Backspace);
  type("cde");
  press(ImGuiKey_LeftArrow);
  type("x");
  EXPECT_LE(frames_for_all(), 8);
  EXPECT_EQ(text(), "acdxe");
  hold(ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, true);
  press(ImGuiKey_A);
  hold(ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, false);
  type("new");
  frames_for_all();
  EXPECT_EQ(text(), "new") << "Ctrl+A selects all that was there";
  type("er");
  EXPECT_FALSE(entered);
  press(ImGuiKey_Enter);
  type("not for the field");
  frames_for_all();
  EXPECT_TRUE(entered);
  EXPECT_EQ(text(), "newer");
}

TEST_F(TypingFrame, AClickOfOneFrameIsSeenAfterWhatWasTypedBefore) {
  begin_typing();
  ImGuiIO& io = ImGui::GetIO();
  type("abc");
  io.AddMousePosEvent(button_.x, button_.y);
  io.AddMouseButtonEvent(0, true);
  io.AddMouseButtonEvent(0, false);
  frames_for_all();
  frame();
  EXPECT_EQ(clicks, 1);
  EXPECT_EQ(text(), "abc");
  type("none");
  frames_for_all();
  EXPECT_EQ(text(), "abc") << "the field has no keyboard any more";
}

}  // namespace
}  // namespace viewer
