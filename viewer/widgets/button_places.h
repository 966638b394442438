// Positions of the buttons, for tests that press them with a real mouse: recorded only while ImGui::GetIO().UserData
// points to such a map.
#pragma once

#include <array>
#include <map>
#include <string>

namespace viewer {

using ButtonPlaces = std::map<std::string, std::array<int, 2>>;  // by label: the middle, px of the window

}  // namespace viewer
