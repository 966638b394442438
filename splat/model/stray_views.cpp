#include "splat/model/stray_views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splat/core/percentile.h"
#include "splat/model/camera_models.h"
#include "splat/model/pixel.h"

namespace splat {

namespace {

using Place = std::array<double, 3>;

constexpr double kGap = 3, kGapOfPlacesAlone = 30;  // spans
constexpr size_t kFewest = 3;                       // places that can be most of them
constexpr ptrdiff_t kPair = 2;
constexpr double kOneGroup = 0.1, kAllAlone = 0.1;  // of the cameras
constexpr double kSeen = 0.005, kEnds = 0.1;        // of the points
constexpr double kDot = 0.05;                       // of the picture's longer side
constexpr size_t kMostPoints = 10000;
constexpr double kRounding = 1e-9;  // of the coordinates

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Axis by axis: it lies among more than half of the places wherever the others are.
Place median_of(std::span<const Place> places) {
  Place middle{};
  std::vector<double> values(places.size());
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < places.size(); ++i) values[i] = places[i][axis];
    middle[axis] = median(values);
  }
  return middle;
}

double median_distance(std::span<const Place> points, const Place& from) {
  std::vector<double> distances;
  for (const Place& point : points) distances.push_back(distance(point, from));
  return median(std::move(distances));
}

// The number of the group of each of `chosen`; those nearer than `link` are in one.
std::vector<size_t> groups_of(std::span<const Place> places, std::span<const size_t> chosen, double link) {
  std::vector<size_t> group(chosen.size(), chosen.size()), reached;
  for (size_t first = 0; first < chosen.size(); ++first) {
    if (group[first] != chosen.size()) continue;
    group[first] = first;
    for (reached = {first}; !reached.empty();) {
      const size_t from = reached.back();
      reached.pop_back();
      for (size_t to = 0; to < chosen.size(); ++to)
        if (group[to] == chosen.size() && distance(places[chosen[from]], places[chosen[to]]) <= link)
          group[to] = first, reached.push_back(to);
    }
  }
  return group;
}

// What there is to see: the points; without any, the places of the other cameras. Few points far out do not count.
bool shows_scene(const DatasetView& view, const MainPart& part, double span, std::span<const Place> scene) {
  if (camera_model_info(view.source.model).is_panorama())
    return span > kDot * distance(view.cam_from_world.origin_in_source(), part.middle);
  std::vector<double> x, y;
  for (const Place& place : scene)
    if (const auto pixel = pixel_in_frame(view.view(), place)) x.push_back(pixel->x), y.push_back(pixel->y);
  if (x.empty() || double(x.size()) < kSeen * double(scene.size())) return false;
  const auto width = [](std::vector<double>& values) {
    return percentile(values, 1 - kEnds) - percentile(values, kEnds);
  };
  return std::max(width(x), width(y)) > kDot * std::max(view.camera.width, view.camera.height);
}

}  // namespace

MainPart main_part(std::span<const Place> places, double gap, double least_span) {
  MainPart part;
  if (places.empty()) return part;
  part.middle = median_of(places);
  std::vector<double> away;
  for (const Place& place : places) away.push_back(distance(place, part.middle));
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return away[a] != away[b] ? away[a] < away[b] : a < b; });
  const size_t most = std::min(std::max(kFewest, (places.size() + 1) / 2), places.size());
  part.radius = away[order[most - 1]];
  double magnitude = 1;
  for (const double coordinate : part.middle) magnitude = std::max(magnitude, std::abs(coordinate));
  size_t inside = most;
  for (; inside < order.size(); ++inside) {
    const double next = away[order[inside]], span = std::max(2 * part.radius, least_span);
    if (span > kRounding * magnitude && next - part.radius > gap * span) break;
    part.radius = next;
  }
  part.outside.assign(order.begin() + ptrdiff_t(inside), order.end());
  std::sort(part.outside.begin(), part.outside.end());
  return part;
}

MainPart main_part(std::span<const Rigid3> cams_from_world) {
  std::vector<Place> places;
  for (const Rigid3& pose : cams_from_world) places.push_back(pose.origin_in_source());
  MainPart part = main_part(places, kGapOfPlacesAlone);
  const std::vector<size_t> groups = groups_of(places, part.outside, 2 * part.radius);
  std::vector<size_t> alone;
  for (size_t i = 0; i < part.outside.size(); ++i)
    if (std::count(groups.begin(), groups.end(), groups[i]) <= kPair) alone.push_back(part.outside[i]);
  if (double(alone.size()) > std::max(1.0, kAllAlone * double(places.size()))) alone.clear();
  part.outside = std::move(alone);
  return part;
}

FarViews far_views(const Dataset& dataset) {
  FarViews far;
  std::vector<int> used;
  std::vector<Place> places;
  for (size_t i = 0; i < dataset.views.size(); ++i) {
    if (dataset.views[i].left_out) continue;
    used.push_back(int(i));
    places.push_back(dataset.views[i].cam_from_world.origin_in_source());
  }
  if (places.empty()) return far;
  std::vector<Place> scene = some_points(dataset.points, kMostPoints);
  const bool points = !scene.empty();
  const double of_points = points ? median_distance(scene, median_of(places)) : 0;
  const MainPart part = main_part(places, points ? kGap : kGapOfPlacesAlone, of_points);
  const double count = double(places.size());
  const bool few = double(part.outside.size()) <= std::max(1.0, kAllAlone * count);
  if (part.outside.empty() || (!points && !few)) return far;
  if (!points)
    for (size_t i = 0; i < places.size(); ++i)
      if (!std::binary_search(part.outside.begin(), part.outside.end(), i)) scene.push_back(places[i]);
  const double span = std::max(2 * part.radius, of_points);
  const std::vector<size_t> groups = groups_of(places, part.outside, span);
  for (size_t i = 0; i < part.outside.size(); ++i) {
    const auto together = std::count(groups.begin(), groups.end(), groups[i]);
    const int view = used[part.outside[i]];
    const bool strays = double(together) <= std::max(double(kPair), kOneGroup * count) &&
                        !shows_scene(dataset.views[size_t(view)], part, span, scene);
    if (strays) far.strays.push_back(view);
    if (strays || (few && together <= kPair)) far.outside.push_back(view);
  }
  return far;
}

}  // namespace splat
