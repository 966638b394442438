#include "splat/densify/path_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "knn/knn.h"
#include "splat/core/percentile.h"
#include "splat/densify/row_parts.h"

namespace splat {
namespace {

constexpr size_t kNeighbours = 6;
constexpr size_t kCandidates = 16;  // so that several cameras in one place, as on a rig, leave some

Cell cell_of(const math::Path<double>& path, double radius) {
  const double from[3] = {path.from.x, path.from.y, path.from.z}, to[3] = {path.to.x, path.to.y, path.to.z};
  Cell cell;
  for (size_t axis = 0; axis < 3; ++axis) {
    cell.middle[axis] = (from[axis] + to[axis]) / 2;
    cell.half[axis] = std::abs(from[axis] - to[axis]) / 2 + radius;
    cell.half[axis] += math::kPlaceSlack * (std::abs(cell.middle[axis]) + cell.half[axis]);
  }
  return cell;
}

}  // namespace

CameraPaths::CameraPaths(std::span<const View> views) {
  std::vector<Place> centres;
  std::vector<float> places;
  for (const View& view : views) {
    centres.push_back(math::make_sight<double>(view).centre);
    for (const double x : {centres.back().x, centres.back().y, centres.back().z}) places.push_back(float(x));
  }
  const knn::PointIndex index(std::move(places));
  std::array<uint32_t, kCandidates> found;
  std::vector<double> lengths;
  for (size_t i = 0; i < centres.size(); ++i) {
    const size_t count = index.nearest(index.point(uint32_t(i)), found);
    for (size_t k = 0, neighbours = 0; k < count && neighbours < kNeighbours; ++k) {
      const Place& other = centres[found[k]];
      const double squared = math::squared_distance(centres[i], other);
      if (!(squared > 0)) continue;
      ++neighbours;
      paths.push_back({centres[i], other, 1 / squared, kPathRadius * kPathRadius * squared});
      lengths.push_back(std::sqrt(squared));
    }
  }
  const double longest = kLongestPath * median(lengths);
  size_t kept = 0;
  for (size_t i = 0; i < paths.size(); ++i)
    if (lengths[i] <= longest) paths[kept] = paths[i], lengths[kept++] = lengths[i];
  paths.resize(kept);
  for (size_t i = 0; i < kept; ++i) around.push_back(cell_of(paths[i], kPathRadius * lengths[i]));
}

std::vector<uint32_t> rows_in_paths(const Ellipsoids& model, std::span<const View> views, double nearer,
                                    ThreadPool* pool) {
  const CameraPaths ways(views);
  const Sights cameras(views);
  const std::vector<uint32_t> all = all_of_them(ways.paths.size());
  return by_part<uint32_t>(row_parts(model, pool), pool, [&](const RowPart& part, std::vector<uint32_t>& rows) {
    const auto reaching = [&](std::span<const uint32_t> of, const RowGroup& group) {
      return group.any ? chosen(of, [&](uint32_t i) { return ways.around[i].meets(group.cell); })
                       : std::vector<uint32_t>();
    };
    const std::vector<uint32_t> of_part = reaching(all, part);
    if (of_part.empty()) return;
    for (const RowGroup& group : part.groups) {
      end_if_asked(pool);
      const std::vector<uint32_t> of_group = reaching(of_part, group);
      for (size_t row = group.first; row < group.end && !of_group.empty(); ++row) {
        const Place place = place_of(model, row);
        const auto holds = [&](uint32_t i) { return ways.paths[i].holds(place); };
        if (std::any_of(of_group.begin(), of_group.end(), holds) &&
            !math::is_seen_close_by(cameras.sights.data(), cameras.size(), place, nearer))
          rows.push_back(uint32_t(row));
      }
    }
  });
}

}  // namespace splat
