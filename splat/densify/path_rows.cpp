#include "splat/densify/path_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "knn/knn.h"
#include "splat/core/percentile.h"
#include "splat/core/vectors.h"
#include "splat/densify/row_parts.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kNeighbours = 6;
constexpr size_t kCandidates = 16;  // so that several cameras in one place, as on a rig, leave some

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

Cell cell_of(const Path& path) {
  Cell cell;
  for (size_t axis = 0; axis < 3; ++axis) {
    cell.middle[axis] = (path.from[axis] + path.to[axis]) / 2;
    cell.half[axis] = std::abs(path.from[axis] - path.to[axis]) / 2 + path.radius;
  }
  return cell;
}

}  // namespace

std::vector<uint32_t> rows_in_paths(const Ellipsoids& model, std::span<const View> views, double nearer,
                                    ThreadPool* pool) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  const std::vector<Path> paths = paths_between(centres);
  std::vector<Cell> around;
  for (const Path& path : paths) around.push_back(cell_of(path));

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
  const std::vector<uint32_t> all = all_of_them(paths.size());
  return by_part<uint32_t>(row_parts(model, pool), pool, [&](const RowPart& part, std::vector<uint32_t>& rows) {
    const auto reaching = [&](std::span<const uint32_t> of, const RowGroup& group) {
      return group.any ? chosen(of, [&](uint32_t i) { return around[i].meets(group.cell); }) : std::vector<uint32_t>();
    };
    const std::vector<uint32_t> of_part = reaching(all, part);
    if (of_part.empty()) return;
    for (const RowGroup& group : part.groups) {
      end_if_asked(pool);
      const std::vector<uint32_t> of_group = reaching(of_part, group);
      for (size_t row = group.first; row < group.end && !of_group.empty(); ++row) {
        const Point point = centre_of(model, row);
        const auto holds = [&](uint32_t i) { return paths[i].holds(point); };
        if (std::any_of(of_group.begin(), of_group.end(), holds) && !is_seen_close_by(point))
          rows.push_back(uint32_t(row));
      }
    }
  });
}

}  // namespace splat
