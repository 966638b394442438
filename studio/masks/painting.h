// What is painted on a photo to leave parts of it out: strokes and polygons in an order that can be taken back, drawn
// on a picture of any size. The window's thread and the one that writes; no drawing, no files.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/image.h"
#include "splat/model/mask_change.h"
#include "studio/names.h"

namespace studio {

using PaintPoint = std::array<float, 2>;  // right, down; the picture's width is 1, so that its height is height / width

enum class PaintKind : uint8_t { kStroke, kPolygon, kInvert, kClear };

struct PaintStep {
  PaintKind kind = PaintKind::kStroke;
  bool erases = false;               // what it covers is used, not left out
  float radius = 0;                  // of a stroke
  std::vector<PaintPoint> points{};  // that the stroke goes through, or corners
};

struct MaskChanges {
  int width = 0, height = 0;            // px
  std::vector<splat::MaskChange> of{};  // [H,W]

  MaskChanges() = default;
  MaskChanges(int wide, int high) : width(wide), height(high), of(size_t(wide) * size_t(high)) {}
};

// A pixel is covered when its centre is. Cost: 4 ns a pixel of the boxes around a stroke's segments.
void paint(const PaintStep& step, MaskChanges& changes);
MaskChanges painted(std::span<const PaintStep> steps, int width, int height);

// RGB: what does not count is reddish, and what never can is hatched in grey, whatever is painted there. counts,
// usable: [H,W] before the changes, 0: it does not, it cannot; empty: all does.
splat::Image8 tinted(const splat::Image8& photo, const std::vector<uint8_t>& counts, const std::vector<uint8_t>& usable,
                     const MaskChanges& changes);

}  // namespace studio
