#include "mesh/picture_place.h"

#include <algorithm>

namespace mesh {

std::array<float, 2> pixel_of(const splat::View& view, const Vec3& p) {
  const auto s = view.cam_from_world * std::array<double, 3>{p[0], p[1], p[2]};
  return {float(view.camera.fx * s[0] / s[2] + view.camera.cx), float(view.camera.fy * s[1] / s[2] + view.camera.cy)};
}

void spread_colours(splat::ImageF& picture, const std::vector<uint8_t>& known) {
  constexpr int kNone = -1;
  const int width = picture.width, height = picture.height;
  std::vector<int> from(known.size(), kNone);  // which pixel each takes
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i]) from[i] = int(i);
  const auto distance = [&](int x, int y, int other) {
    const int64_t dx = x - other % width, dy = y - other / width;
    return dx * dx + dy * dy;
  };
  const auto take = [&](int x, int y, int dx, int dy) {
    if (known[size_t(y * width + x)] || x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) return;
    int& own = from[size_t(y * width + x)];
    const int other = from[size_t((y + dy) * width + x + dx)];
    if (other != kNone && (own == kNone || distance(x, y, other) < distance(x, y, own))) own = other;
  };
  for (const int step : {1, -1})
    for (int i = 0; i < height; ++i) {
      const int y = step > 0 ? i : height - 1 - i;
      for (int x = 0; x < width; ++x)
        for (int dx : {-1, 0, 1}) take(x, y, dx, -step);
      for (int x = 0; x < width; ++x) take(x, y, -1, 0);
      for (int x = width - 1; x >= 0; --x) take(x, y, 1, 0);
    }
  for (size_t i = 0; i < from.size(); ++i)
    for (size_t at = 0; from[i] != kNone && at < picture.rgb.size(); at += from.size())
      picture.rgb[at + i] = picture.rgb[at + size_t(from[i])];
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
