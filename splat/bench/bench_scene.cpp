#include "splat/bench/bench_scene.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"
#include "splat/core/random.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/morton.h"

namespace splat::bench {
namespace {

constexpr uint64_t kModelSeed = 1, kTargetSeed = 2;
constexpr float kReferenceSize = 1.6f, kReferenceSplats = 100'000, kReferencePixels = 500 * 375;

View make_view(const SceneSize& size) {
  View view;
  const float w = float(size.width), h = float(size.height);
  view.camera = {size.width, size.height, 0.8f * w, 0.8f * w, 0.5f * w, 0.5f * h};
  return view;
}

void set_splat(random::Sequence& random, const PinholeCamera& camera, float size_px, Gaussians& model, size_t i) {
  const float u = random.uniform() * 1.1f - 0.05f, v = random.uniform() * 1.1f - 0.05f;
  const float surface = 3 + 2 * std::sin(6 * u) * std::cos(5 * v);
  const bool on_surface = random.uniform() < 0.7f;
  const float z = std::max(0.5f, surface + (on_surface ? 0.05f * random.normal() : 4 * random.uniform()));
  model.means[3 * i] = (u * float(camera.width) - camera.cx) / camera.fx * z;
  model.means[3 * i + 1] = (v * float(camera.height) - camera.cy) / camera.fy * z;
  model.means[3 * i + 2] = z;
  const float size = size_px * std::exp(0.6f * random.normal()) * z / camera.fx;
  const float stretch = std::exp(0.5f * random.normal());
  model.log_scales[3 * i] = std::log(size * stretch);
  model.log_scales[3 * i + 1] = std::log(size / stretch);
  model.log_scales[3 * i + 2] = std::log(size * 0.3f);
  for (size_t k = 0; k < 4; ++k) model.quats[4 * i + k] = random.normal();
  model.logit_opacities[i] = 1.6f * random.normal() - 0.3f;
  constexpr size_t kValues = 3 * kMaxShCoefficients;
  for (size_t k = 0; k < kValues; ++k)
    model.sh[kValues * i + k] = k < 3 ? 0.8f * random.normal() : 0.35f * (random.uniform() - 0.5f);
}

TrainingImage make_target(const SceneSize& size) {
  TrainingImage target;
  target.width = size.width;
  target.height = size.height;
  random::Sequence random(kTargetSeed, random::kBench);
  target.rgb.resize(size_t(3) * size.width * size.height);
  for (uint8_t& value : target.rgb) value = uint8_t(random.below(256));
  return target;
}

}  // namespace

Scene make_scene(const SceneSize& size) {
  SPLAT_CHECK(size.splats > 0 && size.width > 0 && size.height > 0);
  Scene scene{size, {}, make_view(size), make_target(size)};
  scene.model.sh_degree = kMaxShDegree;
  scene.model.resize(size.splats);
  const float pixels = float(size.width) * float(size.height);
  const float size_px =
      kReferenceSize * std::sqrt(kReferenceSplats / float(size.splats)) * std::sqrt(pixels / kReferencePixels);
  random::Sequence random(kModelSeed, random::kBench);
  for (size_t i = 0; i < size.splats; ++i) set_splat(random, scene.view.camera, size_px, scene.model, i);
  scene.model = gather_rows(scene.model, morton_order(scene.model.means));  // as training keeps them
  return scene;
}

}  // namespace splat::bench
