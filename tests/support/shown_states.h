// Rows changed so that they look as the states of an edited model are drawn: what drawing with looks is compared with.
#pragma once

#include <cstdint>
#include <span>

#include "splat/model/gaussians.h"

namespace viewer {

// states [N] splat::edit::StateBit.
void show_states(splat::Gaussians& rows, std::span<const uint8_t> states);

}  // namespace viewer
