// Points measured in the scene: the lengths between them, and how long a unit of the world is once one is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/camera/geometry.h"

namespace viewer {

class Measure {
 public:
  static constexpr double kLeastScale = 1e-9, kLargestScale = 1e9;  // metres a unit

  void add(const Vec3& point) { points_.push_back(point); }
  void remove_last() {
    if (!points_.empty()) points_.pop_back();
  }
  void clear() { points_.clear(); }
  const std::vector<Vec3>& points() const { return points_; }  // world, in the order they were added

  double last_length() const;  // between the last two points, world units; 0: there are not two
  double path_length() const;  // over all points
  // The last two points lie this far apart in truth; false: there are no two, or no scale comes of it.
  bool set_length(double metres);
  void set_scale(std::optional<double> metres_per_unit) { metres_per_unit_ = metres_per_unit; }
  std::optional<double> metres_per_unit() const { return metres_per_unit_; }
  std::string text(double units) const;  // "1.25 m", or "0.82 units" where the scale is not known

  // How far apart lines of a grid suit a scene of this radius, world units: 1, 2 or 5 times a power of ten, in metres
  // where the scale is known. 0: the radius is none.
  double grid_step(double radius) const;

  // Unit vector across the plane of the last three points, to the side where `towards` lies; none: there are not three,
  // or they lie on a line.
  std::optional<Vec3> up(const Vec3& towards) const;

 private:
  std::vector<Vec3> points_;
  std::optional<double> metres_per_unit_;
};

}  // namespace viewer
