// Where a point of the world lies in a view's picture, in double. Renderers have their own (math/project.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "splat/model/camera.h"

namespace splat {

struct Pixel {
  double x = 0, y = 0;  // px; the centre of the top-left pixel is (0.5, 0.5)
  double depth = 0;     // along the view's axis, world units, above 0
};

// None: it is not before the camera.
inline std::optional<Pixel> pixel_of(const View& view, const std::array<double, 3>& point) {
  const std::array<double, 3> p = view.cam_from_world * point;
  if (!(p[2] > 0)) return std::nullopt;
  const PinholeCamera& c = view.camera;
  return Pixel{c.fx * p[0] / p[2] + c.cx, c.fy * p[1] / p[2] + c.cy, p[2]};
}

// The point of the world that the view has there: the inverse of pixel_of().
inline std::array<double, 3> point_at(const View& view, const Pixel& pixel) {
  const PinholeCamera& c = view.camera;
  const Rigid3& pose = view.cam_from_world;
  const std::array<double, 3> seen{(pixel.x - c.cx) / c.fx * pixel.depth, (pixel.y - c.cy) / c.fy * pixel.depth,
                                   pixel.depth};
  std::array<double, 3> point{};
  for (size_t column = 0; column < 3; ++column)
    for (size_t row = 0; row < 3; ++row)
      point[column] += pose.rotation[3 * row + column] * (seen[row] - pose.translation[row]);
  return point;
}

inline bool is_in_frame(const PinholeCamera& camera, const Pixel& pixel) {
  return pixel.x >= 0 && pixel.y >= 0 && pixel.x < camera.width && pixel.y < camera.height;
}

// None: the picture does not show that place.
inline std::optional<Pixel> pixel_in_frame(const View& view, const std::array<double, 3>& point) {
  const auto pixel = pixel_of(view, point);
  return pixel && is_in_frame(view.camera, *pixel) ? pixel : std::nullopt;
}

}  // namespace splat
