// Splats in arrays, as callers of the library have them.
#pragma once

#include <hipsplat.h>

#include <memory>
#include <random>
#include <vector>

namespace hs_test {

struct Arrays {
  int degree = 0;
  std::vector<float> means, quats, log_scales, logit_opacities, sh;

  hs_splats splats() const {
    hs_splats given{};
    given.struct_size = sizeof given;
    given.count = logit_opacities.size();
    given.sh_degree = degree;
    given.means = means.data();
    given.quats = quats.data();
    given.log_scales = log_scales.data();
    given.logit_opacities = logit_opacities.data();
    given.sh = sh.data();
    return given;
  }
};

// In front of camera() with its back to the origin.
inline Arrays some_splats(size_t count, int degree, unsigned seed = 1) {
  std::mt19937 random(seed);
  const auto fill = [&](std::vector<float>& values, size_t size, float low, float high) {
    std::uniform_real_distribution<float> between(low, high);
    values.resize(size);
    for (float& value : values) value = between(random);
  };
  Arrays arrays;
  arrays.degree = degree;
  fill(arrays.means, 3 * count, -1, 1);
  for (size_t i = 0; i < count; ++i) arrays.means[3 * i + 2] += 4;
  fill(arrays.quats, 4 * count, -1, 1);
  fill(arrays.log_scales, 3 * count, -3, -1.5f);
  fill(arrays.logit_opacities, count, -2, 3);
  fill(arrays.sh, 3 * count * size_t((degree + 1) * (degree + 1)), -0.6f, 0.6f);
  return arrays;
}

inline hs_camera camera(int width, int height) {
  return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 1.2 * width, 1.2 * width, width / 2.0, height / 2.0};
}

inline hs_render_settings settings(int width, int height) {
  hs_render_settings given;
  hs_render_defaults(&given);
  given.width = width;
  given.height = height;
  return given;
}

struct Closed {
  void operator()(hs_device* device) const { hs_device_close(device); }
  void operator()(hs_file* file) const { hs_file_free(file); }
};
using Device = std::unique_ptr<hs_device, Closed>;
using File = std::unique_ptr<hs_file, Closed>;

inline Device open_device(const char* backend = "cpu", int threads = 1) {
  const hs_device_options options{sizeof options, backend, 0, threads};
  hs_device* device = nullptr;
  hs_device_open(&options, &device);
  return Device(device);
}

}  // namespace hs_test
