// How a backend is compared with the reference (docs/architecture.md, promise 2). Pictures agree tightly, except at
// pixels where the reference itself stands at a cut-off (alpha at 1/255, transmittance at the stop): there a flip is
// allowed, of bounded size, in a bounded number of pixels. Gradients agree by relative L2 error, cosine and signed
// bias.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "splat/backend/reference/reference_backend.h"
#include "tests/support/identical.h"

namespace splat::test {

struct Scene;  // synthetic_scene.h

struct PictureLimits {
  double interior = 3e-5;       // colour or transmittance, of 1
  double band = 1e-3;           // relative distance from a cut-off within which a flip is explained
  double flip = 0.02;           // largest difference of a flip
  double flip_fraction = 2e-3;  // of the pixels, and one more
};

// Uploads the scene to both and draws its view.
void draw_both(Backend& a, Backend& b, const Scene& scene);

// Image and transmittance of the last forward() of both.
void expect_pictures_match(const ReferenceBackend& reference, Backend& tested, const PictureLimits& limits = {});

// Pixels where the reference's last forward() stands at a cut-off: gradients are compared without them. [H,W]
std::vector<bool> pixels_at_cut_offs(const ReferenceBackend& reference, double band = PictureLimits().band);

struct GradientLimits {
  double relative_l2 = 1e-4;  // |tested - reference| / |reference|
  double cosine = 1 - 1e-8;   // at least
  double signed_bias = 5e-5;  // |sum (tested - reference) sign(reference)| / sum |reference|
};

// All zeros in the reference must be zeros in the other.
void expect_values_match(const std::string& name, std::span<const float> tested, std::span<const float> reference,
                         const GradientLimits& limits = {});
void expect_groups_match(const Gaussians& tested, const Gaussians& reference, const GradientLimits& limits = {});

}  // namespace splat::test
