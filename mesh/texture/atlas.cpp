#include "mesh/texture/atlas.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "mesh/texture/charts.h"
#include "mesh/vec3.h"

namespace mesh {
namespace {

constexpr int kTurns = 18;             // of 5 degrees, to find how a chart takes the least room
constexpr double kExpectedFill = 0.6;  // for the size of cells in which overlaps are looked for
constexpr int kScaleSteps = 14;        // of the search for the finest scale that fits

// A chart's bounding rectangle in its plane.
struct Extent {
  std::array<float, 2> low{}, size{};
};

Extent extent_of(const TriangleMesh& mesh, const Chart& chart) {
  std::array<float, 2> low, high;
  low.fill(std::numeric_limits<float>::max()), high.fill(std::numeric_limits<float>::lowest());
  for (uint32_t face : chart.faces)
    for (uint32_t v : mesh.faces[face]) {
      const auto p = flat(chart, mesh.positions[v]);
      for (size_t k = 0; k < 2; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
  return {low, {high[0] - low[0], high[1] - low[1]}};
}

// Turns the chart's axes so that its rectangle is as small as may be, and lies.
Extent turn_to_fit(const TriangleMesh& mesh, Chart& chart) {
  const Vec3 across = chart.across, down = chart.down;
  Extent best;
  Vec3 best_across{}, best_down{};
  float least = std::numeric_limits<float>::max();
  for (int turn = 0; turn < kTurns; ++turn) {
    const float angle = std::numbers::pi_v<float> / 2 * float(turn) / kTurns, c = std::cos(angle), s = std::sin(angle);
    chart.across = c * across + s * down;
    chart.down = c * down - s * across;
    if (const Extent extent = extent_of(mesh, chart); extent.size[0] * extent.size[1] < least) {
      least = extent.size[0] * extent.size[1];
      best = extent, best_across = chart.across, best_down = chart.down;
    }
  }
  chart.across = best_across, chart.down = best_down;
  if (best.size[1] > best.size[0]) {
    chart.across = best_down, chart.down = -1.0f * best_across;
    return extent_of(mesh, chart);
  }
  return best;
}

struct Place {
  int x = 0, y = 0;
};

// Rectangles side by side from the top: each goes where its lower edge ends highest.
class Skyline {
 public:
  explicit Skyline(int side) : side_(side) { steps_.push_back({0, 0, side}); }

  bool add(int width, int height, Place& place) {
    int best_y = std::numeric_limits<int>::max(), best_waste = 0;
    size_t best = steps_.size();
    for (size_t i = 0; i < steps_.size(); ++i) {
      int y = 0, waste = 0;
      if (!fits(i, width, height, y, waste)) continue;
      if (y < best_y || (y == best_y && waste < best_waste)) best = i, best_y = y, best_waste = waste;
    }
    if (best == steps_.size()) return false;
    place = {steps_[best].x, best_y};
    raise(best, width, best_y + height);
    return true;
  }

 private:
  struct Step {
    int x, y, width;
  };

  bool fits(size_t from, int width, int height, int& y, int& waste) const {
    if (steps_[from].x + width > side_) return false;
    y = 0, waste = 0;
    int left = width;
    for (size_t i = from; left > 0; ++i) {
      y = std::max(y, steps_[i].y);
      if (y + height > side_) return false;
      left -= steps_[i].width;
    }
    left = width;
    for (size_t i = from; left > 0; ++i) {
      waste += (y - steps_[i].y) * std::min(left, steps_[i].width);
      left -= steps_[i].width;
    }
    return true;
  }

  void raise(size_t at, int width, int y) {
    const int x = steps_[at].x, end = x + width;
    size_t last = at;
    while (last < steps_.size() && steps_[last].x + steps_[last].width <= end) ++last;
    std::vector<Step> rest(steps_.begin() + ptrdiff_t(last), steps_.end());
    if (!rest.empty() && rest[0].x < end) {
      rest[0].width -= end - rest[0].x;
      rest[0].x = end;
    }
    steps_.resize(at);
    if (at > 0 && steps_[at - 1].y == y) {
      steps_[at - 1].width += width;
    } else {
      steps_.push_back({x, y, width});
    }
    steps_.insert(steps_.end(), rest.begin(), rest.end());
  }

  int side_;
  std::vector<Step> steps_;
};

int texels(float size, double scale) { return int(std::ceil(double(size) * scale)) + 1 + kGutter; }

// Places all at `scale` texels a unit; false where they do not fit.
bool pack(const std::vector<Extent>& extents, const std::vector<size_t>& order, double scale, int side,
          std::vector<Place>& places) {
  Skyline skyline(side - kGutter);
  places.resize(extents.size());
  for (size_t i : order)
    if (!skyline.add(texels(extents[i].size[0], scale), texels(extents[i].size[1], scale), places[i])) return false;
  return true;
}

// The finest scale that fits; 0 where none does.
double best_packing(const std::vector<Extent>& extents, int side, std::vector<Place>& places) {
  std::vector<size_t> order(extents.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return extents[a].size[1] > extents[b].size[1]; });
  double area = 0, longest = 0;
  for (const Extent& e : extents) area += double(e.size[0]) * e.size[1], longest = std::max(longest, double(e.size[0]));
  double low = 0, high = std::min(side / std::max(std::sqrt(area), 1e-30), side / std::max(longest, 1e-30));
  std::vector<Place> tried;
  for (int step = 0; step < kScaleSteps; ++step) {
    const double scale = step == 0 ? 0.8 * high : (low + high) / 2;
    if (pack(extents, order, scale, side, tried)) {
      low = scale, places.swap(tried);
    } else {
      high = scale;
    }
  }
  return low;
}

// One vertex for each chart that a vertex is in.
std::vector<uint32_t> split_and_place(TriangleMesh& mesh, const std::vector<Chart>& charts,
                                      const std::vector<Extent>& extents, const std::vector<Place>& places,
                                      double scale, int side) {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  TriangleMesh out;
  std::vector<uint32_t> origin;
  out.faces = mesh.faces;
  std::vector<uint32_t> chart_of(mesh.positions.size(), kNone), place_of(mesh.positions.size(), 0);
  for (uint32_t c = 0; c < charts.size(); ++c)
    for (uint32_t face : charts[c].faces)
      for (uint32_t& v : out.faces[face]) {
        if (chart_of[v] != c) {
          chart_of[v] = c, place_of[v] = uint32_t(out.positions.size());
          const auto p = flat(charts[c], mesh.positions[v]);
          Uv uv;
          for (size_t k = 0; k < 2; ++k) {
            const int origin = (k == 0 ? places[c].x : places[c].y) + kGutter;
            uv[k] = float((double(origin) + 0.5 + double(p[k] - extents[c].low[k]) * scale) / side);
          }
          out.positions.push_back(mesh.positions[v]);
          out.normals.push_back(mesh.normals[v]);
          if (!mesh.colours.empty()) out.colours.push_back(mesh.colours[v]);
          out.uvs.push_back(uv);
          origin.push_back(v);
        }
        v = place_of[v];
      }
  mesh = std::move(out);
  return origin;
}

}  // namespace

splat::Result<Atlas> lay_out(TriangleMesh& mesh, int side, splat::ThreadPool& pool) {
  double area = 0;
  for (const Face& face : mesh.faces) {
    const Vec3 twice = area_of(mesh, face);
    area += 0.5 * std::sqrt(double(dot(twice, twice)));
  }
  std::vector<Chart> charts = cut_into_charts(mesh, float(std::sqrt(area / kExpectedFill) / side), pool);
  std::vector<Extent> extents(charts.size());
  pool.for_each(charts.size(), [&](size_t i, int) { extents[i] = turn_to_fit(mesh, charts[i]); });
  std::vector<Place> places;
  const double scale = best_packing(extents, side, places);
  if (!(scale > 0))
    return splat::Error{"the surface falls into " + std::to_string(charts.size()) +
                        " pieces, too many for a texture of this size"};
  Atlas atlas{split_and_place(mesh, charts, extents, places, scale, side), charts.size(), 1 / scale, 0};
  for (const Face& face : mesh.faces) {
    const Uv &a = mesh.uvs[face[0]], &b = mesh.uvs[face[1]], &c = mesh.uvs[face[2]];
    atlas.filled += 0.5 * std::abs(double(b[0] - a[0]) * (c[1] - a[1]) - double(c[0] - a[0]) * (b[1] - a[1]));
  }
  return atlas;
}

}  // namespace mesh
