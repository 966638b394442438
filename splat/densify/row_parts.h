// Rows in parts, and these in groups, each with the bounds of its centres: what all views, cameras or paths are asked
// for once a part, and those that remain once a group, need not be asked for every row. Rows follow each other as they
// lie: a trainer keeps them in an order in which neighbours in space are neighbours (Backend::sort_rows_in_space), and
// where they are not, bounds are wide and the answers the same. Cost beside the questions: one pass over the centres.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/pixel.h"

namespace splat {

// A box along the axes of the world.
struct Cell {
  std::array<double, 3> middle{}, half{};

  bool meets(const Cell& other) const;
  double least_squared_distance(const std::array<double, 3>& point) const;
  double largest_squared_distance(const std::array<double, 3>& point) const;
};

// What a view has in its frame (pixel_in_frame(), pixel.h), asked for whole cells.
class Frustum {
 public:
  enum class Holds { kNothing, kSome, kAll };  // kSome: perhaps

  explicit Frustum(const View& view);
  Holds holds(const Cell& cell) const;
  std::pair<double, double> depths(const Cell& cell) const;  // along the view's axis; that of no row is beyond

 private:
  struct Plane {
    std::array<double, 3> normal;  // into the frame
    double offset;
  };
  struct Reach {
    double at, reach, slack;  // of the cell's middle, of the cell to either side, and what rounding may do
  };
  static Reach reach(const Plane& plane, const Cell& cell);
  std::array<Plane, 5> planes_;  // the first at right angles to the axis
};
std::vector<Frustum> frusta(std::span<const View> views);

// Rows [first, end), of which those with a finite centre lie in the cell.
struct RowGroup {
  size_t first = 0, end = 0;
  bool any = false, all = true;  // are finite
  Cell cell;
};
struct RowPart : RowGroup {
  std::vector<RowGroup> groups;
};
std::vector<RowPart> row_parts(const Ellipsoids& model, ThreadPool* pool);  // pool: or null

inline std::array<double, 3> centre_of(const Ellipsoids& model, size_t row) {
  const float* mean = &model.means[3 * row];
  return {mean[0], mean[1], mean[2]};
}

// All that visit() appends, in the order of the parts, which are visited in none.
template <class T>
std::vector<T> by_part(const std::vector<RowPart>& parts, ThreadPool* pool,
                       FunctionRef<void(const RowPart& part, std::vector<T>& found)> visit) {
  std::vector<std::vector<T>> found(parts.size());
  for_each(pool, parts.size(), [&](size_t i, int) { visit(parts[i], found[i]); });
  std::vector<T> together;
  for (const std::vector<T>& some : found) together.insert(together.end(), some.begin(), some.end());
  return together;
}

// The views that have a row in frame, where these are fewer than `enough`.
class FewViews {
 public:
  struct Seen {
    uint32_t view;
    Pixel pixel;
  };
  FewViews(std::span<const View> views, const std::vector<Frustum>& frusta, size_t enough,
           ThreadPool* pool = nullptr);  // that visit() runs in, or null

  // Calls visit(row, span of Seen) for the part's rows that 1 to enough - 1 views have in frame, ascending.
  void visit(const Ellipsoids& model, const RowPart& part,
             FunctionRef<void(size_t row, std::span<const Seen> seen)> visit);

 private:
  bool enough_have_all(const std::vector<uint32_t>& of_part, const Cell& cell);
  void find(const std::array<double, 3>& point);

  std::span<const View> views_;
  const std::vector<Frustum>& frusta_;
  const size_t enough_;
  const ThreadPool* const pool_;
  std::vector<uint32_t> have_all_, have_some_;  // of the last group
  std::vector<Seen> seen_;
};

// Those of `of` for which `is` holds.
template <class Is>
std::vector<uint32_t> chosen(std::span<const uint32_t> of, const Is& is) {
  std::vector<uint32_t> some;
  for (const uint32_t i : of)
    if (is(i)) some.push_back(i);
  return some;
}
std::vector<uint32_t> all_of_them(size_t count);  // 0, 1, 2, ...

}  // namespace splat
