// A backend for the parity suite: the GPU backend in the emulator; a scene at the edge of its room for instances; and
// the suite of twelve scenes (twelve_scenes_test.cpp).
#pragma once

#include <string>

#include "splat/backend/gpu/gpu_backend.h"
#include "tests/splat/backend/parity_suite.h"
#include "tests/support/hip_emulator/hip_emulator.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {

inline BackendCase emulated(const std::string& name, unsigned wave_size, const GpuOptions& options) {
  return {name, [=]() -> std::unique_ptr<Backend> {
            hip_emulator::device().wave_size = wave_size;
            return make_gpu_backend(options);
          }};
}

// 62 splats over all of 8x8 tiles: 3968 instances fit into the first view's room of 4096, and make that of the next
// one larger.
inline Scene nearly_full_scene() {
  Scene scene =
      make_scene({.seed = 3, .splats = 62, .width = 128, .height = 128, .min_px = 500, .max_px = 600, .margin = -0.4});
  for (float& logit_opacity : scene.model.logit_opacities) logit_opacity = -2;
  return scene;
}

class TwelveScenes : public testing::TestWithParam<BackendCase> {
 protected:
  std::unique_ptr<Backend> make() const { return GetParam().make(); }
};

}  // namespace splat::test
