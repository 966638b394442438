// Colours, spacing and fonts: a dark theme and a light one.
#pragma once

#include <array>

struct ImFont;

namespace viewer {

enum class ThemeChoice : int { kDark, kLight };

struct Palette {
  std::array<float, 4> accent, good, warning, bad, faint;  // text and marks; faint: less important text
  std::array<float, 3> viewport;                           // behind the scene
  std::array<float, 4> grid, camera, held_out_camera, current_camera;
  std::array<float, 4> plot_line, plot_fill;
};

struct Fonts {
  ImFont* text = nullptr;
  ImFont* title = nullptr;
};

const Palette& palette(ThemeChoice theme);

// How the interface looks at present: what every widget needs to know.
struct Appearance {
  ThemeChoice theme = ThemeChoice::kDark;
  float scale = 1;  // the display's times the user's
  Fonts fonts;
  const Palette& colours() const { return palette(theme); }
};

void apply_theme(ThemeChoice theme, float scale);  // scale: of the display, times the user's
// Loads the fonts at this scale: Inter or DejaVu Sans where installed, else ImGui's own. Call it before the first
// frame, or between two frames, and upload the font texture again.
Fonts load_fonts(float scale);

}  // namespace viewer
