// Neighbours are found by as many threads as there is memory for.
#include <gtest/gtest.h>

#include <vector>

#include "knn/knn.h"
#include "tests/support/refused_memory.h"

namespace {

TEST(Knn, ThreadsThatFindNoMemoryAreDoneWithout) {
  std::vector<float> points(3 * 5000);
  for (size_t i = 0; i < points.size(); ++i) points[i] = float(i * 2654435761u % 1000003u);
  const std::vector<float> wanted = knn::mean_squared_distance_to_nearest(points, 3, 1);
  std::vector<std::vector<float>> results;
  results.reserve(1000);
  for (long n = 0;
       splat::test::refusing(n, [&] { results.push_back(knn::mean_squared_distance_to_nearest(points, 3, 4)); }); ++n) {
  }
  for (const std::vector<float>& result : results) EXPECT_EQ(result, wanted);
  EXPECT_GT(results.size(), 3u) << "where a thread was refused, the others did its work";
}

}  // namespace
