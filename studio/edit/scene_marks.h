// What tools draw over the scene: edges of boxes, texts.
#pragma once

#include <imgui/imgui.h>

#include <array>
#include <string>
#include <vector>

#include "splat/model/box.h"
#include "studio/window/scene_place.h"

namespace studio {

using SceneLine = std::array<ImVec2, 2>;  // in the window

// Those before the camera, cut off `nearest` (world units) from it.
std::vector<SceneLine> edges_of(const splat::Box& box, const splat::View& view, const ScenePlace& scene,
                                double nearest);

// A text on a ground of its own around this place.
void draw_text_mark(ImDrawList& list, const ImVec2& middle, const std::string& text, float scale);

}  // namespace studio
