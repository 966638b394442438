// What a web page shows beside its splats (io/splats/html/): a title, the views of photos, a camera path.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/cameras_json.h"
#include "splat/math/quat.h"

namespace io {

struct PagePose {
  std::array<double, 3> position{};                      // of the camera, world
  splat::math::Quat<double> world_from_cam{1, 0, 0, 0};  // of length 1
  double fov_y_deg = 50;
};

enum class PathEnd { kOnce, kRepeat, kPingPong };  // what follows the last pose: nothing, the first, the way back

// A camera path as it is played: poses at equal times, without regard to how they were found.
struct PagePath {
  double poses_a_second = 30;
  PathEnd end = PathEnd::kOnce;
  std::vector<PagePose> poses;  // empty: there is none
};

struct PageContents {
  std::string title;                                 // empty: the file's name
  std::optional<std::array<float, 3>> background{};  // [0,1]; none: a dark one
  std::vector<NamedView> views;                      // the page begins with the first; of many some hundreds are kept
  PagePath path;
};

}  // namespace io
