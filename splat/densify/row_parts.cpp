#include "splat/densify/row_parts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace splat {
namespace {

constexpr size_t kGroupRows = 64, kPartRows = 4096;

RowGroup group_of(const Ellipsoids& model, size_t first, size_t end) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  bool all = true;
  for (size_t row = first; row < end; ++row) {
    const float* mean = &model.means[3 * row];
    if (!math::is_somewhere(mean_of(model, row))) {
      all = false;
      continue;
    }
    for (size_t axis = 0; axis < 3; ++axis)
      low[axis] = std::min(low[axis], mean[axis]), high[axis] = std::max(high[axis], mean[axis]);
  }
  const bool any = low[0] <= high[0];
  return {first, end, any, all, any ? math::cell_between<double>(low, high) : Cell()};
}

void enclose(const RowGroup& group, RowPart& part) {
  if (!group.any) return;
  for (size_t axis = 0; axis < 3; ++axis) {
    double low = group.cell.middle[axis] - group.cell.half[axis],
           high = group.cell.middle[axis] + group.cell.half[axis];
    if (part.any) {
      low = std::min(low, part.cell.middle[axis] - part.cell.half[axis]);
      high = std::max(high, part.cell.middle[axis] + part.cell.half[axis]);
    }
    part.cell.middle[axis] = (low + high) / 2;
    part.cell.half[axis] = (high - low) / 2;
  }
  part.any = true;
}

}  // namespace

Sights::Sights(std::span<const View> views) : frusta(views.begin(), views.end()) {
  for (const View& view : views) sights.push_back(math::make_sight<double>(view));
}

std::vector<RowPart> row_parts(const Ellipsoids& model, ThreadPool* pool) {
  std::vector<RowPart> parts((model.size() + kPartRows - 1) / kPartRows);
  for_each(pool, parts.size(), [&](size_t i, int) {
    RowPart& part = parts[i];
    part.first = i * kPartRows, part.end = std::min(model.size(), part.first + kPartRows);
    for (size_t first = part.first; first < part.end; first += kGroupRows) {
      part.groups.push_back(group_of(model, first, std::min(part.end, first + kGroupRows)));
      enclose(part.groups.back(), part);
    }
  });
  return parts;
}

// Those of the group before, which is close by, are asked first. Where the answer is no, have_some_ are all to ask for
// a row.
bool FewViews::enough_have_all(const std::vector<uint32_t>& of_part, const Cell& cell) {
  const auto has_all = [&](uint32_t view) { return views_.frusta[view].holds(cell) == Frustum::Holds::kAll; };
  if (have_all_.size() == enough_ && std::all_of(have_all_.begin(), have_all_.end(), has_all)) return true;
  have_all_.clear(), have_some_.clear();
  for (const uint32_t view : of_part) {
    const Frustum::Holds holds = views_.frusta[view].holds(cell);
    if (holds == Frustum::Holds::kNothing) continue;
    have_some_.push_back(view);
    if (holds == Frustum::Holds::kAll) have_all_.push_back(view);
    if (have_all_.size() == enough_) return true;
  }
  return false;
}

void FewViews::find(const Place& place) {
  seeing_.clear();
  for (const uint32_t view : have_some_) {
    if (math::is_in_frame(views_.sights[view], place)) seeing_.push_back(view);
    if (seeing_.size() == enough_) return;
  }
}

void FewViews::visit(const Ellipsoids& model, const RowPart& part,
                     FunctionRef<void(size_t row, std::span<const uint32_t> seeing)> visit) {
  if (!part.any) return;
  const std::vector<uint32_t> of_part = chosen(all_of_them(views_.size()), [&](uint32_t view) {
    return views_.frusta[view].holds(part.cell) != Frustum::Holds::kNothing;
  });
  for (const RowGroup& group : part.groups) {
    end_if_asked(pool_);
    if (!group.any || enough_have_all(of_part, group.cell)) continue;
    for (size_t row = group.first; row < group.end; ++row) {
      find(place_of(model, row));
      if (!seeing_.empty() && seeing_.size() < enough_) visit(row, seeing_);
    }
  }
}

std::vector<uint32_t> all_of_them(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace splat
