#include "tests/support/synthetic_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/math/activation.h"
#include "splat/math/vec.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

View random_view(RandomValues& random, const SceneOptions& options) {
  View view;
  const double focal = 0.9 * options.width + 5;
  view.camera = {options.width,       options.height,        float(focal),
                 float(1.03 * focal), 0.48f * options.width, 0.53f * options.height};
  const math::Mat3<double> rotation = math::rotation_from_quat(random.quat());
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) view.cam_from_world.rotation[size_t(3 * r + c)] = rotation.m[r][c];
  for (double& t : view.cam_from_world.translation) t = random.uniform(-1, 1);
  return view;
}

std::array<double, 3> world_from_camera(const Rigid3& pose, const std::array<double, 3>& p) {
  std::array<double, 3> world{};
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) world[c] += pose.rotation[3 * r + c] * (p[r] - pose.translation[r]);
  return world;
}

void set_random_splat(RandomValues& random, const SceneOptions& options, const View& view, Gaussians& model, size_t i) {
  const PinholeCamera& camera = view.camera;
  const double z = random.uniform(options.min_depth, options.max_depth);
  const double px = random.uniform(-options.margin, 1 + options.margin) * camera.width;
  const double py = random.uniform(-options.margin, 1 + options.margin) * camera.height;
  const auto world =
      world_from_camera(view.cam_from_world, {(px - camera.cx) / camera.fx * z, (py - camera.cy) / camera.fy * z, z});
  for (size_t k = 0; k < 3; ++k) {
    const double size_px = std::exp(random.uniform(std::log(options.min_px), std::log(options.max_px)));
    model.means[3 * i + k] = float(world[k]);
    model.log_scales[3 * i + k] = float(std::log(size_px * z / camera.fx));
  }
  const auto quat = random.quat();
  model.quats[4 * i] = float(quat.w), model.quats[4 * i + 1] = float(quat.x);
  model.quats[4 * i + 2] = float(quat.y), model.quats[4 * i + 3] = float(quat.z);
  model.logit_opacities[i] = float(math::logit(random.uniform(options.min_opacity, options.max_opacity)));
  const size_t values = 3 * size_t(model.coefficients());
  for (size_t k = 0; k < values; ++k)
    model.sh[values * i + k] = float(k < 3 ? random.uniform(-1.9, 1.7) : 0.25 * random.normal());
}

TrainingImage random_target(RandomValues& random, const SceneOptions& options) {
  TrainingImage target;
  target.width = options.width, target.height = options.height;
  const size_t width = size_t(options.width), height = size_t(options.height);
  for (int channel = 0; channel < 3; ++channel) {
    const double fx = random.uniform(0.1, 0.6), fy = random.uniform(0.1, 0.6), phase = random.uniform(0, 6);
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x) {
        const double wave = 0.5 + 0.3 * std::sin(fx * double(x) + fy * double(y) + phase);
        target.rgb.push_back(uint8_t(255 * (wave + random.uniform(-0.15, 0.15))));
      }
  }
  if (options.alpha) {
    target.background = {0.73f, 0.21f, 0.94f};  // no whole byte: L1 has a kink where both are the same
    for (size_t i = 0; i < width * height; ++i)
      target.alpha.push_back(uint8_t(std::clamp(400 - 600 * double(i % width) / double(width), 0.0, 255.0)));
    for (size_t i = 0; i < target.rgb.size(); ++i) {
      const double alpha = target.alpha[i % (width * height)] / 255.0;
      const double behind = 255 * double(target.background[i / (width * height)]);
      target.rgb[i] = uint8_t(std::lround(alpha * target.rgb[i] + (1 - alpha) * behind));
    }
  }
  if (!options.mask) return target;
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const double dx = double(x) / double(width) - 0.6, dy = double(y) / double(height) - 0.4;
      target.mask.push_back(dx * dx + dy * dy < 0.05 || x % 11 == 3 ? 0 : 255);
    }
  return target;
}

}  // namespace

Scene make_scene(const SceneOptions& options) {
  RandomValues random(options.seed);
  Scene scene;
  scene.view = random_view(random, options);
  scene.model.sh_degree = options.sh_degree;
  scene.model.resize(size_t(options.splats));
  for (size_t i = 0; i < scene.model.size(); ++i) set_random_splat(random, options, scene.view, scene.model, i);
  scene.target = random_target(random, options);
  scene.settings.background = {0.25f, 0.5f, 0.125f};
  return scene;
}

std::vector<uint32_t> add_broken_rows(Scene& scene) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  Gaussians& model = scene.model;
  const size_t values = 3 * size_t(model.coefficients());
  std::vector<uint32_t> not_drawn;
  uint32_t next = 3;
  auto broken = [&](std::vector<float>& group, size_t width, size_t offset, float value) {
    group[next * width + offset] = value;
    not_drawn.push_back(next);
    next += 2;
  };
  broken(model.means, 3, 0, nan);
  broken(model.means, 3, 2, infinity);
  broken(model.log_scales, 3, 1, nan);
  broken(model.log_scales, 3, 0, infinity);
  broken(model.log_scales, 3, 2, 60.0f);
  broken(model.quats, 4, 0, nan);
  broken(model.quats, 4, 3, -infinity);
  broken(model.logit_opacities, 1, 0, nan);
  broken(model.logit_opacities, 1, 0, -infinity);
  broken(model.logit_opacities, 1, 0, -5.7f);
  broken(model.sh, values, 1, nan);
  broken(model.sh, values, 2, infinity);
  broken(model.sh, values, 0, -infinity);
  const auto centre = scene.view.cam_from_world.origin_in_source();
  auto move = [&](double depth, double right) {  // in camera axes, from the camera's centre
    for (size_t k = 0; k < 3; ++k)
      model.means[3 * next + k] = float(centre[k] + depth * scene.view.cam_from_world.rotation[6 + k] +
                                        right * scene.view.cam_from_world.rotation[k]);
    not_drawn.push_back(next);
    next += 2;
  };
  move(-2, 0);
  move(0.004, 0);
  move(0, 0);
  move(2, 300);
  for (size_t k = 0; k < 4; ++k) model.quats[4 * next + k] = 0;
  return not_drawn;
}

View turned_view(const View& view, double radians) {
  const math::Quat<double> turn{std::cos(radians / 2), 0.4 * std::sin(radians / 2), 0.8 * std::sin(radians / 2),
                                0.45 * std::sin(radians / 2)};
  const math::Mat3<double> rotation = math::rotation_from_quat(turn);
  View out = view;
  out.cam_from_world.rotation = {};
  out.cam_from_world.translation = {};
  for (size_t r = 0; r < 3; ++r)
    for (size_t k = 0; k < 3; ++k) {
      out.cam_from_world.translation[r] += rotation.m[r][k] * view.cam_from_world.translation[k];
      for (size_t c = 0; c < 3; ++c)
        out.cam_from_world.rotation[3 * r + c] += rotation.m[r][k] * view.cam_from_world.rotation[3 * k + c];
    }
  return out;
}

}  // namespace splat::test
