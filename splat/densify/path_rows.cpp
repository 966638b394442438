#include "splat/densify/path_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "knn/knn.h"
#include "splat/core/percentile.h"
#include "splat/core/vectors.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kNeighbours = 6;
constexpr size_t kCandidates = 16;  // so that several cameras in one place, as on a rig, leave some
constexpr double kCellsALongSide = 64;

struct Path {
  Point from, to;
  double squared_length, radius;

  bool holds(const Point& p) const {
    double along = 0;
    for (size_t axis = 0; axis < 3; ++axis) along += (p[axis] - from[axis]) * (to[axis] - from[axis]);
    along /= squared_length;
    if (!(along > 0 && along < 1)) return false;
    Point nearest;
    for (size_t axis = 0; axis < 3; ++axis) nearest[axis] = from[axis] + along * (to[axis] - from[axis]);
    return squared_distance(nearest, p) < radius * radius;
  }
};

std::vector<Path> paths_between(const std::vector<Point>& centres) {
  std::vector<float> places;
  for (const Point& centre : centres)
    for (const double x : centre) places.push_back(float(x));
  const knn::PointIndex index(std::move(places));
  std::vector<Path> paths;
  std::array<uint32_t, kCandidates> found;
  for (size_t i = 0; i < centres.size(); ++i) {
    const size_t count = index.nearest(index.point(uint32_t(i)), found);
    for (size_t k = 0, neighbours = 0; k < count && neighbours < kNeighbours; ++k) {
      const Point& other = centres[found[k]];
      const double squared = squared_distance(centres[i], other);
      if (!(squared > 0)) continue;
      ++neighbours;
      paths.push_back({centres[i], other, squared, kPathRadius * std::sqrt(squared)});
    }
  }
  std::vector<double> lengths;
  for (const Path& path : paths) lengths.push_back(std::sqrt(path.squared_length));
  const double longest = kLongestPath * median(std::move(lengths));
  std::erase_if(paths, [&](const Path& path) { return path.squared_length > longest * longest; });
  return paths;
}

// The paths by cells of space, so that a row is compared with those few that reach its cell.
class PathGrid {
 public:
  explicit PathGrid(std::vector<Path> paths) : paths_(std::move(paths)) {
    low_.fill(std::numeric_limits<double>::infinity()), high_.fill(-low_[0]);
    for (const Path& path : paths_)
      for (size_t axis = 0; axis < 3; ++axis) {
        low_[axis] = std::min(low_[axis], low_of(path, axis)), high_[axis] = std::max(high_[axis], high_of(path, axis));
      }
    side_ = std::max({high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]}) / kCellsALongSide;
    for (size_t axis = 0; axis < 3; ++axis) cells_[axis] = 1 + size_t((high_[axis] - low_[axis]) / side_);
    begin_.assign(cells_[0] * cells_[1] * cells_[2] + 1, 0);
    for (const Path& path : paths_) for_each_cell(path, [&](size_t cell) { ++begin_[cell + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    in_cell_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < paths_.size(); ++i)
      for_each_cell(paths_[i], [&](size_t cell) { in_cell_[next[cell]++] = i; });
  }

  bool hold(const Point& p) const {
    std::array<size_t, 3> at;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (!(p[axis] >= low_[axis] && p[axis] <= high_[axis])) return false;
      at[axis] = along(p[axis], axis);
    }
    const size_t cell = index_of(at[0], at[1], at[2]);
    return std::any_of(&in_cell_[0] + begin_[cell], &in_cell_[0] + begin_[cell + 1],
                       [&](uint32_t path) { return paths_[path].holds(p); });
  }

 private:
  static double low_of(const Path& path, size_t axis) { return std::min(path.from[axis], path.to[axis]) - path.radius; }
  static double high_of(const Path& path, size_t axis) {
    return std::max(path.from[axis], path.to[axis]) + path.radius;
  }
  size_t along(double x, size_t axis) const { return std::min(size_t((x - low_[axis]) / side_), cells_[axis] - 1); }
  size_t index_of(size_t x, size_t y, size_t z) const { return (z * cells_[1] + y) * cells_[0] + x; }

  template <class Visit>
  void for_each_cell(const Path& path, const Visit& visit) const {
    std::array<size_t, 3> first, last;
    for (size_t axis = 0; axis < 3; ++axis)
      first[axis] = along(low_of(path, axis), axis), last[axis] = along(high_of(path, axis), axis);
    for (size_t z = first[2]; z <= last[2]; ++z)
      for (size_t y = first[1]; y <= last[1]; ++y)
        for (size_t x = first[0]; x <= last[0]; ++x) visit(index_of(x, y, z));
  }

  std::vector<Path> paths_;
  Point low_, high_;
  double side_ = 0;                        // of a cell
  std::array<size_t, 3> cells_;            // along each axis
  std::vector<uint32_t> begin_, in_cell_;  // [cells + 1] into the other: paths
};

}  // namespace

std::vector<uint32_t> rows_in_paths(const Ellipsoids& model, std::span<const View> views, double nearer) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  std::vector<Path> paths = paths_between(centres);
  if (paths.empty()) return {};
  const PathGrid grid(std::move(paths));

  const auto is_seen_close_by = [&](const Point& point) {
    double nearest = std::numeric_limits<double>::infinity(), nearest_seeing = nearest;
    for (size_t i = 0; i < views.size(); ++i) {
      const double squared = squared_distance(centres[i], point);
      nearest = std::min(nearest, squared);
      if (squared >= nearest_seeing) continue;
      if (pixel_in_frame(views[i], point)) nearest_seeing = squared;
    }
    return nearest_seeing <= nearer * nearer * nearest;
  };
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < model.size(); ++row) {
    const float* mean = &model.means[3 * row];
    const Point point{mean[0], mean[1], mean[2]};
    if (grid.hold(point) && !is_seen_close_by(point)) rows.push_back(uint32_t(row));
  }
  return rows;
}

}  // namespace splat
