// The up axis, for navigation and the grid only; the data stays as it is.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "viewer/camera/geometry.h"
#include "viewer/camera/navigator.h"

namespace viewer {

enum class UpSource { kFile, kCameras, kShape, kHabit };  // where a guess comes from

struct UpGuess {
  Vec3 up{0, -1, 0};  // unit
  UpSource source = UpSource::kHabit;
};

// Mean of the cameras' up directions; none when they cancel out (a mean shorter than 0.3).
std::optional<Vec3> up_of_cameras(std::span<const PhotoCamera> cameras);

// The normal of the plane that the points lie around (least principal component), on the side of -Y; none when they
// lie around no plane: its extent is more than 0.6 of the next one's.
std::optional<Vec3> up_of_points(std::span<const float> xyz);  // [N,3]

// The first that is known: the file's, that of the cameras, of the points, else -Y as in most files.
UpGuess guess_up(const std::optional<Vec3>& from_file, std::span<const PhotoCamera> cameras,
                 std::span<const float> points);  // [N,3]

std::string sentence(UpSource source);  // "estimated from the photos' cameras"

}  // namespace viewer
