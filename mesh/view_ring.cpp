#include "mesh/view_ring.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/percentile.h"

namespace mesh {
namespace {

constexpr double kGoldenAngle = 2.399963229728653;
constexpr double kFocal = 1.2;       // of the width
constexpr float kSeenLogit = 0;      // splats of half opacity and more say where the object is, ...
constexpr double kFewSeen = 0.1;     // ... where they are at least this share
constexpr double kOutlying = 0.005;  // share of the splats at either end that may be floaters
constexpr double kFarOut = 4;        // times the middle half: what reaches farther is more than an object
constexpr double kMargin = 1.05;

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

splat::View looking_at(const std::array<double, 3>& middle, const std::array<double, 3>& from, double distance,
                       int size) {
  const std::array<double, 3> z{-from[0], -from[1], -from[2]};
  const std::array<double, 3> side =
      std::abs(z[1]) > 0.9 ? std::array<double, 3>{1, 0, 0} : std::array<double, 3>{0, 1, 0};
  std::array<double, 3> x = cross(side, z);
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (double& v : x) v /= length;
  const std::array<double, 3> y = cross(z, x);
  splat::View view;
  view.camera = {size, size, float(kFocal * size), float(kFocal * size), float(size) / 2, float(size) / 2};
  auto& pose = view.cam_from_world;
  for (size_t k = 0; k < 3; ++k) pose.rotation[k] = x[k], pose.rotation[3 + k] = y[k], pose.rotation[6 + k] = z[k];
  for (size_t r = 0; r < 3; ++r) {
    pose.translation[r] = r == 2 ? distance : 0;
    for (size_t c = 0; c < 3; ++c) pose.translation[r] -= pose.rotation[3 * r + c] * middle[c];
  }
  return view;
}

struct Ball {
  std::array<double, 3> middle{};
  double radius = 0;
};

// Splats that show something, or all where hardly any do; with a finite mean.
std::vector<size_t> seen_rows(const splat::Gaussians& model) {
  std::vector<size_t> all, seen;
  for (size_t i = 0; i < model.size(); ++i) {
    const float* mean = model.means.data() + 3 * i;
    if (!std::isfinite(mean[0] + mean[1] + mean[2])) continue;
    all.push_back(i);
    if (model.logit_opacities[i] >= kSeenLogit) seen.push_back(i);
  }
  return double(seen.size()) < kFewSeen * double(all.size()) ? all : seen;
}

Ball ball_around(const splat::Gaussians& model) {
  const std::vector<size_t> rows = seen_rows(model);
  if (rows.empty()) return {{}, 1};
  Ball half, all;
  double reach = 0;
  for (size_t k = 0; k < 3; ++k) {
    std::vector<float> values;
    for (size_t i : rows) values.push_back(model.means[3 * i + k]);
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) { return double(values[size_t(share * double(values.size() - 1))]); };
    const double low = at(0.25), high = at(0.75), first = at(kOutlying), last = at(1 - kOutlying);
    half.middle[k] = (low + high) / 2, all.middle[k] = (first + last) / 2;
    half.radius = std::max(half.radius, high - low);
    reach = std::max(reach, last - first);
  }
  if (reach > kFarOut * half.radius) return half.radius > 0 ? half : Ball{half.middle, 1};
  std::vector<double> distances;
  for (size_t i : rows) {
    const float* mean = model.means.data() + 3 * i;
    distances.push_back(std::hypot(mean[0] - all.middle[0], mean[1] - all.middle[1], mean[2] - all.middle[2]));
  }
  const double last = splat::percentile(distances, 1 - kOutlying);
  all.radius = last > 0 ? kMargin * last : 1;
  return all;
}

}  // namespace

std::vector<splat::View> views_around(const splat::Gaussians& model, int count, int size_px) {
  const auto [middle, radius] = ball_around(model);
  std::vector<splat::View> views;
  const double distance = radius * std::sqrt(1 + 4 * kFocal * kFocal) * 1.1;  // the sphere fits
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, r = std::sqrt(1 - z * z), angle = kGoldenAngle * i;
    views.push_back(looking_at(middle, {r * std::cos(angle), z, r * std::sin(angle)}, distance, size_px));
  }
  return views;
}

std::vector<size_t> spread_views(const std::vector<splat::View>& views, size_t count) {
  std::vector<size_t> chosen;
  std::vector<double> nearest(views.size(), std::numeric_limits<double>::max());
  for (size_t next = 0; chosen.size() < std::min(count, views.size());) {
    chosen.push_back(next);
    const auto centre = views[next].cam_from_world.origin_in_source();
    for (size_t i = 0; i < views.size(); ++i) {
      const auto other = views[i].cam_from_world.origin_in_source();
      double distance = 0;
      for (size_t k = 0; k < 3; ++k) distance += (other[k] - centre[k]) * (other[k] - centre[k]);
      nearest[i] = i == next ? -1 : std::min(nearest[i], distance);
    }
    next = size_t(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace mesh
