// A line chart as inline SVG: axes with round ticks, one curve, its points as dots where there are few of them.
// Colours come from the page's CSS (classes axis, grid, curve, dot), so that it fits light and dark.
#pragma once

#include <string>
#include <vector>

namespace app {

struct Chart {
  std::string title;
  std::string unit;        // "dB", or empty
  bool from_zero = false;  // the y axis starts at 0
  struct Point {
    double x = 0, y = 0;
  };
  std::vector<Point> points;  // ascending x, finite
};

std::string chart_svg(const Chart& chart);

// Round numbers (1, 2 or 5 times a power of ten apart) that cover [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace app
