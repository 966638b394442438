// Floaters to put into a scene: a dark ball before each camera, which its photo speaks against.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "splat/model/dataset.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/gaussians.h"

namespace splat::test {

// Of the SH degree of `like`; a unit ahead of the cameras, with a tenth of a unit as their size.
inline Gaussians dark_balls(const Gaussians& like, const std::vector<DatasetView>& views) {
  Gaussians balls = gather_rows(like, std::vector<uint32_t>(views.size(), 0));
  for (size_t i = 0; i < views.size(); ++i) {
    const Rigid3& pose = views[i].cam_from_world;
    const std::array<double, 3> centre = pose.origin_in_source();
    for (size_t c = 0; c < 3; ++c) {
      balls.means[3 * i + c] = float(centre[c] + pose.rotation[6 + c]);
      balls.log_scales[3 * i + c] = std::log(0.1f);
    }
    balls.logit_opacities[i] = 3;
  }
  std::fill(balls.sh.begin(), balls.sh.end(), -0.5f);
  return balls;
}

}  // namespace splat::test
