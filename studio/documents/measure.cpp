#include "studio/documents/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace studio {
namespace {

constexpr double kLeastSine = 1e-3;  // between two sides of a triangle that has a plane

}  // namespace

double Measure::last_length() const {
  return points_.size() < 2 ? 0 : length(points_.back() - points_[points_.size() - 2]);
}

double Measure::path_length() const {
  double sum = 0;
  for (size_t i = 1; i < points_.size(); ++i) sum += length(points_[i] - points_[i - 1]);
  return sum;
}

bool Measure::set_length(double metres) {
  const double scale = last_length() > 0 ? metres / last_length() : 0;
  if (!(scale >= kLeastScale && scale <= kLargestScale)) return false;
  set_scale(scale);
  return true;
}

void Measure::set_scale(std::optional<double> metres_per_unit) {
  metres_per_opened_unit_ = metres_per_unit;
  if (metres_per_unit) *metres_per_opened_unit_ *= placed_.scale;
}

void Measure::open(std::optional<double> metres_per_file_unit) {
  reopen();
  metres_per_opened_unit_ = metres_per_file_unit;
}

void Measure::reopen() {
  points_.clear();
  placed_ = {};
  file_scale_ = 1;
}

void Measure::follow(const splat::Similarity& placed, double file_scale) {
  file_scale_ = file_scale;
  if (placed == placed_) return;
  const splat::Similarity by = placed * inverse(placed_);
  for (Vec3& point : points_) point = vec3(by * array3(point));
  placed_ = placed;
}

std::string Measure::text(double units) const {
  char text[48];
  const auto scale = metres_per_unit();
  if (!scale)
    std::snprintf(text, sizeof text, units == 1 ? "%.4g unit" : "%.4g units", units);
  else if (const double metres = units * *scale; metres < 0.01)
    std::snprintf(text, sizeof text, "%.4g mm", 1e3 * metres);
  else if (metres < 1)
    std::snprintf(text, sizeof text, "%.4g cm", 1e2 * metres);
  else
    std::snprintf(text, sizeof text, "%.5g m", metres);
  return text;
}

double Measure::grid_step(double radius) const {
  constexpr double kLines = 5;  // about, over a radius
  const double unit = metres_per_unit().value_or(1), rough = radius * unit / kLines;
  if (!(rough > 0) || !std::isfinite(rough)) return 0;
  const double power = std::pow(10, std::floor(std::log10(rough))), times = rough / power;
  return power * (times < 2 ? 1 : times < 5 ? 2 : 5) / unit;
}

std::optional<Vec3> Measure::up(const Vec3& towards) const {
  if (points_.size() < 3) return std::nullopt;
  const Vec3 &a = points_[points_.size() - 3], &b = points_[points_.size() - 2], &c = points_.back();
  const Vec3 one = b - a, other = c - a;
  const Vec3 normal = splat::math::cross(one, other);
  if (!(length(normal) > kLeastSine * length(one) * length(other))) return std::nullopt;
  const Vec3 unit = normalized(normal);
  return splat::math::dot(unit, towards - a) < 0 ? -1.0 * unit : unit;
}

}  // namespace studio
