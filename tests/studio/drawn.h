// What panels and dialogs write, in a context of Dear ImGui of 1000x700 px without a window.
#pragma once

#include <imgui/imgui_internal.h>

#include <algorithm>
#include <string>

#include "studio/names.h"
#include "tests/viewer/widgets/imgui_test.h"
#include "viewer/widgets/button_places.h"

namespace studio {

class DrawnTest : public ImGuiTest {
 protected:
  void SetUp() override {
    ImGuiTest::SetUp();
    ImGui::GetIO().DisplaySize = {1000, 700};
    ImGui::GetIO().UserData = &places_;
  }

  // All words of the last of some frames: dialogs open in the second, and have their size in the third.
  template <class Draw>
  std::string words_of(const Draw& draw) {
    constexpr int kFrames = 4;
    std::string words;
    for (int i = 0; i < kFrames; ++i) {
      ImGui::NewFrame();
      ImGui::LogToBuffer();
      draw();
      words = ImGui::GetCurrentContext()->LogBuffer.c_str();
      ImGui::LogFinish();
      ImGui::EndFrame();
    }
    std::replace(words.begin(), words.end(), '\n', ' ');  // lines break where a panel is narrow
    return words;
  }
  // On what was drawn under this name; the words after that.
  template <class Draw>
  std::string click(const std::string& label, const Draw& draw) {
    const auto& place = places_.all.at(label);
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(float(place[0]), float(place[1]));
    words_of(draw);
    io.AddMouseButtonEvent(0, true);
    io.AddMouseButtonEvent(0, false);
    return words_of(draw);
  }

  ButtonPlaces places_;
};

}  // namespace studio
