// Rows in parts, and these in groups, each with the bounds of its centres: what all views, cameras or paths are asked
// for once a part, and those that remain once a group, need not be asked for every row. Rows follow each other as they
// lie: a trainer keeps them in an order in which neighbours in space are neighbours (Backend::sort_rows_in_space), and
// where they are not, bounds are wide and the answers the same. Cost beside the questions: one pass over the centres.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/math/sight.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

using Place = math::Vec3<double>;
using Cell = math::Cell<double>;
using Frustum = math::Frustum<double>;

// Views as far as places are asked for.
struct Sights {
  explicit Sights(std::span<const View> views);
  uint32_t size() const { return uint32_t(sights.size()); }

  std::vector<math::Sight<double>> sights;
  std::vector<Frustum> frusta;
};

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

inline math::Vec3<float> mean_of(const Ellipsoids& model, size_t row) {
  const float* mean = &model.means[3 * row];
  return {mean[0], mean[1], mean[2]};
}
inline Place place_of(const Ellipsoids& model, size_t row) { return math::place_of(mean_of(model, row)); }

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
  FewViews(const Sights& views, size_t enough, const ThreadPool* pool = nullptr)  // that visit() runs in, or null
      : views_(views), enough_(enough), pool_(pool) {}

  // Calls visit(row, views that see it) for the part's rows that 1 to enough - 1 views have in frame, ascending.
  void visit(const Ellipsoids& model, const RowPart& part,
             FunctionRef<void(size_t row, std::span<const uint32_t> seeing)> visit);

 private:
  bool enough_have_all(const std::vector<uint32_t>& of_part, const Cell& cell);
  void find(const Place& place);

  const Sights& views_;
  const size_t enough_;
  const ThreadPool* const pool_;
  std::vector<uint32_t> have_all_, have_some_;  // of the last group
  std::vector<uint32_t> seeing_;
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
