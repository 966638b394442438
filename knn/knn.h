// Nearest neighbours of points in space.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace knn {

// Points to ask for those that are nearest to a place. Exact, O(log M) a question, for many points in one place as
// well; of equally near ones any. Questions may come from several threads. Points must be finite.
class PointIndex {
 public:
  explicit PointIndex(std::vector<float> points);  // [M,3], any unit; O(M log M), on all cores
  ~PointIndex();
  PointIndex(const PointIndex&) = delete;
  PointIndex& operator=(const PointIndex&) = delete;

  size_t size() const { return points_.size() / 3; }
  const float* point(uint32_t index) const { return &points_[3 * size_t(index)]; }
  // As many as there is room for, or all there are: returns how many, the nearest first.
  size_t nearest(const float* place, std::span<uint32_t> found) const;

 private:
  struct Tree;
  const std::vector<float> points_;
  std::unique_ptr<const Tree> tree_;
};

// Mean squared distance of every point to its nearest neighbours: the size a splat starts with.
// points [M,3], any unit; result [M] in that unit squared. Exact, O(M log M) wherever the points lie, parallel, the
// same for any number of threads. The point itself does not count; other points in the same place do, at distance 0.
// Fewer than k other points: the mean over those there are; a single point: 0. Points must be finite. threads 0: all
// cores. pause: called now and then, from any thread; what it throws ends the work and comes out.
std::vector<float> mean_squared_distance_to_nearest(std::span<const float> points, int k = 3, int threads = 0,
                                                    const std::function<void()>& pause = {});

}  // namespace knn
