// Square buttons that show an icon (icons.h) instead of a word; their tooltip begins with what they are called.
#pragma once

#include "viewer/widgets/icons.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

inline constexpr float kIconCell = 32;  // px at scale 1, usually

// A cell with which `count` of them fit `room` beside each other, `gap` between them: the usual one, or a smaller one.
float icon_cell(const Appearance& look, int count, float room, float gap);

// name: its id, and what tests call it. on: what it stands for is chosen.
bool icon_button(const Appearance& look, const char* icon, const char* name, const std::string& tip, bool on,
                 float cell);

}  // namespace viewer
