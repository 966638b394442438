// How a backend draws the states of rows (splat::edit::StateBit): hidden and deleted ones not at all, selected ones in
// kSelectedColour. shaders/splats.vert does the same for OpenGL.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "splat/edit/edited_model.h"
#include "splat/model/gaussians.h"

namespace viewer {

inline constexpr uint8_t kShownStates = splat::edit::kSelected | splat::edit::kHidden | splat::edit::kDeleted;
inline constexpr std::array<float, 3> kSelectedColour{1.0f, 0.62f, 0.1f};  // [0,1]
inline constexpr float kSelectedTint = 0.6f;                               // its share

// states [N]. tinted: false where colours stand for something else.
void show_states(splat::Gaussians& rows, std::span<const uint8_t> states, bool tinted = true);

}  // namespace viewer
