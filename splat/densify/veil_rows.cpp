#include "splat/densify/veil_rows.h"

#include <algorithm>

#include "splat/core/percentile.h"
#include "splat/densify/row_parts.h"

namespace splat {
namespace {

// Rows of a group, or one row: how deep they lie in a view, and how many they are.
struct DepthRange {
  double low, high;
  uint32_t rows;
  size_t first;  // row
};

// What stands at `place` of all rows in order, were each at the end of its range that `end` names.
double nth_end(std::vector<DepthRange> ranges, double DepthRange::*end, size_t place) {
  auto first = ranges.begin(), last = ranges.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last, [&](const auto& a, const auto& b) { return a.*end < b.*end; });
    size_t before = 0;
    for (auto i = first; i != middle; ++i) before += i->rows;
    if (place < before) {
      last = middle;
    } else {
      place -= before;
      first = middle;
    }
  }
  return (*first).*end;
}

// Along a view's axis.
double depth_of(const math::Sight<double>& view, const Ellipsoids& model, size_t row) {
  return math::seen_from(view, place_of(model, row)).z;
}

std::vector<DepthRange> depths_in_frame(const Sights& views, size_t view, const Ellipsoids& model,
                                        const std::vector<RowPart>& parts) {
  const Frustum& frame = views.frusta[view];
  const math::Sight<double>& sight = views.sights[view];
  std::vector<DepthRange> ranges;
  const auto add_rows = [&](const RowGroup& group) {
    for (size_t row = group.first; row < group.end; ++row) {
      if (!math::is_in_frame(sight, place_of(model, row))) continue;
      const double depth = depth_of(sight, model, row);
      ranges.push_back({depth, depth, 1, row});
    }
  };
  for (const RowPart& part : parts) {
    if (!part.any || frame.holds(part.cell) == Frustum::Holds::kNothing) continue;
    for (const RowGroup& group : part.groups) {
      const Frustum::Holds holds = group.any ? frame.holds(group.cell) : Frustum::Holds::kNothing;
      if (holds == Frustum::Holds::kAll && group.all) {
        ranges.push_back({frame.least_depth(group.cell), frame.largest_depth(group.cell),
                          uint32_t(group.end - group.first), group.first});
      } else if (holds != Frustum::Holds::kNothing) {
        add_rows(group);
      }
    }
  }
  return ranges;
}

// The median depth of the rows in frame; none: 0. Only groups that may hold it are looked into.
double middle_depth(const Sights& views, size_t view, const Ellipsoids& model, const std::vector<RowPart>& parts) {
  const std::vector<DepthRange> ranges = depths_in_frame(views, view, model, parts);
  size_t rows = 0, before = 0;
  for (const DepthRange& range : ranges) rows += range.rows;
  if (rows == 0) return 0;
  const double least = nth_end(ranges, &DepthRange::low, rows / 2), most = nth_end(ranges, &DepthRange::high, rows / 2);
  std::vector<double> depths;
  for (const DepthRange& range : ranges) {
    if (range.high < least) before += range.rows;
    if (range.high < least || range.low > most) continue;
    for (size_t row = range.first; row < range.first + range.rows; ++row)
      depths.push_back(depth_of(views.sights[view], model, row));
  }
  return nth_value(depths, rows / 2 - before);
}

}  // namespace

std::vector<Sighting> near_sightings(const Ellipsoids& model, std::span<const View> views, size_t most_views,
                                     ThreadPool* pool) {
  const std::vector<RowPart> parts = row_parts(model, pool);
  const Sights cameras(views);
  std::vector<Sighting> sightings =
      by_part<Sighting>(parts, pool, [&](const RowPart& part, std::vector<Sighting>& found) {
        FewViews few(cameras, most_views + 1, pool);
        few.visit(model, part, [&](size_t row, std::span<const uint32_t> seeing) {
          const Place place = place_of(model, row);
          for (const uint32_t view : seeing)
            found.push_back({uint32_t(row), view, *pixel_of(views[view], {place.x, place.y, place.z})});
        });
      });
  std::vector<uint8_t> shows(views.size(), 0), near(model.size(), 0);
  for (const Sighting& s : sightings) shows[s.view] = 1;
  std::vector<double> middle(views.size(), 0);
  for_each(pool, views.size(), [&](size_t i, int) {
    if (shows[i]) middle[i] = middle_depth(cameras, i, model, parts);
  });
  for (const Sighting& s : sightings)
    if (s.pixel.depth < middle[s.view]) near[s.row] = 1;
  std::erase_if(sightings, [&](const Sighting& s) { return !near[s.row]; });
  return sightings;
}

std::vector<uint32_t> veil_rows(Backend& backend, std::span<const View> views, const RenderSettings& settings,
                                size_t most_views, ThreadPool* pool) {
  Ellipsoids model;
  backend.download_ellipsoids(model);
  std::vector<Sighting> sightings = near_sightings(model, views, most_views, pool);
  std::vector<uint8_t> is_veil(model.size(), 0);
  for (const Sighting& s : sightings) is_veil[s.row] = 1;
  std::stable_sort(sightings.begin(), sightings.end(), [](const auto& a, const auto& b) { return a.view < b.view; });
  std::vector<float> depth;
  size_t drawn = views.size();
  for (const Sighting& s : sightings) {
    if (!is_veil[s.row]) continue;
    if (drawn != s.view) {
      end_if_asked(pool);
      backend.forward(views[s.view], settings);
      backend.read_depth(DepthKind::kMedian, depth);
      drawn = s.view;
    }
    const size_t width = size_t(views[s.view].camera.width), height = size_t(views[s.view].camera.height);
    const size_t x = std::min(size_t(s.pixel.x), width - 1), y = std::min(size_t(s.pixel.y), height - 1);  // rounding
    const double there = double(depth[y * width + x]);
    is_veil[s.row] = s.pixel.depth < kVeilDepth * there;
  }
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < model.size(); ++row)
    if (is_veil[row]) rows.push_back(row);
  return rows;
}

}  // namespace splat
