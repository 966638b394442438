// The program's logo, three splats on a dark tile, as packaging/desktop/icons/hipsplat.svg has it: as pixels for the
// window's icon, and drawn at any size.
#pragma once

#include <cstdint>
#include <vector>

struct ImDrawList;

namespace viewer {

std::vector<uint8_t> logo_pixels(int side);  // [side,side,4], RGBA, not multiplied by alpha
void draw_logo(ImDrawList& list, float left, float top, float side);

}  // namespace viewer
