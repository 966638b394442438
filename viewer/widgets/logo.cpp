#include "viewer/widgets/logo.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viewer {
namespace {

using Colour = std::array<float, 3>;  // 0..255

// In a picture with sides of 128.
constexpr float kSide = 128, kTileLow = 4, kTileHigh = 124, kTileRounding = 26, kMiddleStop = 0.62f;
constexpr Colour kTile{0x1d, 0x24, 0x33};

struct Splat {
  float x, y, rx, ry, turn_deg, opacity;
  Colour inner, middle, outer;
};
constexpr Splat kSplats[] = {
    {46, 76, 38, 22, -35, 0.93f, {0x7f, 0xe0, 0xd0}, {0x21, 0xb6, 0xb0}, {0x0b, 0x7f, 0x91}},
    {82, 76, 36, 19, 38, 0.93f, {0xff, 0xb2, 0x3e}, {0xff, 0x7a, 0x2f}, {0xe8, 0x48, 0x2b}},
    {66, 42, 28, 20, -12, 0.95f, {0xff, 0xe9, 0x8f}, {0xff, 0xcf, 0x3d}, {0xed, 0xa5, 0x1c}},
};

Colour mixed(const Colour& a, const Colour& b, float share) {
  Colour c;
  for (size_t i = 0; i < 3; ++i) c[i] = a[i] + share * (b[i] - a[i]);
  return c;
}

Colour colour_at(const Splat& splat, float radius) {  // 0 in the middle, 1 at the edge
  if (radius < kMiddleStop) return mixed(splat.inner, splat.middle, radius / kMiddleStop);
  return mixed(splat.middle, splat.outer, (radius - kMiddleStop) / (1 - kMiddleStop));
}

float radians(float degrees) { return degrees * 3.14159265f / 180; }

bool in_tile(float x, float y) {
  const float dx = std::max({kTileLow + kTileRounding - x, x - kTileHigh + kTileRounding, 0.0f});
  const float dy = std::max({kTileLow + kTileRounding - y, y - kTileHigh + kTileRounding, 0.0f});
  return std::hypot(dx, dy) <= kTileRounding;
}

Colour colour_of_tile(float x, float y) {
  Colour colour = kTile;
  for (const Splat& splat : kSplats) {
    const float c = std::cos(radians(splat.turn_deg)), s = std::sin(radians(splat.turn_deg));
    const float dx = x - splat.x, dy = y - splat.y;
    const float radius = std::hypot((c * dx + s * dy) / splat.rx, (c * dy - s * dx) / splat.ry);
    if (radius < 1) colour = mixed(colour, colour_at(splat, radius), splat.opacity);
  }
  return colour;
}

}  // namespace

std::vector<uint8_t> logo_pixels(int side) {
  constexpr int kSamples = 4;  // along each side of a pixel
  std::vector<uint8_t> pixels(size_t(side) * size_t(side) * 4);
  const float step = kSide / float(side * kSamples);
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      Colour sum{};
      int inside = 0;
      for (int sample = 0; sample < kSamples * kSamples; ++sample) {
        const int right = column * kSamples + sample % kSamples, down = row * kSamples + sample / kSamples;
        const float x = (float(right) + 0.5f) * step, y = (float(down) + 0.5f) * step;
        if (!in_tile(x, y)) continue;
        const Colour colour = colour_of_tile(x, y);
        for (size_t i = 0; i < 3; ++i) sum[i] += colour[i];
        ++inside;
      }
      uint8_t* pixel = &pixels[4 * (size_t(row) * size_t(side) + size_t(column))];
      for (size_t i = 0; i < 3 && inside > 0; ++i) pixel[i] = uint8_t(std::lround(sum[i] / float(inside)));
      pixel[3] = uint8_t(255 * inside / (kSamples * kSamples));
    }
  return pixels;
}

void draw_logo(ImDrawList& list, float left, float top, float side) {
  constexpr int kRings = 12;
  const float unit = side / kSide;
  const auto at = [&](float x, float y) { return ImVec2{left + x * unit, top + y * unit}; };
  const auto packed = [](const Colour& c) { return IM_COL32(int(c[0]), int(c[1]), int(c[2]), 255); };
  list.AddRectFilled(at(kTileLow, kTileLow), at(kTileHigh, kTileHigh), packed(kTile), kTileRounding * unit);
  for (const Splat& splat : kSplats)
    for (int ring = kRings; ring > 0; --ring) {
      const float radius = float(ring) / kRings;
      list.AddEllipseFilled(at(splat.x, splat.y), {splat.rx * radius * unit, splat.ry * radius * unit},
                            packed(colour_at(splat, radius)), radians(splat.turn_deg));
    }
}

}  // namespace viewer
