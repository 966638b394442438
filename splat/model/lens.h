// A camera with its lens, in the form the formulas need: focal lengths, principal point and one of the distortion
// families of splat/math/camera_models.h. Made from a SourceCamera; scales with the picture.
#pragma once

#include <array>
#include <optional>
#include <variant>

#include "splat/math/camera_models.h"
#include "splat/model/camera.h"

namespace splat {

struct Lens {
  using Distortion =
      std::variant<math::NoDistortion, math::RationalDistortion, math::FisheyeDistortion, math::FovDistortion,
                   math::RadTanThinPrismDistortion, math::DivisionDistortion, math::EucmDistortion>;

  int width = 0, height = 0;              // px
  double fx = 0, fy = 0, cx = 0, cy = 0;  // px; the centre of the top-left pixel is (0.5, 0.5)
  Distortion distortion;

  bool has_distortion() const { return !std::holds_alternative<math::NoDistortion>(distortion); }
  friend auto operator<=>(const Lens&, const Lens&) = default;
};

// `camera` has as many parameters as its model needs and is no panorama. Distortion with all coefficients zero is none.
Lens lens_of(const SourceCamera& camera);

// The same lens for the picture scaled by factor_x, factor_y (new px per old px) and cut or padded to width x height.
Lens scaled(const Lens& lens, double factor_x, double factor_y, int width, int height);

PinholeCamera pinhole_of(const Lens& lens);  // its distortion ignored

// Pixel of a point in the camera's frame, NaN where the lens has none: z <= 0, or outside of its formula. Normalised
// coordinates (x/z, y/z) of a pixel, where there are any.
std::array<double, 2> image_from_cam(const Lens& lens, const std::array<double, 3>& point);
std::optional<std::array<double, 2>> cam_from_image(const Lens& lens, double x, double y);

}  // namespace splat
