#include "knn/point_tree.h"

namespace knn {
namespace {

constexpr size_t kPointsATask = 16384;  // fewer are not worth a thread
constexpr int kTaskLevels = 6;

}  // namespace

PointTree::PointTree(std::span<const float> xyz, int threads, const std::function<void()>& pause)
    : order_(xyz.size() / 3) {
  const size_t count = order_.size();
  while ((count + (size_t(1) << levels_) - 1) >> levels_ > kLeafPoints) ++levels_;
  leaves_.resize(size_t(1) << levels_);
  boxes_.resize(2 * leaves_.size());
  std::vector<Point> points(count);
  for (size_t i = 0; i < count; ++i) points[i] = {{xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]}, uint32_t(i)};
  int level = 0;
  for (; level < std::min(levels_, kTaskLevels) && count >> level > kPointsATask; ++level)
    for_chunks(size_t(1) << level, 1, threads, [&](size_t part, size_t) {
      if (pause) pause();
      split(points, level, part);
    });
  for_chunks(size_t(1) << level, 1, threads, [&](size_t begin, size_t) {
    for (int below = level; below <= levels_; ++below) {
      if (pause) pause();
      const int shift = below - level;
      for (size_t part = begin << shift; part < (begin + 1) << shift; ++part) split(points, below, part);
    }
  });
}

void PointTree::split(std::vector<Point>& points, int level, size_t part) {
  const auto begin = points.begin() + std::ptrdiff_t(first_of(level, part)),
             end = points.begin() + std::ptrdiff_t(first_of(level, part + 1));
  Box box;
  box.low.fill(kInfinite), box.high.fill(-kInfinite);
  for (auto p = begin; p != end; ++p)
    for (size_t k = 0; k < 3; ++k)
      box.low[k] = std::min(box.low[k], p->at[k]), box.high[k] = std::max(box.high[k], p->at[k]);
  boxes_[(size_t(1) << level) + part] = box;
  if (level == levels_) return fill({begin, end}, part);
  size_t widest = 0;
  for (size_t k = 1; k < 3; ++k)
    if (box.high[k] - box.low[k] > box.high[widest] - box.low[widest]) widest = k;
  std::nth_element(begin, points.begin() + std::ptrdiff_t(first_of(level + 1, 2 * part + 1)), end,
                   [widest](const Point& a, const Point& b) { return a.at[widest] < b.at[widest]; });
}

void PointTree::fill(std::span<const Point> points, size_t leaf) {
  for (size_t k = 0; k < 3; ++k) {
    std::fill_n(leaves_[leaf].at[k], kLeafPoints, kInfinite);
    for (size_t i = 0; i < points.size(); ++i) leaves_[leaf].at[k][i] = points[i].at[k];
  }
  for (size_t i = 0; i < points.size(); ++i) order_[first_of(levels_, leaf) + i] = points[i].index;
}

}  // namespace knn
