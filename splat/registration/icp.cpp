#include "splat/registration/icp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "knn/knn.h"
#include "splat/core/percentile.h"
#include "splat/core/vectors.h"
#include "splat/math/symmetric_eigen.h"
#include "splat/model/robust_extent.h"
#include "splat/registration/pairs.h"

namespace splat::registration {
namespace {

using Vector = std::array<double, 3>;

constexpr size_t kLeastPoints = 20;
constexpr size_t kNeighbours = 12;          // of a point, that its plane is laid through
constexpr double kLeastShare = 0.3;         // smallest share of the pairs that a trimmed fit may use
constexpr double kPreference = 3;           // for larger shares: 1 + lambda of the criterion
constexpr double kLeastPlane = 0.05;        // weight of a point whose neighbours do not lie in a plane
constexpr double kRankTolerance = 1e-6;     // eigenvalues below this share of the largest count as 0
constexpr double kPointToPlaneStep = 1e-3;  // share of the radius: point to point becomes point to plane below it
constexpr double kConvergedStep = 1e-7;     // share of the radius: the iterations end below it
constexpr float kLeastLogit = -2.1972246f;  // logit of the opacity 0.1
constexpr double kRoughness = 2.5;  // distance of surfaces of one thing, over their roughness; measured: up to 2.0
constexpr double kLeastTolerance = 0.005, kMostTolerance = 0.05;  // shares of the radius
constexpr double kLeastNear = 0.45;  // share of the pairs within the tolerance; measured in good fits: 0.57 and more
constexpr double kLeastLogScale = 0.05;   // |ln scale| from which two clouds differ in size
constexpr double kMostRmsRatio = 0.5;     // RMS distance of a fit with scale, over that of one without
constexpr double kLeastShareRatio = 0.9;  // share of the pairs likewise
constexpr size_t kPointsAtOnce = 512;

Vector vector_of(const float* p) { return {double(p[0]), double(p[1]), double(p[2])}; }

std::vector<float> chosen(std::span<const float> points, size_t most) {
  const size_t all = points.size() / 3, count = std::min(all, most);
  std::vector<float> out;
  out.reserve(3 * count);
  for (size_t i = 0; i < count; ++i) {
    const float* p = &points[3 * (i * all / count)];
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) out.insert(out.end(), p, p + 3);
  }
  return out;
}

struct Plane {
  Vector normal{};
  double weight = 0;   // 0..1: how much the neighbours lie in it
  double spacing = 0;  // to the nearest neighbour
};

Plane plane_at(const knn::PointIndex& points, uint32_t at) {
  std::array<uint32_t, kNeighbours + 1> near{};  // the point itself among them
  const size_t found = points.nearest(points.point(at), near);
  Vector centre{};
  for (size_t i = 0; i < found; ++i)
    for (size_t c = 0; c < 3; ++c) centre[c] += double(points.point(near[i])[c]) / double(found);
  math::SymmetricMatrix<3> spread{};
  for (size_t i = 0; i < found; ++i) {
    const Vector off = vector_of(points.point(near[i])) - centre;
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) spread[r][c] += off[r] * off[c];
  }
  const auto eigen = math::symmetric_eigen(spread);
  const double sum = eigen.values[0] + eigen.values[1] + eigen.values[2];
  // "Surface variation" (Pauly, Gross and Kobbelt 2002), which is at most a third.
  const double variation = sum > 0 ? std::max(0.0, eigen.values[2]) / sum : 1.0 / 3;
  const Vector next = vector_of(points.point(near[found > 1 ? 1 : 0])) - vector_of(points.point(at));
  return {eigen.vectors[2], kLeastPlane + (1 - kLeastPlane) * (1 - 3 * variation), std::sqrt(dot(next, next))};
}

struct Pair {
  Vector at{};  // of the moving point, as it lies now
  uint32_t fixed = 0;
  double squared = 0;  // distance
};

class Icp {
 public:
  Icp(std::vector<float> moving, std::vector<float> fixed, bool with_scale, ThreadPool& pool)
      : moving_(std::move(moving)), fixed_(std::move(fixed)), with_scale_(with_scale), pool_(pool) {
    planes_.resize(fixed_.size());
    pool_.for_chunks(planes_.size(), kPointsAtOnce, [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) planes_[i] = plane_at(fixed_, uint32_t(i));
    });
    std::vector<double> spacings;
    for (const Plane& plane : planes_) spacings.push_back(plane.spacing);
    spacing_ = median(std::move(spacings));
  }

  // Which pairs count, with the moving points there: the first count_ of pairs_.
  void find_pairs(const Similarity& to_from) {
    pairs_.resize(moving_.size() / 3);
    pool_.for_chunks(pairs_.size(), kPointsAtOnce, [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) {
        const Vector at = to_from * vector_of(&moving_[3 * i]);
        const std::array<float, 3> query{float(at[0]), float(at[1]), float(at[2])};
        std::array<uint32_t, 1> nearest{};
        fixed_.nearest(query.data(), nearest);
        const Vector off = at - vector_of(fixed_.point(nearest[0]));
        pairs_[i] = {at, nearest[0], dot(off, off)};
      }
    });
    std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.squared < b.squared; });
    const double floor = 0.01 * spacing_ * spacing_;  // closer than points lie to each other says nothing
    double sum = 0, best = 0;
    count_ = 0;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      sum += pairs_[i].squared;
      const double share = double(i + 1) / double(pairs_.size());
      if (share < kLeastShare) continue;
      const double criterion = (sum / double(i + 1) + floor) / std::pow(share, kPreference);
      if (count_ == 0 || criterion < best) best = criterion, count_ = i + 1;
    }
    centre_ = {};
    for (const Pair& pair : used())
      for (size_t c = 0; c < 3; ++c) centre_[c] += pair.at[c] / double(count_);
    double squared = 0;
    for (const Pair& pair : used()) squared += dot(pair.at - centre_, pair.at - centre_);
    radius_ = std::sqrt(squared / double(count_));
  }

  // The step that lays points on their closest ones; the identity if they do not determine one.
  Similarity step_between_points() const {
    std::vector<PointPair> pairs;
    for (const Pair& pair : used()) pairs.push_back({pair.at, vector_of(fixed_.point(pair.fixed))});
    const auto fit = fit_pairs(pairs, false);
    return fit ? fit->to_from : Similarity();
  }

  // Gauss-Newton for a small turn (radians), shift (radii) and growth (natural logarithm) about the centre.
  Similarity step_to_planes() const {
    constexpr size_t kUnknowns = 7;
    math::SymmetricMatrix<kUnknowns> a{};
    std::array<double, kUnknowns> b{};
    for (const Pair& pair : used()) {
      const Plane& plane = planes_[pair.fixed];
      Vector arm = pair.at - centre_;
      for (double& x : arm) x /= radius_;
      const Vector turn = cross(arm, plane.normal);
      const Vector& n = plane.normal;
      const double grow = with_scale_ ? dot(arm, n) : 0;
      const std::array<double, kUnknowns> row{turn[0], turn[1], turn[2], n[0], n[1], n[2], grow};
      const double off = residual(pair) / radius_;
      for (size_t i = 0; i < kUnknowns; ++i) {
        b[i] -= plane.weight * row[i] * off;
        for (size_t j = 0; j < kUnknowns; ++j) a[i][j] += plane.weight * row[i] * row[j];
      }
    }
    const auto eigen = math::symmetric_eigen(a);
    std::array<double, kUnknowns> x{};
    for (size_t k = 0; k < kUnknowns && eigen.values[k] > kRankTolerance * eigen.values[0]; ++k) {
      double along = 0;
      for (size_t i = 0; i < kUnknowns; ++i) along += eigen.vectors[k][i] * b[i];
      for (size_t i = 0; i < kUnknowns; ++i) x[i] += eigen.vectors[k][i] * along / eigen.values[k];
    }
    const Vector axis{x[0], x[1], x[2]};
    const double angle = std::sqrt(dot(axis, axis));
    Similarity by;
    if (angle > 0) by.rotation = quat_about(axis, angle * 180 / std::numbers::pi);
    by.scale = std::exp(std::clamp(x[6], -0.1, 0.1));
    by.translation = centre_ + Vector{radius_ * x[3], radius_ * x[4], radius_ * x[5]} - by * centre_;
    return by;
  }

  // How far a step moves the points, about, in radii.
  double size_of(const Similarity& step) const {
    const Vector shift = step * centre_ - centre_;
    const auto& q = step.rotation;
    const double turn = 2 * std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    return std::sqrt(dot(shift, shift)) / radius_ + turn + std::abs(step.scale - 1);
  }

  double rms() const {
    double sum = 0, weights = 0;
    for (const Pair& pair : used()) {
      const double off = residual(pair), weight = planes_[pair.fixed].weight;
      sum += weight * off * off, weights += weight;
    }
    return std::sqrt(sum / weights);
  }
  // The same of as many pairs, with the moving points there.
  double rms_at(const Similarity& to_from) {
    const size_t count = count_;
    find_pairs(to_from);
    count_ = count;
    return rms();
  }
  // How far fixed points lie from the planes of those nearest to them: what a pair of the same surface comes to as
  // well.
  double roughness() const {
    std::vector<double> off(planes_.size());
    pool_.for_chunks(off.size(), kPointsAtOnce, [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) {
        std::array<uint32_t, 2> near{};  // the point itself first
        fixed_.nearest(fixed_.point(uint32_t(i)), near);
        const Vector to = vector_of(fixed_.point(uint32_t(i))) - vector_of(fixed_.point(near[1]));
        off[i] = std::abs(dot(to, planes_[near[1]].normal));
      }
    });
    return median(std::move(off));
  }
  // 0..1 of the pairs that count.
  double within(double distance) const {
    const auto near = [&](const Pair& pair) { return std::abs(residual(pair)) <= distance; };
    return double(std::count_if(used().begin(), used().end(), near)) / double(count_);
  }
  double radius() const { return radius_; }
  double share() const { return double(count_) / double(pairs_.size()); }
  // No further apart than floats are there.
  bool in_one_point() const {
    return !(radius_ > double(std::numeric_limits<float>::epsilon()) * std::sqrt(dot(centre_, centre_)));
  }

 private:
  std::span<const Pair> used() const { return std::span(pairs_).first(count_); }
  double residual(const Pair& pair) const {
    return dot(pair.at - vector_of(fixed_.point(pair.fixed)), planes_[pair.fixed].normal);
  }

  const std::vector<float> moving_;
  const knn::PointIndex fixed_;
  const bool with_scale_;
  ThreadPool& pool_;
  std::vector<Plane> planes_;  // by fixed point
  double spacing_ = 0, radius_ = 0;
  std::vector<Pair> pairs_;
  size_t count_ = 0;
  Vector centre_{};
};

}  // namespace

Result<IcpResult> icp(std::span<const float> moving, std::span<const float> fixed, const Similarity& start,
                      const IcpSettings& settings, ThreadPool& pool) {
  std::vector<float> points = chosen(moving, settings.moving_points), others = chosen(fixed, settings.fixed_points);
  if (points.size() < 3 * kLeastPoints || others.size() < 3 * kLeastPoints)
    return Error{"there are too few opaque splats to lay one object on the other: " +
                 std::to_string(std::min(points.size(), others.size()) / 3)};
  Icp work(std::move(points), std::move(others), settings.with_scale, pool);
  IcpResult result;
  result.to_from = start;
  bool to_planes = false;
  for (; result.iterations < settings.max_iterations; ++result.iterations) {
    work.find_pairs(result.to_from);
    if (work.in_one_point()) return Error{"the splats of an object lie in one point"};
    const Similarity step = to_planes ? work.step_to_planes() : work.step_between_points();
    result.to_from = step * result.to_from;
    const double moved = work.size_of(step);
    if (to_planes && moved < kConvergedStep) break;
    to_planes |= moved < kPointToPlaneStep || 2 * result.iterations > settings.max_iterations;
    const double grown = result.to_from.scale / start.scale;
    if (!(grown < kMostScale && grown > 1 / kMostScale))
      return Error{"the objects do not fit: refining makes one larger and larger, or smaller; place it by more pairs"};
  }
  work.find_pairs(result.to_from);
  result.rms = work.rms();
  result.share = work.share();
  result.start_rms = work.rms_at(start);
  return result;
}

namespace {

std::vector<float> moved(std::span<const float> points, const Similarity& by) {
  std::vector<float> out;
  out.reserve(points.size());
  for (size_t i = 0; i < points.size(); i += 3)
    for (const double x : by* vector_of(&points[i])) out.push_back(float(x));
  return out;
}

double length_of(const Extent& extent) {
  const Vector across = extent.high - extent.low;
  return std::sqrt(dot(across, across));
}

Vector middle_of(const Extent& extent) {
  Vector middle = extent.low + extent.high;
  for (double& x : middle) x /= 2;
  return middle;
}

std::vector<float> inside(std::span<const float> points, const Extent& extent) {
  std::vector<float> in;
  for (size_t i = 0; i < points.size(); i += 3) {
    bool within = true;
    for (size_t c = 0; c < 3; ++c) within &= points[i + c] >= extent.low[c] && points[i + c] <= extent.high[c];
    if (within) in.insert(in.end(), &points[i], &points[i] + 3);
  }
  return in;
}

// Nearness of clouds as they lie, both ways: of the fixed one only what lies where the other is.
Plausibility nearness(const std::vector<float>& laid, const std::vector<float>& fixed, ThreadPool& pool) {
  const auto extent = robust_extent(laid);
  const std::vector<float> met = extent ? inside(fixed, *extent) : std::vector<float>();
  if (met.empty()) return {};
  Icp there(laid, fixed, false, pool), back(chosen(met, IcpSettings().moving_points), laid, false, pool);
  there.find_pairs({});
  back.find_pairs({});
  const double rough = kRoughness * std::max(there.roughness(), back.roughness());
  Plausibility result;
  result.tolerance = std::clamp(rough, kLeastTolerance * there.radius(), kMostTolerance * there.radius());
  result.near = std::min(there.within(result.tolerance), back.within(result.tolerance));
  return result;
}

// The size at which the moving cloud fits far better than `found`: as large as the fixed one, about, and turned as it
// was given.
std::optional<double> better_size(const std::vector<float>& moving, const std::vector<float>& fixed,
                                  const IcpResult& found, ThreadPool& pool) {
  const auto extent = robust_extent(moving), other = robust_extent(fixed);
  if (!extent || !other) return {};
  Similarity start;
  start.scale = length_of(*other) / length_of(*extent);
  if (!(std::abs(std::log(start.scale)) > kLeastLogScale)) return {};  // nor of an extent of 0
  start.translation = middle_of(*other) - start * middle_of(*extent);
  const auto fit = icp(moving, fixed, start, {.with_scale = true}, pool);
  const bool better = fit && fit->rms / fit->to_from.scale < kMostRmsRatio * found.rms &&
                      fit->share > kLeastShareRatio * found.share &&
                      std::abs(std::log(fit->to_from.scale)) > kLeastLogScale;
  if (!better || nearness(moved(moving, fit->to_from), fixed, pool).near < kLeastNear) return {};
  return fit->to_from.scale;
}

}  // namespace

bool Plausibility::plausible() const { return near >= kLeastNear && !fits_at; }

Plausibility plausibility(std::span<const float> moving, std::span<const float> fixed, const IcpResult& found,
                          ThreadPool& pool) {
  const IcpSettings settings;
  const std::vector<float> some = chosen(moving, settings.moving_points), others = chosen(fixed, settings.fixed_points);
  Plausibility result = nearness(moved(some, found.to_from), others, pool);
  result.fits_at = better_size(some, others, found, pool);
  return result;
}

std::vector<float> surface_points(const Gaussians& model, std::span<const uint8_t> rows) {
  std::vector<float> points;
  for (size_t row = 0; row < model.size(); ++row) {
    if ((!rows.empty() && !rows[row]) || !(model.logit_opacities[row] >= kLeastLogit)) continue;
    const float* mean = &model.means[3 * row];
    if (std::isfinite(mean[0]) && std::isfinite(mean[1]) && std::isfinite(mean[2]))
      points.insert(points.end(), mean, mean + 3);
  }
  return points;
}

}  // namespace splat::registration
