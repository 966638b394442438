// The model on the host: one array per parameter group, row i of all of them is splat i. Backends keep their own
// layout; this is what files, strategies and tests exchange.
#pragma once

#include <cstddef>
#include <vector>

#include "splat/core/huge_pages.h"

namespace splat {

inline constexpr int kMaxShDegree = 3;
inline constexpr int sh_coefficients(int degree) { return (degree + 1) * (degree + 1); }  // K
// Floats of a splat: mean, log scales, quaternion, opacity, colour.
inline constexpr int parameters_per_splat(int degree) { return 11 + 3 * sh_coefficients(degree); }
inline constexpr int kMaxShCoefficients = sh_coefficients(kMaxShDegree);  // 16

struct Gaussians {
  int sh_degree = 0;                   // degree that `sh` stores, 0..3
  std::vector<float> means;            // [N,3] world
  std::vector<float> log_scales;       // [N,3] ln(standard deviation), world units
  std::vector<float> quats;            // [N,4] wxyz, world_from_splat, any length > 0
  std::vector<float> logit_opacities;  // [N]
  std::vector<float> sh;               // [N,K,3] coefficient-major

  size_t size() const { return logit_opacities.size(); }
  int coefficients() const { return sh_coefficients(sh_degree); }
  void resize(size_t n) {  // new rows are zero
    resize_in_huge_pages(means, n * 3);
    resize_in_huge_pages(log_scales, n * 3);
    resize_in_huge_pages(quats, n * 4);
    resize_in_huge_pages(logit_opacities, n);
    resize_in_huge_pages(sh, n * size_t(coefficients()) * 3);
  }
};

}  // namespace splat
