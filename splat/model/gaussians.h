// The model on the host: one array per parameter group, row i of all of them is splat i. Backends keep their own
// layout; this is what files, strategies and tests exchange.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "splat/core/huge_pages.h"

namespace splat {

inline constexpr int kMaxShDegree = 3;
inline constexpr int sh_coefficients(int degree) { return (degree + 1) * (degree + 1); }  // K
// Floats of a splat: mean, log scales, quaternion, opacity, colour.
inline constexpr int parameters_per_splat(int degree) { return 11 + 3 * sh_coefficients(degree); }
inline constexpr int kMaxShCoefficients = sh_coefficients(kMaxShDegree);  // 16

// Splats without their colours: all that density control decides on, 44 of the 236 bytes of SH degree 3.
struct Ellipsoids {
  std::vector<float> means;            // [N,3] world
  std::vector<float> log_scales;       // [N,3] ln(standard deviation), world units
  std::vector<float> quats;            // [N,4] wxyz, world_from_splat, any length > 0
  std::vector<float> logit_opacities;  // [N]

  size_t size() const { return logit_opacities.size(); }
  void resize(size_t n) {  // new rows are zero
    resize_in_huge_pages(means, n * 3);
    resize_in_huge_pages(log_scales, n * 3);
    resize_in_huge_pages(quats, n * 4);
    resize_in_huge_pages(logit_opacities, n);
  }
};

struct Gaussians : Ellipsoids {
  int sh_degree = 0;      // degree that `sh` stores, 0..3
  std::vector<float> sh;  // [N,K,3] coefficient-major

  int coefficients() const { return sh_coefficients(sh_degree); }
  void resize(size_t n) {  // new rows are zero
    Ellipsoids::resize(n);
    resize_in_huge_pages(sh, n * size_t(coefficients()) * 3);
  }
};

template <class Model>  // one of the two, const or not
inline constexpr bool kHasColours = std::is_base_of_v<Gaussians, Model>;

}  // namespace splat
