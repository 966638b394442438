// How a backend draws the states of rows (splat::edit::StateBit): hidden and deleted ones not at all, selected ones
// with a tint. shaders/splats.vert does the same for OpenGL.
#pragma once

#include <cstdint>
#include <span>

#include "splat/edit/edited_model.h"
#include "splat/math/row_look.h"
#include "viewer/display_settings.h"

namespace viewer {

// By number: that of a selection, as it is at first (selection_tints()), then those of the reasons why a clean-up
// proposes a splat. Apart for most who see colours otherwise, and on dark and bright scenes.
inline constexpr splat::math::Tints kSelectionTints{{{1.0f, 0.62f, 0.1f, 0.6f},
                                                     {0.93f, 0.16f, 0.22f, 0.75f},
                                                     {0.20f, 0.60f, 1.0f, 0.75f},
                                                     {0.97f, 0.92f, 0.25f, 0.75f},
                                                     {0.0f, 0.72f, 0.50f, 0.75f},
                                                     {0.85f, 0.40f, 0.90f, 0.75f},
                                                     {0.45f, 0.95f, 0.95f, 0.75f},
                                                     {0.75f, 0.75f, 0.75f, 0.75f}}};

constexpr splat::math::Tints selection_tints(const DisplaySettings& settings) {
  splat::math::Tints tints = kSelectionTints;
  const auto& [red, green, blue] = settings.selection_colour;
  tints.of[0] = {red, green, blue, tints.of[0].share};
  return tints;
}

// The rows of a model that is edited.
struct ShownRows {
  std::span<const uint8_t> states;   // [N] or none
  std::span<const uint8_t> reasons;  // [N] or fewer: tints of SelectionTint::kByReason; 0: that of a selection
};

constexpr uint8_t look_of(const ShownRows& rows, size_t row, SelectionTint selection) {
  const uint8_t state = rows.states[row];
  uint8_t look = state & splat::edit::kNotShown ? splat::math::kNotDrawn : 0;
  if (selection == SelectionTint::kNone || !(state & splat::edit::kSelected)) return look;
  const bool has_reason = selection == SelectionTint::kByReason && row < rows.reasons.size();
  return look | splat::math::tinted_look(has_reason ? rows.reasons[row] : 0);
}

}  // namespace viewer
