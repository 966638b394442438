// What a view sees of a mesh.
#include "mesh/texture/mesh_view.h"

#include <gtest/gtest.h>

#include "tests/mesh/texture/shapes.h"

namespace mesh {
namespace {

TEST(MeshView, FacesThatReachBehindTheCameraAreCut) {
  // A floor one below the camera (y is down), from behind it to 60 before it; a second, lower one is hidden.
  TriangleMesh floor;
  for (const float below : {2.0f, 1.0f})
    for (const Vec3& p : {Vec3{-90, below, -30}, Vec3{90, below, -30}, Vec3{0, below, 60}})
      floor.positions.push_back(p);
  floor.faces = {{0, 1, 2}, {3, 4, 5}};
  splat::View view;
  view.camera = {64, 64, 64, 64, 32, 32};
  const MeshView seen = look_at(floor, view);
  EXPECT_EQ(mesh_depth(floor, view), seen.depth);
  for (size_t y = 0; y < 64; ++y) {
    const float depth = 64 / (float(y) + 0.5f - 32);  // of the upper floor
    const size_t at = 64 * y + 32;
    if (depth < 0 || depth > 60) {
      EXPECT_EQ(seen.faces[at], kNoFace) << y;
      EXPECT_EQ(seen.depth[at], 0);
      continue;
    }
    ASSERT_EQ(seen.faces[at], 1u) << y;
    EXPECT_NEAR(seen.depth[at], depth, 1e-4f * depth);
    const float a = seen.shares[at][0], b = seen.shares[at][1];
    EXPECT_NEAR(60 - 90 * (a + b), depth, 1e-3f);
    EXPECT_NEAR(90 * (b - a), depth * 0.5f / 64, 1e-3f);
  }
}

}  // namespace
}  // namespace mesh
