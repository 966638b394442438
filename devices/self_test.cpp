#include "devices/self_test.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/core/device_error.h"

namespace splat {
namespace {

constexpr int kSide = 64;  // px

// Overlapping, coloured, elongated; some over several tiles.
Gaussians test_splats() {
  constexpr size_t kSplats = 24;
  Gaussians splats;
  splats.sh_degree = 1;
  splats.resize(kSplats);
  for (size_t i = 0; i < kSplats; ++i) {
    const float turn = 2.4f * float(i);
    const float mean[3] = {0.06f * float(i % 5) * std::cos(turn), 0.06f * float(i % 7) * std::sin(turn),
                           2.0f + 0.03f * float(i)};
    const float log_scale[3] = {-3.0f + 0.05f * float(i), -2.6f, -3.4f};
    const float quat[4] = {1, 0.3f * std::sin(turn), 0.2f, 0.4f * std::cos(turn)};
    std::copy_n(mean, 3, &splats.means[3 * i]);
    std::copy_n(log_scale, 3, &splats.log_scales[3 * i]);
    std::copy_n(quat, 4, &splats.quats[4 * i]);
    splats.logit_opacities[i] = -1.0f + 0.1f * float(i);
    for (size_t k = 0; k < 12; ++k) splats.sh[12 * i + k] = 0.8f * std::sin(turn + 1.7f * float(k));
  }
  return splats;
}

std::vector<float> picture(Backend& backend, int side) {
  const float focal = 1.40625f * float(side), centre = float(side) / 2;
  View view;
  view.camera = {side, side, focal, focal, centre, centre};
  RenderSettings settings;
  settings.background = {0.2f, 0.4f, 0.6f};
  backend.upload(test_splats());
  backend.forward(view, settings);
  ImageF image;
  backend.read_image(image);
  return image.rgb;
}

}  // namespace

double largest_difference(Backend& drawn, Backend& expected, int side) {
  const std::vector<float> a = picture(drawn, side), b = picture(expected, side);
  double largest = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    const double difference = std::abs(double(a[i]) - double(b[i]));
    largest = difference <= largest ? largest : difference;  // a NaN stays
  }
  return largest;
}

SelfTest test_backend(Backend& backend) try {
  auto cpu = make_cpu_backend({1, cpu::SimdLevel::kAuto});
  if (!cpu) return {false, 0, cpu.error().message};
  SelfTest test;
  test.largest_difference = largest_difference(backend, **cpu, kSide);
  test.passed = test.largest_difference <= kLargestDifference;
  char text[128];
  std::snprintf(text, sizeof text, "a test picture differs from the CPU's by at most %.2g of 1",
                test.largest_difference);
  test.sentence = text;
  return test;
} catch (const DeviceError& error) {
  return {false, 0, error.what()};
}

}  // namespace splat
