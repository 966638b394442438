// How a backend draws the states of rows (splat::edit::StateBit): hidden and deleted ones not at all, selected ones
// with a tint. shaders/splats.vert does the same for OpenGL.
#pragma once

#include <cstdint>

#include "splat/edit/edited_model.h"
#include "splat/math/row_look.h"

namespace viewer {

inline constexpr splat::math::Tint kSelectedTint{1.0f, 0.62f, 0.1f, 0.6f};

// tinted: false where colours stand for something else.
constexpr uint8_t look_of(uint8_t state, bool tinted) {
  return uint8_t((state & splat::edit::kNotShown ? splat::math::kNotDrawn : 0) |
                 (tinted && state & splat::edit::kSelected ? splat::math::kTinted : 0));
}

}  // namespace viewer
