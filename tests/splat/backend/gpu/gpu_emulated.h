// The GPU backend on the emulator, by width of a wave: what its tests share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "splat/backend/gpu/gpu_backend.h"
#include "tests/splat/backend/gpu/emulated_case.h"
#include "tests/support/parity.h"

namespace splat::test {

class GpuEmulated : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { hip_emulator::device().wave_size = GetParam(); }
  void TearDown() override { hip_emulator::device() = {}; }
  static std::unique_ptr<GpuBackend> make(bool ordered = false) {
    return make_gpu_backend({.name = "emulated", .ordered = ordered});
  }
  static ImageF image_of(Backend& backend) {
    ImageF image;
    backend.read_image(image);
    return image;
  }
  static Gaussians model_of(const Backend& backend) {
    Gaussians model;
    backend.download(model);
    return model;
  }
};

inline void iterate_once(Backend& backend, const Scene& scene) {
  backend.forward(scene.view, scene.settings);
  backend.loss(scene.target, {});
  backend.backward();
  backend.update({.iteration = 1});
}

inline Scene small_scene() { return make_scene({.seed = 5, .splats = 40, .width = 37, .height = 20, .max_px = 3}); }

}  // namespace splat::test
