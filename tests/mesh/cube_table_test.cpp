#include "mesh/cube_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace mesh {
namespace {

// Every edge whose ends lie on two sides is crossed, and no other.
TEST(CubeTable, UsesTheEdgesThatAreCrossed) {
  for (size_t inside = 0; inside < 256; ++inside) {
    std::set<size_t> crossed, used;
    for (size_t e = 0; e < kCubeEdges.size(); ++e) {
      const int from = kCubeEdges[e].from, to = from | 1 << kCubeEdges[e].axis;
      if ((inside >> from & 1) != (inside >> to & 1)) crossed.insert(e);
    }
    for (const CubeTriangle& t : cube_table()[inside]) used.insert(t.begin(), t.end());
    EXPECT_EQ(used, crossed) << inside;
    EXPECT_LE(cube_table()[inside].size(), 5u);
  }
}

// Within a cube an edge of a triangle is shared by two or lies on a face, never more.
TEST(CubeTable, TrianglesMeet) {
  for (size_t inside = 0; inside < 256; ++inside) {
    std::map<std::pair<int, int>, int> directed;
    for (const CubeTriangle& t : cube_table()[inside])
      for (size_t k = 0; k < 3; ++k) ++directed[{t[k], t[(k + 1) % 3]}];
    for (const auto& [edge, count] : directed) EXPECT_EQ(count, 1) << inside;
  }
}

TEST(CubeTable, FacesLookAwayFromTheCornerInside) {
  const auto& one = cube_table()[1];
  ASSERT_EQ(one.size(), 1u);
  // The middles of the edges x, y and z from the corner, in this turn.
  EXPECT_EQ(kCubeEdges[one[0][0]].axis, 0);
  EXPECT_EQ(kCubeEdges[one[0][1]].axis, 1);
  EXPECT_EQ(kCubeEdges[one[0][2]].axis, 2);
}

}  // namespace
}  // namespace mesh
