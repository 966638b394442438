#include "mesh/texture/charts.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "mesh/texture/triangle_raster.h"
#include "mesh/vec3.h"

namespace mesh {
namespace {

constexpr float kLeastTogether = 0.5f;  // of a face's smoothed normal to its chart's: 60 degrees
constexpr float kLeastFacing = 0.15f;   // of a face itself: turned away more it would have no room, or lie upside down
constexpr float kLeastSettled = 0.35f;  // of its smoothed normal to what the chart's mean has become
constexpr int kSmoothings = 3, kCuts = 6;
constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
constexpr int kMostCells = 4096;  // of a side, when looking for what lies on each other

using Neighbours = std::vector<std::array<uint32_t, 3>>;  // [F] across each edge; kNone

Neighbours neighbours_of(const TriangleMesh& mesh) {
  struct Side {
    uint64_t edge;
    uint32_t face, corner;
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.faces.size());
  for (uint32_t f = 0; f < mesh.faces.size(); ++f)
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t a = mesh.faces[f][k], b = mesh.faces[f][(k + 1) % 3];
      sides.push_back({uint64_t(std::min(a, b)) << 32 | std::max(a, b), f, k});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.edge != b.edge ? a.edge < b.edge : a.face < b.face; });
  Neighbours neighbours(mesh.faces.size(), {kNone, kNone, kNone});
  for (size_t i = 0; i + 1 < sides.size(); ++i) {
    if (sides[i].edge != sides[i + 1].edge) continue;
    neighbours[sides[i].face][sides[i].corner] = sides[i + 1].face;
    neighbours[sides[i + 1].face][sides[i + 1].corner] = sides[i].face;
  }
  return neighbours;
}

// The faces' normals, each with its neighbours', so that noise does not tear charts.
std::vector<Vec3> smooth_normals(const TriangleMesh& mesh, const Neighbours& neighbours, splat::ThreadPool& pool) {
  std::vector<Vec3> normals(mesh.faces.size()), next(mesh.faces.size());
  for (size_t f = 0; f < normals.size(); ++f) normals[f] = area_of(mesh, mesh.faces[f]);
  for (int i = 0; i < kSmoothings; ++i) {
    pool.for_chunks(normals.size(), 4096, [&](size_t begin, size_t end, int) {
      for (size_t f = begin; f < end; ++f) {
        next[f] = normals[f];
        for (uint32_t other : neighbours[f])
          if (other != kNone) next[f] = next[f] + normals[other];
      }
    });
    normals.swap(next);
  }
  for (Vec3& n : normals) n = direction_of(n);
  return normals;
}

void lay_axes(Chart& chart, const Vec3& normal) {
  chart.normal = normal;
  size_t least = 0;
  for (size_t k = 1; k < 3; ++k)
    if (std::abs(normal[k]) < std::abs(normal[least])) least = k;
  Vec3 other{};
  other[least] = 1;
  chart.across = direction_of(cross(other, normal));
  chart.down = cross(normal, chart.across);
}

class Grower {
 public:
  Grower(const TriangleMesh& mesh, splat::ThreadPool& pool)
      : mesh_(mesh), neighbours_(neighbours_of(mesh)), smooth_(smooth_normals(mesh, neighbours_, pool)) {}

  // Charts of the faces that are in none yet; `alone`: each its own.
  std::vector<Chart> grow(std::vector<bool>& taken, bool alone) const {
    std::vector<Chart> charts;
    for (size_t before = 1; before != charts.size();) {  // a chart may let go of faces that were passed already
      before = charts.size();
      for (uint32_t seed = 0; seed < taken.size(); ++seed)
        if (!taken[seed]) charts.push_back(alone ? single(seed, taken) : grow_from(seed, taken));
      if (charts.empty()) break;
    }
    return charts;
  }

 private:
  struct Candidate {
    float cosine;
    uint32_t face;
    bool operator<(const Candidate& other) const {
      return cosine != other.cosine ? cosine < other.cosine : face > other.face;
    }
  };

  bool faces(uint32_t face, const Vec3& axis) const {
    const Vec3 area = area_of(mesh_, mesh_.faces[face]);
    return dot(area, axis) > kLeastFacing * std::sqrt(dot(area, area));
  }

  Chart grow_from(uint32_t seed, std::vector<bool>& taken) const {
    Chart chart;
    Vec3 sum{};
    Vec3 axis = faces(seed, smooth_[seed]) ? smooth_[seed] : direction_of(area_of(mesh_, mesh_.faces[seed]));
    std::priority_queue<Candidate> queue;
    queue.push({1, seed});
    while (!queue.empty()) {
      const uint32_t face = queue.top().face;
      queue.pop();
      if (taken[face]) continue;
      if (face != seed && (dot(smooth_[face], axis) < kLeastTogether || !faces(face, axis))) continue;
      taken[face] = true;
      chart.faces.push_back(face);
      const Vec3 area = area_of(mesh_, mesh_.faces[face]);
      sum = sum + std::sqrt(dot(area, area)) * smooth_[face];
      if (face != seed && dot(sum, sum) > 0) axis = direction_of(sum);
      for (uint32_t other : neighbours_[face])
        if (other != kNone && !taken[other]) queue.push({dot(smooth_[other], axis), other});
    }
    settle(chart, seed, axis, taken);
    return chart;
  }

  // The mean has moved while the chart grew: what does not face it in the end is let go.
  void settle(Chart& chart, uint32_t seed, const Vec3& axis, std::vector<bool>& taken) const {
    std::erase_if(chart.faces, [&](uint32_t face) {
      if (faces(face, axis) && dot(smooth_[face], axis) > kLeastSettled) return false;
      taken[face] = false;
      return true;
    });
    std::sort(chart.faces.begin(), chart.faces.end());
    lay_axes(chart, axis);
    if (chart.faces.empty()) chart = single(seed, taken);
  }

  Chart single(uint32_t face, std::vector<bool>& taken) const {
    Chart chart;
    chart.faces = {face};
    lay_axes(chart, direction_of(area_of(mesh_, mesh_.faces[face])));
    taken[face] = true;
    return chart;
  }

  const TriangleMesh& mesh_;
  Neighbours neighbours_;
  std::vector<Vec3> smooth_;
};

std::array<Point2, 3> flat_face(const TriangleMesh& mesh, const Chart& chart, uint32_t face) {
  std::array<Point2, 3> corners;
  for (size_t k = 0; k < 3; ++k) corners[k] = flat(chart, mesh.positions[mesh.faces[face][k]]);
  return corners;
}

// Takes faces out of the chart that lie on others. Returns them.
std::vector<uint32_t> lift_overlaps(const TriangleMesh& mesh, Chart& chart, float cell) {
  Point2 low, high;
  low.fill(std::numeric_limits<float>::max()), high.fill(std::numeric_limits<float>::lowest());
  for (uint32_t face : chart.faces)
    for (const Point2& p : flat_face(mesh, chart, face))
      for (size_t k = 0; k < 2; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  const float size = std::max({cell, (high[0] - low[0]) / kMostCells, (high[1] - low[1]) / kMostCells});
  if (!(size > 0) || chart.faces.size() < 2) return {};
  const int width = int((high[0] - low[0]) / size) + 1, height = int((high[1] - low[1]) / size) + 1;
  std::vector<bool> covered(size_t(width) * size_t(height), false);
  std::vector<uint32_t> lifted;
  std::erase_if(chart.faces, [&](uint32_t face) {
    auto corners = flat_face(mesh, chart, face);
    for (Point2& p : corners)
      for (size_t k = 0; k < 2; ++k) p[k] = (p[k] - low[k]) / size;
    bool over = false;
    std::vector<size_t> cells;
    for_each_covered(corners, width, height, [&](int x, int y, float a, float b, float c) {
      if (std::min({a, b, c}) < 1e-4f) return;  // a border that neighbours share
      const size_t at = size_t(y) * size_t(width) + size_t(x);
      over = over || covered[at];
      cells.push_back(at);
    });
    for (size_t at : cells) covered[at] = covered[at] || !over;
    if (over) lifted.push_back(face);
    return over;
  });
  return lifted;
}

}  // namespace

std::vector<Chart> cut_into_charts(const TriangleMesh& mesh, float cell, splat::ThreadPool& pool) {
  const Grower grower(mesh, pool);
  std::vector<bool> taken(mesh.faces.size(), false);
  std::vector<Chart> charts;
  for (int round = 0;; ++round) {
    std::vector<Chart> grown = grower.grow(taken, round == kCuts);
    std::vector<std::vector<uint32_t>> lifted(grown.size());
    if (round < kCuts)
      pool.for_each(grown.size(), [&](size_t i, int) { lifted[i] = lift_overlaps(mesh, grown[i], cell); });
    bool again = false;
    for (const auto& faces : lifted)
      for (uint32_t face : faces) taken[face] = false, again = true;
    for (Chart& chart : grown) charts.push_back(std::move(chart));
    if (!again) return charts;
  }
}

}  // namespace mesh
