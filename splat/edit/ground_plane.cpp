#include "splat/edit/ground_plane.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/core/random.h"
#include "splat/math/vec.h"

namespace splat::edit {
namespace {

using Vec = math::Vec3<double>;

constexpr size_t kMostPoints = 20'000;
constexpr int kTrials = 600;
constexpr double kOutlying = 0.05;      // at either end of an axis, when the scene's size is measured
constexpr double kThickness = 0.01;     // half of the ground's, in sizes of the scene
constexpr double kLeastCosine = 0.766;  // of 40 degrees
constexpr double kLeastShare = 0.05;
constexpr double kBelowCosts = 2;  // points on the ground that one below it outweighs
constexpr int kRefinements = 3;

double length(const Vec& v) { return std::sqrt(dot(v, v)); }

std::vector<Vec> sample(std::span<const float> xyz) {
  std::vector<Vec> finite;
  const size_t rows = xyz.size() / 3;
  for (size_t i = 0; i < rows; ++i) {
    const float* p = &xyz[3 * i];
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) finite.push_back({p[0], p[1], p[2]});
  }
  if (finite.size() <= kMostPoints) return finite;
  std::vector<Vec> few;
  for (size_t i = 0; i < kMostPoints; ++i) few.push_back(finite[i * finite.size() / kMostPoints]);
  return few;
}

double size_of(const std::vector<Vec>& points) {
  double squared = 0;
  std::vector<double> values(points.size());
  for (const double Vec::*axis : {&Vec::x, &Vec::y, &Vec::z}) {
    for (size_t i = 0; i < points.size(); ++i) values[i] = points[i].*axis;
    const double side = percentile(values, 1 - kOutlying) - percentile(values, kOutlying);
    squared += side * side;
  }
  return std::sqrt(squared);
}

struct Plane {
  Vec up, point;
  double height(const Vec& p) const { return dot(up, p - point); }
};

struct Support {
  size_t on = 0, below = 0;
  double score() const { return double(on) - kBelowCosts * double(below); }
};

// Points well below the plane count only if they are more than the noise of the ground.
Support support_of(const Plane& plane, const std::vector<Vec>& points, double thickness) {
  Support support;
  for (const Vec& p : points) {
    const double height = plane.height(p);
    support.on += std::abs(height) < thickness;
    support.below += height < -3 * thickness;
  }
  return support;
}

// Least squares of the height over the place on the plane, of the points on it.
std::optional<Plane> refined(const Plane& plane, const std::vector<Vec>& points, double thickness) {
  const Vec side = std::abs(plane.up.x) < 0.7 ? Vec{1, 0, 0} : Vec{0, 1, 0};
  Vec u = cross(plane.up, side);
  u = (1 / length(u)) * u;
  const Vec v = cross(plane.up, u);
  Vec middle{0, 0, 0};
  double count = 0;
  for (const Vec& p : points)
    if (std::abs(plane.height(p)) < thickness) middle = middle + p, ++count;
  if (count < 3) return std::nullopt;
  middle = (1 / count) * middle;
  double uu = 0, uv = 0, vv = 0, uh = 0, vh = 0;
  for (const Vec& p : points) {
    if (!(std::abs(plane.height(p)) < thickness)) continue;
    const Vec away = p - middle;
    const double a = dot(away, u), b = dot(away, v), h = dot(away, plane.up);
    uu += a * a, uv += a * b, vv += b * b, uh += a * h, vh += b * h;
  }
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-9 * (uu + vv) * (uu + vv))) return std::nullopt;  // they lie on a line
  const double by_u = (uh * vv - vh * uv) / determinant, by_v = (vh * uu - uh * uv) / determinant;
  const Vec up = plane.up - by_u * u - by_v * v;
  return Plane{(1 / length(up)) * up, middle};
}

}  // namespace

std::optional<GroundPlane> find_ground(std::span<const float> xyz, const std::array<double, 3>& up) {
  const std::vector<Vec> points = sample(xyz);
  Vec guess{up[0], up[1], up[2]};
  if (points.size() < 3 || !(length(guess) > 0)) return std::nullopt;
  guess = (1 / length(guess)) * guess;
  const double thickness = kThickness * size_of(points);
  if (!(thickness > 0)) return std::nullopt;
  random::Sequence numbers(1, random::kGround);
  const auto any = [&]() -> const Vec& { return points[numbers.below(uint32_t(points.size()))]; };
  std::optional<Plane> best;
  double most = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vec &a = any(), &b = any(), &c = any();
    Vec normal = cross(b - a, c - a);
    if (!(length(normal) > 1e-3 * length(b - a) * length(c - a))) continue;
    normal = ((dot(normal, guess) < 0 ? -1 : 1) / length(normal)) * normal;
    if (dot(normal, guess) < kLeastCosine) continue;
    const Plane plane{normal, a};
    const double score = support_of(plane, points, thickness).score();
    if (score > most) most = score, best = plane;
  }
  if (!best) return std::nullopt;
  for (int i = 0; i < kRefinements; ++i)
    if (const auto better = refined(*best, points, thickness)) best = better;
  const double share = double(support_of(*best, points, thickness).on) / double(points.size());
  if (share < kLeastShare || dot(best->up, guess) < kLeastCosine) return std::nullopt;
  return GroundPlane{{best->up.x, best->up.y, best->up.z}, {best->point.x, best->point.y, best->point.z}, share};
}

std::optional<GroundPlane> find_ground(const EditedModel& edited, const std::array<double, 3>& up) {
  std::vector<float> shown;
  for (size_t row = 0; row < edited.states().size(); ++row)
    if (!(edited.states()[row] & (kDeleted | kHidden)))
      shown.insert(shown.end(), &edited.model().means[3 * row], &edited.model().means[3 * row] + 3);
  return find_ground(shown, up);
}

}  // namespace splat::edit
