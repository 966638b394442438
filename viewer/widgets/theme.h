// Colours, spacing and sizes: a dark theme and a light one. A colour has one meaning: the accent is where the keyboard
// is and what a panel is for, a lighter surface what is chosen, green progress. What is written keeps a contrast
// of 4.5.
#pragma once

#include <array>

namespace viewer {

enum class ThemeChoice : int { kDark, kLight };

constexpr float kHeadingPx = 18, kTextPx = 17, kFactPx = 16;  // at scale 1; a line of Inter, its letters are 0.83 of it

struct Palette {
  std::array<float, 4> accent, good, warning, bad, faint;         // text and marks; faint: less important text
  std::array<float, 4> primary, primary_hovered, primary_active;  // what a panel is for, behind white
  std::array<float, 3> viewport;                                  // behind the scene
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
