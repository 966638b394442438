// Curves over the iterations, for the panels of runs, drawn below each other: a plot with axes, whose wheel zooms,
// whose double click shows all again and whose right click offers a logarithmic scale; and rows with a small curve
// without axes. While the mouse is over one of them, all of them say their value at its iteration.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "viewer/widgets/theme.h"

namespace viewer {

// The iteration that the mouse points at, in whichever of the curves that share this.
struct CurveHover {
  std::optional<float> at;
  void begin_frame() { at = std::exchange(next_, std::nullopt); }
  void found(float iteration) { at = next_ = iteration; }

 private:
  std::optional<float> next_;  // for those that were drawn before it was found
};

struct PlotStyle {
  const char* id;
  const char* title;
  const char* format = "%.3g";  // of a value
  float height = 88;            // px at scale 1
  bool from_zero = false;
  float last = 0;  // iteration at the right end; 0: the last point's
};
using CurvePoints = std::vector<std::array<float, 2>>;  // (iteration, value), rising
void plot(const Appearance& look, const PlotStyle& style, const CurvePoints& points, CurveHover& hover);
void sparkline(const Appearance& look, const PlotStyle& style, const CurvePoints& points, CurveHover& hover);

}  // namespace viewer
