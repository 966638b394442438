#include "splat/densify/row_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace splat {
namespace {

constexpr size_t kGroupRows = 64, kPartRows = 4096;
// More than what rounding does to a centre's place in a view, as a share of the numbers it is made of.
constexpr double kSlack = 1e-12;

RowGroup group_of(const Ellipsoids& model, size_t first, size_t end) {
  std::array<float, 3> low, high;
  low.fill(std::numeric_limits<float>::infinity()), high.fill(-low[0]);
  bool all = true;
  for (size_t row = first; row < end; ++row) {
    const float* mean = &model.means[3 * row];
    if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) {
      all = false;
      continue;
    }
    for (size_t axis = 0; axis < 3; ++axis)
      low[axis] = std::min(low[axis], mean[axis]), high[axis] = std::max(high[axis], mean[axis]);
  }
  RowGroup group{first, end, low[0] <= high[0], all, {}};
  for (size_t axis = 0; axis < 3 && group.any; ++axis) {
    group.cell.middle[axis] = (double(low[axis]) + double(high[axis])) / 2;
    group.cell.half[axis] = (double(high[axis]) - double(low[axis])) / 2;
  }
  return group;
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

bool Cell::meets(const Cell& other) const {
  for (size_t axis = 0; axis < 3; ++axis)
    if (std::abs(middle[axis] - other.middle[axis]) > half[axis] + other.half[axis]) return false;
  return true;
}

double Cell::least_squared_distance(const std::array<double, 3>& point) const {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double beyond = std::max(std::abs(point[axis] - middle[axis]) - half[axis], 0.0);
    sum += beyond * beyond;
  }
  return sum;
}

double Cell::largest_squared_distance(const std::array<double, 3>& point) const {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double to_the_far_side = std::abs(point[axis] - middle[axis]) + half[axis];
    sum += to_the_far_side * to_the_far_side;
  }
  return sum;
}

// x >= 0 of a pixel, times its depth, is fx X + cx Z >= 0 in the camera's frame; the other sides likewise.
Frustum::Frustum(const View& view) {
  const PinholeCamera& c = view.camera;
  const std::array<std::array<double, 3>, 5> sides{{{0, 0, 1},
                                                    {c.fx, 0, c.cx},
                                                    {-c.fx, 0, double(c.width) - c.cx},
                                                    {0, c.fy, c.cy},
                                                    {0, -c.fy, double(c.height) - c.cy}}};
  const Rigid3& pose = view.cam_from_world;
  for (size_t i = 0; i < sides.size(); ++i) {
    planes_[i] = {{0, 0, 0}, 0};
    for (size_t row = 0; row < 3; ++row) {
      for (size_t column = 0; column < 3; ++column)
        planes_[i].normal[column] += sides[i][row] * pose.rotation[3 * row + column];
      planes_[i].offset += sides[i][row] * pose.translation[row];
    }
  }
}

Frustum::Reach Frustum::reach(const Plane& plane, const Cell& cell) {
  Reach r{plane.offset, 0, std::abs(plane.offset)};
  for (size_t axis = 0; axis < 3; ++axis) {
    const double term = plane.normal[axis] * cell.middle[axis];
    r.at += term;
    r.reach += std::abs(plane.normal[axis]) * cell.half[axis];
    r.slack += std::abs(term);
  }
  r.slack = kSlack * (r.slack + r.reach);
  return r;
}

Frustum::Holds Frustum::holds(const Cell& cell) const {
  Holds holds = Holds::kAll;
  for (const Plane& plane : planes_) {
    const Reach r = reach(plane, cell);
    if (r.at + r.reach < -r.slack) return Holds::kNothing;
    if (!(r.at - r.reach > r.slack)) holds = Holds::kSome;
  }
  return holds;
}

std::pair<double, double> Frustum::depths(const Cell& cell) const {
  const Reach r = reach(planes_[0], cell);
  return {r.at - r.reach - r.slack, r.at + r.reach + r.slack};
}

std::vector<Frustum> frusta(std::span<const View> views) { return std::vector<Frustum>(views.begin(), views.end()); }

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

FewViews::FewViews(std::span<const View> views, const std::vector<Frustum>& frusta, size_t enough, ThreadPool* pool)
    : views_(views), frusta_(frusta), enough_(enough), pool_(pool) {}

// Those of the group before, which is close by, are asked first. Where the answer is no, have_some_ are all to ask for
// a row.
bool FewViews::enough_have_all(const std::vector<uint32_t>& of_part, const Cell& cell) {
  const auto has_all = [&](uint32_t view) { return frusta_[view].holds(cell) == Frustum::Holds::kAll; };
  if (have_all_.size() == enough_ && std::all_of(have_all_.begin(), have_all_.end(), has_all)) return true;
  have_all_.clear(), have_some_.clear();
  for (const uint32_t view : of_part) {
    const Frustum::Holds holds = frusta_[view].holds(cell);
    if (holds == Frustum::Holds::kNothing) continue;
    have_some_.push_back(view);
    if (holds == Frustum::Holds::kAll) have_all_.push_back(view);
    if (have_all_.size() == enough_) return true;
  }
  return false;
}

void FewViews::find(const std::array<double, 3>& point) {
  seen_.clear();
  for (const uint32_t view : have_some_) {
    if (const auto pixel = pixel_in_frame(views_[view], point)) seen_.push_back({view, *pixel});
    if (seen_.size() == enough_) return;
  }
}

void FewViews::visit(const Ellipsoids& model, const RowPart& part,
                     FunctionRef<void(size_t row, std::span<const Seen> seen)> visit) {
  if (!part.any) return;
  const std::vector<uint32_t> of_part = chosen(all_of_them(views_.size()), [&](uint32_t view) {
    return frusta_[view].holds(part.cell) != Frustum::Holds::kNothing;
  });
  for (const RowGroup& group : part.groups) {
    end_if_asked(pool_);
    if (!group.any || enough_have_all(of_part, group.cell)) continue;
    for (size_t row = group.first; row < group.end; ++row) {
      find(centre_of(model, row));
      if (!seen_.empty() && seen_.size() < enough_) visit(row, seen_);
    }
  }
}

std::vector<uint32_t> all_of_them(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace splat
