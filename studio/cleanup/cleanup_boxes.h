// The groups of splats that a clean-up proposes: a box around each over the scene, in the colour of its reason.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace studio {

std::array<float, 4> colour_of_reason(size_t reason);  // of its splats, its boxes and its row in the panel
std::string as_title(std::string_view words);          // "against_photos" -> "Against photos"

// While the proposal is looked at. Finds out which box the mouse points at: the smallest one under it.
void draw_cleanup_boxes(Workspace& work, const ScenePlace& scene);

}  // namespace studio
