// Seeded scenes to measure speed with: as much to blend at every pixel as in a trained scene, whatever the counts. Not
// for tests of correctness (tests/support has small scenes with edges and broken rows for those).
// Splats: 70 % lie on a wavy surface with a little noise, 30 % up to 4 units behind it; the view sees 83 % of them.
// Standard deviations are log-normal around 1.6 px for 100k splats on 500x375 and scale with sqrt(pixels / splats), so
// that the picture is covered alike at every size; stretched at random, thin along the third axis, turned at random.
// Opacities are logistic-normal around 0.43; SH degree 3. The target is noise. Rows are in random order, as after
// densification. The cost model in docs/benchmarks.md was measured on it.
// Cost: about 1 us a splat.
#pragma once

#include <cstddef>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"

namespace splat::bench {

struct SceneSize {
  size_t splats = 0;
  int width = 0, height = 0;  // px

  bool operator==(const SceneSize&) const = default;
};

struct Scene {
  SceneSize size;
  Gaussians model;
  View view;
  TrainingImage target;
};

Scene make_scene(const SceneSize& size);

}  // namespace splat::bench
