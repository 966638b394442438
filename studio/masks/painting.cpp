#include "studio/masks/painting.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"

namespace studio {

using splat::MaskChange;

namespace {

double squared_distance(const PaintPoint& p, const PaintPoint& from, const PaintPoint& to) {
  const double x = to[0] - from[0], y = to[1] - from[1], px = p[0] - from[0], py = p[1] - from[1];
  const double length2 = x * x + y * y;
  const double t = length2 > 0 ? std::clamp((px * x + py * y) / length2, 0.0, 1.0) : 0;
  return (px - t * x) * (px - t * x) + (py - t * y) * (py - t * y);
}

// The first of a row or column of pixels whose centre is not before this position, in pixels.
int first_pixel(double position, int side) { return int(std::clamp(std::ceil(position - 0.5), 0.0, double(side))); }

void paint_segment(const PaintPoint& from, const PaintPoint& to, float radius, MaskChange change, MaskChanges& all) {
  const double scale = all.width;
  const auto range = [&](size_t axis, int side) {
    const auto [low, high] = std::minmax(from[axis], to[axis]);
    return std::array{first_pixel((low - radius) * scale, side), first_pixel((high + radius) * scale + 1, side)};
  };
  const auto [left, right] = range(0, all.width);
  const auto [top, bottom] = range(1, all.height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      if (squared_distance({float((x + 0.5) / scale), float((y + 0.5) / scale)}, from, to) <= double(radius) * radius)
        all.of[size_t(y) * size_t(all.width) + size_t(x)] = change;
}

// Inside is what a line crosses the border an odd number of times to reach.
void paint_polygon(const std::vector<PaintPoint>& corners, MaskChange change, MaskChanges& all) {
  const double scale = all.width;
  std::vector<double> crossed;  // px, along the row of pixels
  for (int y = 0; y < all.height; ++y) {
    const double v = (y + 0.5) / scale;
    crossed.clear();
    for (size_t i = 0; i < corners.size(); ++i) {
      const PaintPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
      if ((double(a[1]) <= v) == (double(b[1]) <= v)) continue;
      crossed.push_back(scale * (a[0] + (v - a[1]) / (double(b[1]) - a[1]) * (double(b[0]) - a[0])));
    }
    std::sort(crossed.begin(), crossed.end());
    for (size_t i = 0; i + 1 < crossed.size(); i += 2) {
      const int left = first_pixel(crossed[i], all.width), right = first_pixel(crossed[i + 1], all.width);
      const auto row = all.of.begin() + ptrdiff_t(y) * all.width;
      std::fill(row + left, row + right, change);
    }
  }
}

}  // namespace

void paint(const PaintStep& step, MaskChanges& changes) {
  const MaskChange change = step.erases ? MaskChange::kUse : MaskChange::kLeaveOut;
  switch (step.kind) {
    case PaintKind::kStroke:
      for (size_t i = 0; i < step.points.size(); ++i)
        paint_segment(step.points[i - (i > 0)], step.points[i], step.radius, change, changes);
      return;
    case PaintKind::kPolygon:
      return paint_polygon(step.points, change, changes);
    case PaintKind::kInvert:
      for (MaskChange& one : changes.of) one = splat::flipped(one);
      return;
    case PaintKind::kClear:
      std::fill(changes.of.begin(), changes.of.end(), MaskChange::kUse);
  }
}

MaskChanges painted(std::span<const PaintStep> steps, int width, int height) {
  MaskChanges changes(width, height);
  for (const PaintStep& step : steps) paint(step, changes);
  return changes;
}

splat::Image8 tinted(const splat::Image8& photo, const std::vector<uint8_t>& counts, const std::vector<uint8_t>& usable,
                     const MaskChanges& changes) {
  constexpr std::array<int, 3> kTint{255, 40, 40};
  constexpr uint8_t kHatch[] = {48, 72};
  constexpr size_t kHatchPx = 6;
  splat::Image8 picture = photo;
  SPLAT_CHECK_EQ(picture.pixels.size(), 3 * changes.of.size());
  const size_t width = size_t(picture.width);
  for (size_t i = 0; i < changes.of.size(); ++i) {
    if (!usable.empty() && usable[i] == 0) {
      std::fill_n(&picture.pixels[3 * i], 3, kHatch[(i / width + i % width) / kHatchPx % 2]);
      continue;
    }
    if (counts_after(changes.of[i], counts.empty() || counts[i] != 0)) continue;
    for (size_t c = 0; c < 3; ++c) picture.pixels[3 * i + c] = uint8_t((picture.pixels[3 * i + c] + kTint[c]) / 2);
  }
  return picture;
}

}  // namespace studio
