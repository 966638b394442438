// Colours, spacing and sizes: a dark theme and a light one.
#pragma once

#include <array>

namespace viewer {

enum class ThemeChoice : int { kDark, kLight };

struct Palette {
  std::array<float, 4> accent, good, warning, bad, faint;  // text and marks; faint: less important text
  std::array<float, 3> viewport;                           // behind the scene
  std::array<float, 4> grid, camera, held_out_camera, current_camera;
  std::array<float, 4> plot_line, plot_fill;
};

const Palette& palette(ThemeChoice theme);

// How the interface looks at present: what every widget needs to know.
struct Appearance {
  ThemeChoice theme = ThemeChoice::kDark;
  float scale = 1;  // the display's times the user's
  const Palette& colours() const { return palette(theme); }
};

void apply_theme(ThemeChoice theme, float scale);  // scale: of the display, times the user's

}  // namespace viewer
