#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "knn/knn.h"
#include "library/structs.h"
#include "splat/model/finite.h"

extern "C" {

hs_status hs_knn_mean_squared_distances(const float* points, uint64_t count, int32_t k, int32_t threads,
                                        float* result) {
  return library::guarded([&] {
    constexpr int kMostNeighbours = 1024;
    if (k < 1 || k > kMostNeighbours)
      library::refuse("k is " + std::to_string(k) + "; it is 1 to " + std::to_string(kMostNeighbours));
    if (count > uint64_t(std::numeric_limits<int32_t>::max()))
      library::refuse("count of points is " + std::to_string(count) + ", which is too many");
    library::check_threads(threads);
    if (count == 0) return;
    library::check_pointer(points, "points");
    library::check_pointer(result, "result");
    const std::span given(points, 3 * count);
    if (!splat::all_finite(given)) library::refuse("points are not finite");
    const std::vector<float> found = knn::mean_squared_distance_to_nearest(given, k, threads);
    std::copy(found.begin(), found.end(), result);
  });
}
}
