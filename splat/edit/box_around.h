// Boxes around rows of a model that is edited.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "splat/model/box.h"
#include "splat/model/gaussians.h"

namespace splat::edit {

enum class BoxRows : uint8_t {
  kAll,     // that are neither deleted nor hidden
  kMiddle,  // of those, between the 5th and the 95th of a hundred along each of the box's axes
  kSelected,
};

// The smallest box turned like this around the centres of the rows; sides that would be 0 are a thousandth of the
// longest, or 1. None: no such row has a finite centre. states [N] StateBit.
std::optional<Box> box_around(const Gaussians& model, std::span<const uint8_t> states, BoxRows rows,
                              const math::Quat<double>& rotation);

}  // namespace splat::edit
