#include "splat/train/far_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "splat/core/percentile.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kMostSampled = 20000;  // points of the reconstruction, evenly spread over its list
constexpr size_t kFewestCells = 6;      // with points
constexpr double kNone = std::numeric_limits<double>::infinity();

// The nearest depth in each square cell of a picture.
class DepthCells {
 public:
  explicit DepthCells(const PinholeCamera& camera)
      : side_(double(std::max(camera.width, camera.height)) / kFarCells),
        columns_(size_t(std::ceil(camera.width / side_))),
        depth_(columns_ * size_t(std::ceil(camera.height / side_)), kNone) {}

  void add(const View& view, const Point& point) {
    const auto pixel = pixel_of(view, point);
    if (!pixel || !is_in_frame(view.camera, *pixel)) return;
    double& depth = depth_[size_t(pixel->y / side_) * columns_ + size_t(pixel->x / side_)];
    depth = std::min(depth, pixel->depth);
  }
  size_t size() const { return depth_.size(); }
  bool is_empty(size_t cell) const { return depth_[cell] == kNone; }
  double column(size_t cell) const { return double(cell % columns_) + 0.5; }
  double row(size_t cell) const {
    const size_t above = cell / columns_;
    return double(above) + 0.5;
  }
  double side() const { return side_; }  // px

  std::vector<double> depths() const {
    std::vector<double> known;
    std::copy_if(depth_.begin(), depth_.end(), std::back_inserter(known), [](double depth) { return depth < kNone; });
    return known;
  }

  // Whether the cells with points lie to one side: their directions leave out at least half a turn.
  bool is_outside(size_t cell) const {
    std::vector<double> directions;
    for (size_t other = 0; other < size(); ++other)
      if (!is_empty(other)) directions.push_back(std::atan2(row(other) - row(cell), column(other) - column(cell)));
    std::sort(directions.begin(), directions.end());
    constexpr double kTurn = 2 * std::numbers::pi, kRounding = 1e-9;
    double widest = directions.front() + kTurn - directions.back();
    for (size_t i = 1; i < directions.size(); ++i) widest = std::max(widest, directions[i] - directions[i - 1]);
    return widest > kTurn / 2 - kRounding;
  }

 private:
  double side_;
  size_t columns_;
  std::vector<double> depth_;
};

std::array<uint8_t, 3> mean_colour(const PointCloud& points) {
  std::array<double, 3> sum{};
  for (size_t i = 0; i < points.rgb.size(); ++i) sum[i % 3] += points.rgb[i];
  std::array<uint8_t, 3> mean{};
  for (size_t channel = 0; channel < 3; ++channel)
    mean[channel] = uint8_t(std::lround(sum[channel] / double(points.size())));
  return mean;
}

}  // namespace

PointCloud far_points(const Dataset& dataset, const PointCloud& points) {
  if (points.size() == 0) return {};
  const std::vector<Point> known = some_points(points, kMostSampled);
  std::vector<Point> added;
  for (const int index : dataset.training_views()) {
    const View view = dataset.views[size_t(index)].view();
    DepthCells cells(view.camera);
    for (const Point& point : known) cells.add(view, point);
    std::vector<double> depths = cells.depths();
    if (depths.size() < kFewestCells) continue;
    const double depth = kFarTimes * percentile(depths, 1 - kFarthest);
    for (const Point& point : added) cells.add(view, point);
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      if (!cells.is_empty(cell) || !cells.is_outside(cell)) continue;
      added.push_back(point_at(view, {cells.column(cell) * cells.side(), cells.row(cell) * cells.side(), depth}));
    }
  }
  const std::array<uint8_t, 3> colour = mean_colour(points);
  PointCloud result;
  for (const Point& point : added) {
    for (const double x : point) result.xyz.push_back(float(x));
    result.rgb.insert(result.rgb.end(), colour.begin(), colour.end());
  }
  return result;
}

}  // namespace splat
