#include "mesh/mesh_repair.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(defects.crowded_edges, 0u);
  EXPECT_EQ(defects.turned_edges, 0u);
  EXPECT_EQ(defects.degenerate_faces, 0u);
}

TEST(MeshRepair, CountsCrowdedAndTurnedEdgesAndFacesWithoutArea) {
  TriangleMesh mesh = open_box();
  mesh.faces.push_back({0, 2, 7});  // a third face at the edge 0-2, in the direction of the first
  mesh.faces.push_back({1, 1, 3});
  const MeshDefects defects = find_defects(mesh);
  EXPECT_GE(defects.crowded_edges, 1u);
  EXPECT_GE(defects.turned_edges, 1u);
  EXPECT_EQ(defects.degenerate_faces, 1u);
}

TEST(MeshRepair, AClosedBoxHasItsVolume) {
  TriangleMesh mesh = open_box();
  EXPECT_EQ(close_holes(mesh, 1), 1u);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.turned_edges, 0u);
  EXPECT_NEAR(defects.volume, 1, 1e-6);
}

// Two holes of one perimeter: none is small beside the other.
TEST(MeshRepair, LargeHolesStay) {
  TriangleMesh mesh = open_box();
  EXPECT_EQ(close_holes(mesh, 0.5), 0u);
  EXPECT_EQ(find_defects(mesh).open_edges, 4u);
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
