// The ruler itself: meshes whose distance from a shape is known.
#include "tests/quality/shapes/mesh_score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/dataset/load_dataset.h"
#include "tests/quality/shapes/scene.h"
#include "tests/support/temp_folder.h"

namespace shapes {
namespace {

// Squares of a globe down to `lowest` (degrees from the pole), in triangles; y is its axis.
mesh::TriangleMesh globe(double radius, double lowest) {
  constexpr uint32_t kRows = 120, kColumns = 240;
  mesh::TriangleMesh mesh;
  for (uint32_t i = 0; i <= kRows; ++i)
    for (uint32_t j = 0; j < kColumns; ++j) {
      const double t = lowest * M_PI / 180 * i / kRows, a = 2 * M_PI * j / kColumns;
      mesh.positions.push_back({float(radius * std::sin(t) * std::cos(a)), float(radius * std::cos(t)),
                                float(radius * std::sin(t) * std::sin(a))});
    }
  for (uint32_t i = 0; i < kRows; ++i)
    for (uint32_t j = 0; j < kColumns; ++j) {
      const uint32_t a = i * kColumns + j, b = i * kColumns + (j + 1) % kColumns, c = a + kColumns, d = b + kColumns;
      if (i > 0) mesh.faces.push_back({a, b, c});
      if (i + 1 < kRows || lowest < 180) mesh.faces.push_back({b, d, c});
    }
  return mesh;
}

TEST(MeshScore, OfAGlobeThatIsTooLarge) {
  const Shape& sphere = *find_shape("sphere");
  const Score score = score_mesh(sphere, globe(1.02, 180), 20'000);
  EXPECT_NEAR(score.chamfer, 0.02 / sphere.diagonal(), 2e-4);
  EXPECT_DOUBLE_EQ(score.f_score, 1);
  EXPECT_LT(score.normal_degrees, 1.5);
  EXPECT_EQ(score_mesh(sphere, globe(1.05, 180), 20'000).f_score, 0);
}

TEST(MeshScore, OfHalfAGlobe) {
  const Score score = score_mesh(*find_shape("sphere"), globe(1, 90), 20'000);
  EXPECT_EQ(score.precision, 1);
  EXPECT_NEAR(score.recall, 0.517, 0.01);  // and 1 % of the diagonal beyond the edge
  // Half of the mean chord from the lower half to the edge, over both halves and both directions: 0.552 / 4.
  EXPECT_NEAR(score.chamfer, 0.138 / find_shape("sphere")->diagonal(), 5e-4);
}

TEST(MeshScore, DistancesAreThoseToThePointsOnTheShapes) {
  for (const Shape& shape : all_shapes()) {
    const std::vector<Point> points = points_on(shape, 2000);
    Point low = points[0], high = points[0];
    for (const Point& p : points) {
      EXPECT_LT(std::abs(shape.distance(p)), 1e-5) << shape.name;
      const Point n = shape.normal(p);
      const Point out{p[0] + 0.05 * n[0], p[1] + 0.05 * n[1], p[2] + 0.05 * n[2]};
      EXPECT_LE(shape.distance(out), 0.05 + 1e-4) << shape.name;
      for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(low[k], shape.low[k], 0.02) << shape.name;
      EXPECT_NEAR(high[k], shape.high[k], 0.02) << shape.name;
    }
  }
}

TEST(MeshScore, ScenesAreDatasets) {
  const splat::test::TempFolder folder;
  ASSERT_TRUE(write_scene(*find_shape("stairs"), folder.path(), 4, 40));
  const auto dataset = io::load_dataset(folder.path(), {});
  ASSERT_TRUE(dataset.ok());
  EXPECT_EQ(dataset->views.size(), 4u);
  EXPECT_GT(dataset->points.size(), 1000u);
}

}  // namespace
}  // namespace shapes
