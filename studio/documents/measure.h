// Points measured in the scene: the lengths between them, and how long a unit of the world is once one is known. Both
// go along where the scene is moved, turned or scaled as a whole: what was 1 m long still is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "splat/model/transform.h"
#include "studio/names.h"
#include "viewer/camera/geometry.h"

namespace studio {

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
  void set_scale(std::optional<double> metres_per_unit);
  std::optional<double> metres_per_unit() const { return scaled(1 / placed_.scale); }
  std::optional<double> metres_per_file_unit() const { return scaled(1 / file_scale_); }  // to be remembered with it
  // Another scene, where its file has it.
  void open(std::optional<double> metres_per_file_unit);
  void reopen();  // no points, and the scene lies where it was opened
  // Where all of it lies, from where it was opened, and units of its file for one as it was opened.
  void follow(const splat::Similarity& placed, double file_scale);
  std::string text(double units) const;  // "1.25 m", or "0.82 units" where the scale is not known

  // How far apart lines of a grid suit a scene of this radius, world units: 1, 2 or 5 times a power of ten, in metres
  // where the scale is known. 0: the radius is none.
  double grid_step(double radius) const;

  // Unit vector across the plane of the last three points, to the side where `towards` lies; none: there are not three,
  // or they lie on a line.
  std::optional<Vec3> up(const Vec3& towards) const;

 private:
  std::optional<double> scaled(double by) const {
    return metres_per_opened_unit_ ? std::optional(by * *metres_per_opened_unit_) : std::nullopt;
  }

  std::vector<Vec3> points_;
  std::optional<double> metres_per_opened_unit_;
  splat::Similarity placed_;
  double file_scale_ = 1;
};

}  // namespace studio
