// The ground under a scene: the plane that most points lie on of those that are nearly level, with the scene above it.
// Random sample consensus (Fischler and Bolles 1981) over at most 20 000 points, then least squares over those that
// agree. The same points give the same plane. Cost: about 50 ms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "splat/edit/edited_model.h"

namespace splat::edit {

struct GroundPlane {
  std::array<double, 3> up{0, -1, 0};  // its normal, unit
  std::array<double, 3> point{};       // on it, in the middle of those that lie on it
  double share = 0;                    // of the points, within a hundredth of the scene's size
};

// xyz [N,3]: points that are not finite do not count. up: a guess, of any length; the plane's differs from it by less
// than 40 degrees. None: no plane holds one in twenty of them.
std::optional<GroundPlane> find_ground(std::span<const float> xyz, const std::array<double, 3>& up);
std::optional<GroundPlane> find_ground(const EditedModel& edited,
                                       const std::array<double, 3>& up);  // under what is shown

}  // namespace splat::edit
