// Which rows a tool means: masks for EditedModel::select(), [N], 1 or 0. Rows whose values are not finite are in none.
// Tools on the screen draw a mask of pixels; it means either the rows whose centres lie behind it, or, with
// Backend::read_contributions() inside it, those that are seen in it. Cost: one pass over the rows, milliseconds a
// million.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/filters.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"

namespace splat::edit {

using RowMask = std::vector<uint8_t>;

// Centres inside, the surface included.
RowMask rows_in_box(const Gaussians& model, const Box& box, ThreadPool& pool);
RowMask rows_in_sphere(const Gaussians& model, const Sphere& sphere, ThreadPool& pool);

enum class RowValue {
  kOpacity,     // 0..1
  kSize,        // standard deviation along the longest axis, world units
  kElongation,  // longest axis over the second: large for needles, 1 for discs and balls
  kThickness,   // standard deviation along the shortest axis, world units
  kX,
  kY,
  kZ,         // of the centre, world units
  kDistance,  // of the centre from RowMeasure::from, world units
  kRed,
  kGreen,
  kBlue,          // colour of degree 0, [0,1]; beyond it is cut off when drawn
  kContribution,  // greatest blending weight at a pixel of a view, 0..1; 0: it is not seen
};
struct RowMeasure {
  RowValue value;
  std::array<double, 3> from{};               // world
  std::span<const float> weights{};           // [N] kContribution: Contributions::max_weight, which must live as long
  RowMeasure(RowValue what) : value(what) {}  // NOLINT(google-explicit-constructor): a value alone is a measure
  RowMeasure(RowValue what, const std::array<double, 3>& point) : value(what), from(point) {}
};
std::vector<float> row_values(const Gaussians& model, const RowMeasure& measure, ThreadPool& pool);  // [N] NaN: none
RowMask rows_by_value(const Gaussians& model, const RowMeasure& measure, double low, double high,
                      ThreadPool& pool);  // both inside

// How far neighbours are from each other, about, world units: they overlap, so that they lie about as far apart as
// splats are large. 0: no splat has a size.
double usual_distance(const Gaussians& model, ThreadPool& pool);

std::array<float, 3> colour_of(const Gaussians& model, size_t row);  // of degree 0, [0,1]
// Every channel of it differs by at most `tolerance`.
RowMask rows_by_colour(const Gaussians& model, const std::array<float, 3>& rgb, float tolerance, ThreadPool& pool);

struct ScreenMask {
  int width = 0, height = 0;    // px
  std::vector<uint8_t> pixels;  // [H,W] 1: meant
};
struct ScreenPoint {
  double x = 0, y = 0;  // px; the centre of the top-left pixel is (0.5, 0.5)
};
// Pixels whose centre lies inside: an odd number of edges to its left. Rectangles and lassos are polygons too.
ScreenMask polygon_mask(int width, int height, std::span<const ScreenPoint> corners);
// Pixels whose centre is within `radius` of the line from one point to another; they are added.
void add_brush(ScreenMask& mask, const ScreenPoint& from, const ScreenPoint& to, double radius);

// Pixels that hang together with this one, by their sides, and differ from it by at most `tolerance` in every channel.
ScreenMask flood_mask(const ImageF& picture, int x, int y, float tolerance);

// "Through": centres in front of the camera whose pixel is meant.
RowMask rows_behind_mask(const Gaussians& model, const View& view, const ScreenMask& mask, ThreadPool& pool);
// "Visible": rows with at least this blending weight at a pixel. max_weight [N]: Contributions::max_weight.
RowMask rows_seen(std::span<const float> max_weight, float min_weight);

}  // namespace splat::edit
