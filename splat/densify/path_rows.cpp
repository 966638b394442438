#include "splat/densify/path_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "knn/knn.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kNeighbours = 3;
constexpr size_t kCandidates = 16;  // so that several cameras in one place, as on a rig, leave some
constexpr size_t kMostSlices = 4096;

double squared_distance(const Point& a, const Point& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

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
  return paths;
}

// The paths by slices of space along x, so that a row is compared with those few that reach its slice.
class PathSlices {
 public:
  explicit PathSlices(std::vector<Path> paths) : paths_(std::move(paths)) {
    for (const Path& path : paths_) {
      low_ = std::min(low_, low_of(path)), high_ = std::max(high_, high_of(path));
    }
    slices_.resize(std::min(paths_.size(), kMostSlices));
    for (const Path& path : paths_)
      for (size_t slice = slice_of(low_of(path)); slice <= slice_of(high_of(path)); ++slice)
        slices_[slice].push_back(&path);
  }

  bool hold(const Point& p) const {
    if (!(p[0] >= low_ && p[0] <= high_)) return false;
    const std::vector<const Path*>& slice = slices_[slice_of(p[0])];
    return std::any_of(slice.begin(), slice.end(), [&](const Path* path) { return path->holds(p); });
  }

 private:
  static double low_of(const Path& path) { return std::min(path.from[0], path.to[0]) - path.radius; }
  static double high_of(const Path& path) { return std::max(path.from[0], path.to[0]) + path.radius; }
  size_t slice_of(double x) const {
    return std::min(size_t((x - low_) / (high_ - low_) * double(slices_.size())), slices_.size() - 1);
  }

  std::vector<Path> paths_;
  std::vector<std::vector<const Path*>> slices_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

}  // namespace

std::vector<uint32_t> rows_in_paths(const Gaussians& model, std::span<const View> views, double nearer) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  std::vector<Path> paths = paths_between(centres);
  if (paths.empty()) return {};
  const PathSlices slices(std::move(paths));

  const auto is_seen_close_by = [&](const Point& point) {
    double nearest = std::numeric_limits<double>::infinity(), nearest_seeing = nearest;
    for (size_t i = 0; i < views.size(); ++i) {
      const double squared = squared_distance(centres[i], point);
      nearest = std::min(nearest, squared);
      if (squared >= nearest_seeing) continue;
      const auto pixel = pixel_of(views[i], point);
      if (pixel && is_in_frame(views[i].camera, *pixel)) nearest_seeing = squared;
    }
    return nearest_seeing <= nearer * nearer * nearest;
  };
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < model.size(); ++row) {
    const float* mean = &model.means[3 * row];
    const Point point{mean[0], mean[1], mean[2]};
    if (slices.hold(point) && !is_seen_close_by(point)) rows.push_back(uint32_t(row));
  }
  return rows;
}

}  // namespace splat
