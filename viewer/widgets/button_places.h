// Positions of the controls, for tests that press them with a real mouse, and the one where the keyboard is: recorded
// only while ImGui::GetIO().UserData points to them.
#pragma once

#include <array>
#include <map>
#include <string>

namespace viewer {

struct ButtonPlaces {
  std::map<std::string, std::array<int, 2>> all;  // by label: the middle, px of the window
  std::string focused;                            // the label of that where the keyboard is, this frame
};

}  // namespace viewer
