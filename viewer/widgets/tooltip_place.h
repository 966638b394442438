// Where a tooltip goes: never on what comes next in its panel. Beside the panel at the height of the item; below a
// strip or a bar, or above it; in a panel as wide as the window, above the item.
#pragma once

namespace viewer {

struct Edges {
  float left, top, right, bottom;  // px
  float width() const { return right - left; }
  float height() const { return bottom - top; }
};

struct TooltipPlace {
  float x, y;  // its upper left corner, within the window where that has room
};
TooltipPlace tooltip_place(const Edges& window, const Edges& panel, const Edges& item, float width, float height);

}  // namespace viewer
