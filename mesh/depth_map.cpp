#include "mesh/depth_map.h"

#include <algorithm>
#include <cmath>

#include "splat/core/percentile.h"

namespace mesh {
namespace {

constexpr size_t kNeighbours = 8;  // views that may confirm a view
constexpr int kEmptyAround = 2;    // px

std::array<double, 3> axis_of(const splat::View& view) {
  const auto& r = view.cam_from_world.rotation;
  return {r[6], r[7], r[8]};
}

// The views that look most nearly the same way from elsewhere.
std::vector<size_t> neighbours_of(const std::vector<DepthMap>& maps, size_t self) {
  std::vector<std::pair<double, size_t>> others;
  const auto axis = axis_of(maps[self].view), centre = maps[self].view.cam_from_world.origin_in_source();
  for (size_t i = 0; i < maps.size(); ++i) {
    if (i == self) continue;
    const auto other = axis_of(maps[i].view), place = maps[i].view.cam_from_world.origin_in_source();
    double cosine = 0, distance = 0;
    for (size_t k = 0; k < 3; ++k) cosine += axis[k] * other[k], distance += std::abs(place[k] - centre[k]);
    if (distance > 0) others.emplace_back(-cosine, i);
  }
  std::sort(others.begin(), others.end());
  std::vector<size_t> nearest;
  for (size_t i = 0; i < std::min(kNeighbours, others.size()); ++i) nearest.push_back(others[i].second);
  return nearest;
}

bool is_edge(const DepthMap& map, int x, int y, float edge) {
  const float depth = map.at(x, y);
  const int width = map.view.camera.width, height = map.view.camera.height;
  constexpr int kSteps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (const auto& step : kSteps) {
    const int u = x + step[0], v = y + step[1];
    if (u < 0 || v < 0 || u >= width || v >= height) continue;
    const float other = map.at(u, v);
    if (other > 0 && std::abs(other - depth) > edge * std::min(depth, other)) return true;
  }
  return false;
}

constexpr float kUnseen = 1e9f;

// How far what the map sees is from a point, as a share of the point's depth; kUnseen where it sees nothing.
float difference(const DepthMap& map, const std::array<double, 3>& point, float edge) {
  const auto seen = map.view.cam_from_world * point;
  if (!(seen[2] > 0)) return kUnseen;
  const auto& camera = map.view.camera;
  const double x = camera.fx * seen[0] / seen[2] + camera.cx, y = camera.fy * seen[1] / seen[2] + camera.cy;
  if (!(x >= 0 && y >= 0 && x < camera.width && y < camera.height)) return kUnseen;
  const float depth = depth_at(map, float(x), float(y), edge);
  return depth > 0 ? float(std::abs(depth - seen[2]) / seen[2]) : kUnseen;
}

}  // namespace

std::array<double, 3> point_of(const DepthMap& map, int x, int y) {
  const auto& camera = map.view.camera;
  const auto& pose = map.view.cam_from_world;
  const double z = map.at(x, y);
  const std::array<double, 3> seen{(x + 0.5 - camera.cx) / camera.fx * z, (y + 0.5 - camera.cy) / camera.fy * z, z};
  std::array<double, 3> point{};
  for (size_t c = 0; c < 3; ++c)
    for (size_t r = 0; r < 3; ++r) point[c] += pose.rotation[3 * r + c] * (seen[r] - pose.translation[r]);
  return point;
}

void mark_empty(DepthMap& map, const std::vector<uint8_t>& empty) {
  const int width = map.view.camera.width, height = map.view.camera.height;
  std::vector<uint8_t> in_row(empty.size());
  const auto all_around = [&](const std::vector<uint8_t>& from, int at, int count, size_t first, size_t step) {
    for (int k = std::max(at - kEmptyAround, 0); k <= std::min(at + kEmptyAround, count - 1); ++k)
      if (!from[first + size_t(k) * step]) return false;
    return true;
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      in_row[size_t(y) * size_t(width) + size_t(x)] = all_around(empty, x, width, size_t(y) * size_t(width), 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (all_around(in_row, y, height, size_t(x), size_t(width)))
        map.depth[size_t(y) * size_t(width) + size_t(x)] = kNothing;
}

float depth_at(const DepthMap& map, float x, float y, float edge) {
  const int width = map.view.camera.width, height = map.view.camera.height;
  const int nearest_x = int(std::floor(x)), nearest_y = int(std::floor(y));
  if (nearest_x < 0 || nearest_y < 0 || nearest_x >= width || nearest_y >= height) return 0;
  const float nearest = map.at(nearest_x, nearest_y);
  const float u = x - 0.5f, v = y - 0.5f;
  const int left = int(std::floor(u)), top = int(std::floor(v));
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return nearest;
  const float a = map.at(left, top), b = map.at(left + 1, top), c = map.at(left, top + 1),
              d = map.at(left + 1, top + 1);
  const float low = std::min({a, b, c, d}), high = std::max({a, b, c, d});
  if (!(low > 0) || high - low > edge * low) return nearest;
  const float s = u - float(left), t = v - float(top);
  return (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d);
}

namespace {

// One over the depth in the middle, of the plane that fits the window best.
double fitted(const DepthMap& map, int x, int y, const DepthSmoothing& smoothing) {
  const float here = map.at(x, y);
  double w = 1, wp = 0, wq = 0, wpp = 0, wpq = 0, wqq = 0, wz = 1 / double(here), wzp = 0, wzq = 0;
  const int reach = smoothing.radius, width = map.view.camera.width, height = map.view.camera.height;
  // Every other pixel: neighbours show the same splat, and say the same.
  for (int v = y - reach; v <= y + reach; v += 2)
    for (int u = x - reach; u <= x + reach; u += 2) {
      if (u < 0 || v < 0 || u >= width || v >= height) continue;
      const float depth = map.at(u, v);
      const double off = (double(depth) - here) / (double(smoothing.edge) * here);
      if (!(depth > 0) || std::abs(off) >= 1) continue;
      const double weight = (1 - off * off) * (1 - off * off), p = u - x, q = v - y, z = 1 / double(depth);
      w += weight, wp += weight * p, wq += weight * q;
      wpp += weight * p * p, wpq += weight * p * q, wqq += weight * q * q;
      wz += weight * z, wzp += weight * z * p, wzq += weight * z * q;
    }
  const double minor = wpp * wqq - wpq * wpq, second = wp * wqq - wpq * wq, third = wp * wpq - wpp * wq;
  const double determinant = w * minor - wp * second + wq * third;
  if (!(determinant > 1e-6 * w * wpp * wqq)) return wz / w;  // they are in a row
  return (wz * minor - wzp * second + wzq * third) / determinant;
}

}  // namespace

void smooth_depths(std::vector<DepthMap>& maps, const DepthSmoothing& smoothing, splat::ThreadPool& pool) {
  for (DepthMap& map : maps) {
    const size_t width = size_t(map.view.camera.width);
    std::vector<float> smooth = map.depth;
    pool.for_each(size_t(map.view.camera.height), [&](size_t y, int) {
      for (size_t x = 0; x < width; ++x) {
        const float depth = map.depth[y * width + x];
        if (!(depth > 0)) continue;
        const double inverse = fitted(map, int(x), int(y), smoothing);
        smooth[y * width + x] = inverse > 0 ? float(1 / inverse) : depth;
      }
    });
    map.depth = std::move(smooth);
  }
}

float drop_unreliable(std::vector<DepthMap>& maps, const DepthChecks& checks, splat::ThreadPool& pool) {
  constexpr float kSameSurface = 0.1f;
  constexpr double kMostPixels = 0.8;
  constexpr int kSampleStep = 4;  // px
  std::vector<std::vector<float>> kept(maps.size()), differences(maps.size());
  pool.for_each(maps.size(), [&](size_t i, int) {
    const DepthMap& map = maps[i];
    const std::vector<size_t> neighbours = neighbours_of(maps, i);
    const int wanted = std::min(checks.views, int(neighbours.size()));
    kept[i].resize(map.depth.size());
    for (size_t p = 0; p < kept[i].size(); ++p) kept[i][p] = std::min(map.depth[p], 0.0f);
    for (int y = 0; y < map.view.camera.height; ++y)
      for (int x = 0; x < map.view.camera.width; ++x) {
        if (!(map.at(x, y) > 0) || is_edge(map, x, y, checks.edge)) continue;
        const auto point = point_of(map, x, y);
        int confirmed = 0;
        for (size_t k = 0; k < neighbours.size() && confirmed < wanted; ++k) {
          const float off = difference(maps[neighbours[k]], point, checks.edge);
          confirmed += off <= checks.confirm;
          if (k == 0 && x % kSampleStep == 0 && y % kSampleStep == 0 && off < kSameSurface)
            differences[i].push_back(off);
        }
        if (confirmed >= wanted) kept[i][size_t(y) * size_t(map.view.camera.width) + size_t(x)] = map.at(x, y);
      }
  });
  std::vector<float> all;
  for (size_t i = 0; i < maps.size(); ++i) {
    maps[i].depth = std::move(kept[i]);
    all.insert(all.end(), differences[i].begin(), differences[i].end());
  }
  if (all.empty()) return 0;
  return splat::nth_value(all, size_t(kMostPixels * double(all.size())));
}

}  // namespace mesh
