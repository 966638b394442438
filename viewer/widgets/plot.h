// A curve over the iterations, for the run panel: hover reads a value, the wheel zooms, a double click shows all again;
// a right click offers a logarithmic scale.
#pragma once

#include <array>
#include <vector>

#include "viewer/widgets/theme.h"

namespace viewer {

struct PlotStyle {
  const char* id;
  const char* title;
  const char* format = "%.3g";  // of a value
  float height = 88;            // px at scale 1
  bool from_zero = false;
};
void plot(const Appearance& look, const PlotStyle& style, const std::vector<std::array<float, 2>>& points);

}  // namespace viewer
