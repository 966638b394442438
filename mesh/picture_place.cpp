#include "mesh/picture_place.h"

#include <algorithm>

namespace mesh {

std::array<float, 2> pixel_of(const splat::View& view, const Vec3& p) {
  const auto s = view.cam_from_world * std::array<double, 3>{p[0], p[1], p[2]};
  return {float(view.camera.fx * s[0] / s[2] + view.camera.cx), float(view.camera.fy * s[1] / s[2] + view.camera.cy)};
}

Vec3 colour_at(const splat::ImageF& picture, float x, float y) {
  const float u = std::clamp(x - 0.5f, 0.0f, float(picture.width - 1)),
              v = std::clamp(y - 0.5f, 0.0f, float(picture.height - 1));
  const int left = std::clamp(int(u), 0, std::max(picture.width - 2, 0)),
            top = std::clamp(int(v), 0, std::max(picture.height - 2, 0));
  const float s = u - float(left), t = v - float(top);
  const size_t right = picture.width > 1 ? 1 : 0, below = picture.height > 1 ? size_t(picture.width) : 0;
  const size_t at = size_t(top) * size_t(picture.width) + size_t(left);
  const size_t plane = size_t(picture.width) * size_t(picture.height);
  Vec3 colour;
  for (size_t c = 0; c < 3; ++c) {
    const float* p = picture.rgb.data() + c * plane + at;
    colour[c] = (1 - t) * ((1 - s) * p[0] + s * p[right]) + t * ((1 - s) * p[below] + s * p[below + right]);
  }
  return colour;
}

}  // namespace mesh
