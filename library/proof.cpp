#include "library/proof.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "splat/backend/reference/reference_backend.h"

namespace library {
namespace {

constexpr int kSide = 32;                         // px
constexpr double kLargestDifference = 0.5 / 255;  // no 8-bit value differs by more than rounding

// A spiral of splats that lie over each other, of colours that depend on the direction.
splat::Gaussians test_splats() {
  constexpr size_t kSplats = 12;
  splat::Gaussians splats;
  splats.sh_degree = 1;
  splats.resize(kSplats);
  for (size_t i = 0; i < kSplats; ++i) {
    const float turn = 0.9f * float(i), out = 0.05f * float(i);
    const float mean[3] = {out * std::cos(turn), out * std::sin(turn), 2.0f + 0.1f * float(i)};
    const float log_scale[3] = {-2.0f, -2.5f + 0.1f * float(i), -3.0f};
    const float quat[4] = {1, 0.2f * float(i), -0.3f, 0.5f * std::sin(turn)};
    std::copy_n(mean, 3, &splats.means[3 * i]);
    std::copy_n(log_scale, 3, &splats.log_scales[3 * i]);
    std::copy_n(quat, 4, &splats.quats[4 * i]);
    splats.logit_opacities[i] = -1.0f + 0.2f * float(i);
    for (size_t k = 0; k < 12; ++k) splats.sh[12 * i + k] = 0.7f * std::cos(turn + 1.3f * float(k));
  }
  return splats;
}

std::vector<float> picture(splat::Backend& backend) {
  splat::View view;
  view.camera = {kSide, kSide, 40, 40, kSide / 2.0f, kSide / 2.0f};
  splat::RenderSettings settings;
  settings.background = {0.1f, 0.3f, 0.5f};
  backend.upload(test_splats());
  backend.forward(view, settings);
  splat::ImageF image;
  backend.read_image(image);
  return image.rgb;
}

}  // namespace

Proof prove(splat::Backend& backend) {
  const auto reference = splat::make_reference_backend();
  const std::vector<float> expected = picture(*reference), drawn = picture(backend);
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(double(drawn[i]) - double(expected[i]));
    largest = difference <= largest ? largest : difference;  // a NaN stays
  }
  char text[128];
  std::snprintf(text, sizeof text, "a picture of %dx%d differs from the reference's by at most %.1e of 1", kSide, kSide,
                largest);
  return {largest <= kLargestDifference, text};
}

}  // namespace library
