#include "splat/blocks/cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "splat/core/vectors.h"
#include "splat/model/stray_views.h"

namespace splat::blocks {
namespace {

using Point3 = std::array<double, 3>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Point3 normalised(const Point3& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

// Where to cut so that `wanted` of the sorted values lie below: the nearest place between two different ones; 0: none.
size_t place_of_cut(const std::vector<double>& sorted, size_t wanted) {
  size_t best = 0;
  const auto distance = [&](size_t k) { return k > wanted ? k - wanted : wanted - k; };
  for (size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k - 1] < sorted[k] && (best == 0 || distance(k) < distance(best))) best = k;
  return best;
}

Status cut(const std::vector<Point2>& cameras, const Cell& cell, size_t count, std::vector<Cell>& cells) {
  if (count == 1) {
    cells.push_back(cell);
    return {};
  }
  const Cell bounds = bounds_of(cameras);
  const size_t longer = bounds.high[0] - bounds.low[0] >= bounds.high[1] - bounds.low[1] ? 0 : 1;
  const size_t below = count / 2;
  for (const size_t axis : {longer, 1 - longer}) {
    std::vector<double> sorted;
    for (const Point2& p : cameras) sorted.push_back(p[axis]);
    std::sort(sorted.begin(), sorted.end());
    const size_t place = place_of_cut(sorted, (cameras.size() * below + count / 2) / count);
    if (place < below || cameras.size() - place < count - below) continue;
    const double at = (sorted[place - 1] + sorted[place]) / 2;
    Cell low = cell, high = cell;
    low.high[axis] = high.low[axis] = at;
    std::vector<Point2> parts[2];
    for (const Point2& p : cameras) parts[p[axis] >= at].push_back(p);
    SPLAT_TRY(cut(parts[0], low, below, cells));
    return cut(parts[1], high, count - below, cells);
  }
  return Error{"the cameras stand at too few places to cut the scene into so many blocks"};
}

}  // namespace

Point2 Ground::at(const Point3& world) const {
  const Point3 from{world[0] - origin[0], world[1] - origin[1], world[2] - origin[2]};
  return {dot(from, u), dot(from, v)};
}

Point2 Ground::at(const Gaussians& model, size_t row) const {
  const float* mean = &model.means[3 * row];
  return at({double(mean[0]), double(mean[1]), double(mean[2])});
}

double Ground::height(const Point3& world) const {
  return dot({world[0] - origin[0], world[1] - origin[1], world[2] - origin[2]}, cross(u, v));
}

Point3 Ground::world(const Point2& place, double height) const {
  const Point3 up = cross(u, v);
  Point3 at = origin;
  for (size_t i = 0; i < 3; ++i) at[i] += place[0] * u[i] + place[1] * v[i] + height * up[i];
  return at;
}

Ground ground_of(const Dataset& dataset) {
  Ground ground;
  const std::vector<DatasetView> views =
      without_outside<DatasetView>(dataset.views, [](const DatasetView& view) { return view.cam_from_world; });
  const double count = double(std::max<size_t>(views.size(), 1));
  for (const DatasetView& view : views) {
    const Point3 centre = view.cam_from_world.origin_in_source();
    for (size_t i = 0; i < 3; ++i) ground.origin[i] += centre[i] / count;
  }
  const Point3 up = normalised(dataset.view_up);
  const Point3 other = std::abs(up[0]) < 0.7 ? Point3{1, 0, 0} : Point3{0, 1, 0};
  ground.u = normalised(cross(other, up));
  ground.v = cross(up, ground.u);
  double uu = 0, uv = 0, vv = 0;
  for (const DatasetView& view : views) {
    const Point2 p = ground.at(view.cam_from_world.origin_in_source());
    uu += p[0] * p[0], uv += p[0] * p[1], vv += p[1] * p[1];
  }
  const double angle = 0.5 * std::atan2(2 * uv, uu - vv), c = std::cos(angle), s = std::sin(angle);
  const Point3 a = ground.u, b = ground.v;
  for (size_t i = 0; i < 3; ++i) ground.u[i] = c * a[i] + s * b[i], ground.v[i] = c * b[i] - s * a[i];
  return ground;
}

std::vector<Point2> cameras_on(const Ground& ground, const Dataset& dataset, std::span<const int> views) {
  std::vector<Point2> points;
  for (const int view : views)
    points.push_back(ground.at(dataset.views[size_t(view)].cam_from_world.origin_in_source()));
  return points;
}

bool Cell::contains(const Point2& p) const {
  return p[0] >= low[0] && p[0] < high[0] && p[1] >= low[1] && p[1] < high[1];
}

Result<std::vector<Cell>> cut_into_cells(std::span<const Point2> cameras, size_t count, const Cell& within) {
  std::vector<Cell> cells;
  SPLAT_TRY(cut({cameras.begin(), cameras.end()}, within, count, cells));
  return cells;
}

size_t cell_of(std::span<const Cell> cells, const Point2& p) {
  return size_t(std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.contains(p); }) -
                cells.begin());
}

Cell bounds_of(std::span<const Point2> points) {
  Cell bounds{{kInfinity, kInfinity}, {-kInfinity, -kInfinity}};
  for (const Point2& p : points)
    for (size_t axis = 0; axis < 2; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], p[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], p[axis]);
    }
  return bounds;
}

Cell widened(const Cell& cell, const Cell& bounds, double share) {
  Cell wide = cell;
  for (size_t axis = 0; axis < 2; ++axis) {
    const double low = std::max(cell.low[axis], std::min(bounds.low[axis], cell.high[axis]));
    const double high = std::min(cell.high[axis], std::max(bounds.high[axis], cell.low[axis]));
    wide.low[axis] -= share * (high - low);
    wide.high[axis] += share * (high - low);
  }
  return wide;
}

std::vector<uint32_t> rows_in(const Gaussians& model, const Ground& ground, const Cell& cell) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < model.size(); ++i)
    if (cell.contains(ground.at(model, i))) rows.push_back(uint32_t(i));
  return rows;
}

}  // namespace splat::blocks
