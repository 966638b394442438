// Cameras in the plane y = 0 and rows that are points, for tests of what density control does by where they are.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/gaussians.h"
#include "splat/model/morton.h"
#include "splat/model/transform.h"

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

// Cameras at random places, turned about all axes.
inline std::vector<View> random_views(std::mt19937& random, size_t count, double room) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<View> views;
  for (size_t i = 0; i < count; ++i) {
    View view;
    view.camera = {100, 60, float(90 + 60 * uniform(random)), 90, float(40 + 30 * uniform(random)), 30};
    const math::Quat<double> turn =
        quat_about_axes({180 * uniform(random), 90 * uniform(random), 180 * uniform(random)});
    const math::Mat3<double> r = math::rotation_from_quat(turn);
    for (size_t k = 0; k < 9; ++k) view.cam_from_world.rotation[k] = r.m[k / 3][k % 3];
    for (double& t : view.cam_from_world.translation) t = room * uniform(random);
    views.push_back(view);
  }
  return views;
}

// Some are nowhere.
inline Gaussians random_rows(std::mt19937& random, size_t count, bool in_order) {
  std::normal_distribution<float> normal;
  std::vector<std::array<float, 3>> means(count);
  for (auto& mean : means)
    for (float& x : mean) x = 2 * normal(random);
  Gaussians model = at(means);
  if (in_order) model = gather_rows(model, morton_order(model.means));
  model.means[3 * 77] = std::numeric_limits<float>::quiet_NaN();
  model.means[3 * 300 + 1] = std::numeric_limits<float>::infinity();
  return model;
}

}  // namespace splat::test
