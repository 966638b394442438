// Rows changed so that they look as the states of an edited model are drawn: what drawing with looks is compared with.
#pragma once

#include "splat/model/gaussians.h"
#include "viewer/live/shown_states.h"

namespace viewer {

// Selected rows are tinted by their reasons, as far as there are any.
void show_states(splat::Gaussians& rows, const ShownRows& shown, const splat::math::Tints& tints = kSelectionTints);

}  // namespace viewer
