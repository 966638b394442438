// Seeded scenes for tests: random splats in front of a turned camera, a view, and a picture to compare with.
#pragma once

#include <cstdint>

#include "splat/backend/backend.h"

namespace splat::test {

struct SceneOptions {
  uint64_t seed = 1;
  int splats = 120;
  int width = 67, height = 45;  // px; no multiples of a tile
  int sh_degree = 3;
  double min_px = 0.6, max_px = 6;  // standard deviations on screen
  double min_opacity = 0.05, max_opacity = 0.95;
  double margin = 0.2;  // centres lie up to this many image sizes outside the image
  double min_depth = 1.5, max_depth = 8;
  bool mask = false;   // an ellipse and some stripes do not count
  bool alpha = false;  // the target fades towards the right and is transparent beyond, over a background of its own
};

struct Scene {
  Gaussians model;
  View view;
  TrainingImage target;
  RenderSettings settings;
};

Scene make_scene(const SceneOptions& options);

// Rows that must never reach the picture: NaN and infinite parameters of every kind, a zero quaternion (drawn
// unturned), splats behind the camera, far outside, enormous, and all but transparent. Returns the indices of those not
// drawn.
std::vector<uint32_t> add_broken_rows(Scene& scene);

// Another view of the same splats: the camera turned a little around its own axes.
View turned_view(const View& view, double radians);

}  // namespace splat::test
