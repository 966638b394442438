#include "mesh/mesh_repair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/free_space.h"
#include "mesh/thicken.h"

namespace mesh {
namespace {

// A unit cube whose faces are two triangles each, without its top.
TriangleMesh open_box() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.positions.push_back({float(i & 1), float(i >> 1 & 1), float(i >> 2)});
  mesh.normals.assign(8, {0, 0, 1});
  const auto quad = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    mesh.faces.push_back({a, b, c});
    mesh.faces.push_back({a, c, d});
  };
  quad(0, 2, 3, 1), quad(0, 1, 5, 4), quad(1, 3, 7, 5), quad(3, 2, 6, 7), quad(2, 0, 4, 6);
  return mesh;
}

TEST(MeshRepair, CountsWhatIsOpen) {
  const MeshDefects defects = find_defects(open_box());
  EXPECT_EQ(defects.open_edges, 4u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  EXPECT_EQ(defects.inconsistent_edges, 0u);
  EXPECT_EQ(defects.degenerate_faces, 0u);
}

TEST(MeshRepair, CountsCrowdedAndTurnedEdgesAndFacesWithoutArea) {
  TriangleMesh mesh = open_box();
  mesh.faces.push_back({0, 2, 7});  // a third face at the edge 0-2, in the direction of the first
  mesh.faces.push_back({1, 1, 3});
  const MeshDefects defects = find_defects(mesh);
  EXPECT_GE(defects.non_manifold_edges, 1u);
  EXPECT_GE(defects.inconsistent_edges, 1u);
  EXPECT_EQ(defects.degenerate_faces, 1u);
}

TEST(MeshRepair, AClosedBoxHasItsVolume) {
  TriangleMesh mesh = open_box();
  EXPECT_EQ(close_holes(mesh, 1), 1u);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.inconsistent_edges, 0u);
  EXPECT_NEAR(defects.volume, 1, 1e-6);
}

// Two holes of one perimeter: none is small beside the other.
TEST(MeshRepair, LargeHolesStay) {
  TriangleMesh mesh = open_box();
  EXPECT_EQ(close_holes(mesh, 0.5), 0u);
  EXPECT_EQ(find_defects(mesh).open_edges, 4u);
}

TEST(MeshRepair, AHoleStaysWhereItMayNotBeClosed) {
  TriangleMesh mesh = open_box();
  size_t asked = 0;
  EXPECT_EQ(close_holes(mesh, 1,
                        [&](const std::vector<uint32_t>& hole, const Vec3& middle) {
                          EXPECT_EQ(hole.size(), 4u);
                          EXPECT_NEAR(middle[2], 1, 1e-6f);
                          return ++asked == 0;
                        }),
            0u);
  EXPECT_EQ(asked, 1u);
  EXPECT_EQ(find_defects(mesh).open_edges, 4u);
}

// The walls are as thick as asked for, and what was closed before does not change.
TEST(MeshRepair, AnOpenPartGetsABack) {
  TriangleMesh mesh = open_box();
  TriangleMesh closed = open_box();
  close_holes(closed, 1);
  for (const Vec3& p : closed.positions)
    mesh.positions.push_back({p[0] + 5, p[1], p[2]}), mesh.normals.push_back({0, 0, 1});
  for (const Face& face : closed.faces) mesh.faces.push_back({face[0] + 8, face[1] + 8, face[2] + 8});
  const size_t faces = mesh.faces.size();
  thicken(mesh, 0.1f);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  EXPECT_EQ(defects.inconsistent_edges, 0u);
  EXPECT_EQ(defects.degenerate_faces, 0u);
  EXPECT_EQ(mesh.faces.size(), faces + 10 + 2 * 4);
  const double one_wall = 5 * 0.1 / std::sqrt(3.0);  // corners go back along the mean of three walls
  EXPECT_GT(defects.volume, 1 + 0.5 * one_wall);
  EXPECT_LT(defects.volume, 1 + 5 * 0.1);
}

// Two cameras look through the open top of a box at its floor; a lid would be in their way, one behind the floor not.
TEST(FreeSpace, IsWhereViewsLookThrough) {
  DepthMap map;
  map.view.camera = {.width = 20, .height = 20, .fx = 20, .fy = 20, .cx = 10, .cy = 10};
  map.view.cam_from_world.rotation = {1, 0, 0, 0, -1, 0, 0, 0, -1};  // from above, down
  map.view.cam_from_world.translation = {-0.5, 0.5, 3};
  map.depth.assign(400, 3);
  const TriangleMesh mesh = open_box();
  const std::vector<uint32_t> top{4, 5, 7, 6}, floor{0, 1, 3, 2};
  EXPECT_EQ(seen_free({map, map}, mesh, top, {0.5f, 0.5f, 1}, 0.1f), 1);
  EXPECT_EQ(seen_free({map, map}, mesh, floor, {0.5f, 0.5f, 0}, 0.1f), 0);
  EXPECT_EQ(seen_free({map}, mesh, top, {0.5f, 0.5f, 1}, 0.1f), 0) << "one view alone may be wrong";
  map.depth.assign(400, 0);
  EXPECT_EQ(seen_free({map, map}, mesh, top, {0.5f, 0.5f, 1}, 0.1f), 0) << "they saw nothing";
}

TEST(MeshRepair, SmallPartsGoWithTheirVertices) {
  TriangleMesh mesh = open_box();
  for (const Vec3& p : {Vec3{9, 9, 9}, Vec3{9, 9, 8}, Vec3{9, 8, 9}}) mesh.positions.push_back(p);
  mesh.normals.resize(11);
  mesh.faces.push_back({8, 9, 10});
  EXPECT_EQ(drop_small_parts(mesh, 0.05), 0u);  // 1 of 10 faces
  EXPECT_EQ(drop_small_parts(mesh, 0.2), 1u);
  EXPECT_EQ(mesh.positions.size(), 8u);
  EXPECT_EQ(mesh.faces.size(), 10u);
}

}  // namespace
}  // namespace mesh
