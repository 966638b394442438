// A scene cut into cells over the ground, one for each block that is trained on its own. Cells are boxes without a
// height; those at the outside have no end, so that every point lies in exactly one. Pure functions of the cameras.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"

namespace splat::blocks {

using Point2 = std::array<double, 2>;  // on the ground, world units

// The plane that the cameras stand on, across their mean up direction; u is the direction in which they lie longest.
struct Ground {
  std::array<double, 3> origin{0, 0, 0}, u{1, 0, 0}, v{0, 1, 0};  // u and v of length 1, orthogonal

  Point2 at(const std::array<double, 3>& world) const;
  Point2 at(const Gaussians& model, size_t row) const;
  double height(const std::array<double, 3>& world) const;                // above it
  std::array<double, 3> world(const Point2& place, double height) const;  // the inverse of both
};
Ground ground_of(const Dataset& dataset);
std::vector<Point2> cameras_on(const Ground& ground, const Dataset& dataset, std::span<const int> views);

// [low, high) on both axes; infinite at the outside.
struct Cell {
  Point2 low, high;
  bool contains(const Point2& p) const;
};
inline constexpr Cell kEverywhere{{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()},
                                  {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}};

// `within` cut into `count` cells with nearly as many cameras each, across the longer side. An error where the cameras
// stand at too few places for that.
Result<std::vector<Cell>> cut_into_cells(std::span<const Point2> cameras, size_t count,
                                         const Cell& within = kEverywhere);

// The cell that holds the point; cells.size() where none does, which only a point that is not finite can bring about.
size_t cell_of(std::span<const Cell> cells, const Point2& p);

// The smallest box around the points.
Cell bounds_of(std::span<const Point2> points);
// The cell with `share` of its sides added on each of them. Sides without end count up to `bounds`.
Cell widened(const Cell& cell, const Cell& bounds, double share);

// Rows of the model with their centre in the cell, ascending.
std::vector<uint32_t> rows_in(const Gaussians& model, const Ground& ground, const Cell& cell);

}  // namespace splat::blocks
