// Cameras beside each other that look along +z at a wall full of smooth texture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace splat::stereo::test {

inline constexpr int kWidth = 72, kHeight = 54;

// At (x, y, 0).
inline View camera_at(double x, double y = 0) {
  View view;
  view.camera = {kWidth, kHeight, 70, 70, 36, 27};
  view.cam_from_world.translation = {-x, -y, 0};
  return view;
}

// 20 to 235, by the place on the wall.
inline double texture(double x, double y) {
  return 127.5 + 40 * std::sin(7.1 * x + 3 * std::sin(2.3 * y)) + 40 * std::sin(5.7 * y + 2 * std::cos(3.1 * x)) +
         27 * std::sin(13.7 * x - 9.2 * y);
}

// z of the wall: 4 to the left of x = 0, 5 to the right of it.
inline double wall_depth(const View& view, double pixel_x) {
  const double slope = (pixel_x - double(view.camera.cx)) / double(view.camera.fx);
  return -view.cam_from_world.translation[0] + 4 * slope < 0 ? 4 : 5;
}

inline double seen(const View& view, double pixel_x, double pixel_y) {
  const double z = wall_depth(view, pixel_x);
  const auto& c = view.camera;
  return texture((pixel_x - double(c.cx)) / double(c.fx) * z - view.cam_from_world.translation[0],
                 (pixel_y - double(c.cy)) / double(c.fy) * z - view.cam_from_world.translation[1]);
}

// Grey; red is 10 more.
inline TrainingImage photo_of(const View& view, double gain = 1) {
  TrainingImage photo;
  photo.width = view.camera.width, photo.height = view.camera.height;
  for (int channel = 0; channel < 3; ++channel)
    for (int y = 0; y < photo.height; ++y)
      for (int x = 0; x < photo.width; ++x)
        photo.rgb.push_back(uint8_t(std::lround(gain * seen(view, x + 0.5, y + 0.5)) + (channel == 0 ? 10 : 0)));
  return photo;
}

}  // namespace splat::stereo::test
