// Mean squared distance of every point to its nearest neighbours: the size a splat starts with.
// points [M,3], any unit; result [M] in that unit squared. Exact (nanoflann KD-tree), O(M log M), parallel over points,
// the same for any number of threads. The point itself does not count; other points in the same place do, at distance
// 0. Fewer than k other points: the mean over those there are; a single point: 0. Points must be finite.
#pragma once

#include <span>
#include <vector>

namespace knn {

// threads 0: all cores.
std::vector<float> mean_squared_distance_to_nearest(std::span<const float> points, int k = 3, int threads = 0);

}  // namespace knn
