// Cameras in the plane y = 0 and rows that are points, for tests of what density control does by where they are.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat::test {

// 100 px, 90 degrees wide, at x = `x`, looking along +z or, turned about y, along -z.
inline View camera_at(float x, float z, bool turned = false) {
  View view;
  view.camera = {100, 100, 50, 50, 50, 50};
  if (turned) view.cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  view.cam_from_world.translation = {turned ? x : -x, 0, turned ? z : -z};
  return view;
}

inline Gaussians at(const std::vector<std::array<float, 3>>& means) {
  Gaussians model;
  model.sh_degree = 0;
  model.resize(means.size());
  for (size_t i = 0; i < means.size(); ++i) std::copy_n(means[i].begin(), 3, &model.means[3 * i]);
  return model;
}

}  // namespace splat::test
