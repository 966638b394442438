#include "mesh/manifold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "mesh/mesh_repair.h"

namespace mesh {
namespace {

constexpr float kApart = 1e-4f;

// A unit cube with its lowest corner at `at`; corners that are there already are shared.
void add_cube(TriangleMesh& mesh, const Vec3& at) {
  std::array<uint32_t, 8> v{};
  for (uint32_t i = 0; i < 8; ++i) {
    const Vec3 p{at[0] + float(i & 1), at[1] + float(i >> 1 & 1), at[2] + float(i >> 2)};
    v[i] = uint32_t(std::find(mesh.positions.begin(), mesh.positions.end(), p) - mesh.positions.begin());
    if (v[i] == mesh.positions.size()) mesh.positions.push_back(p);
  }
  mesh.normals.resize(mesh.positions.size(), {0, 0, 1});
  const uint32_t quads[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    mesh.faces.push_back({v[q[0]], v[q[1]], v[q[2]]});
    mesh.faces.push_back({v[q[0]], v[q[2]], v[q[3]]});
  }
}

void expect_closed(const TriangleMesh& mesh, double volume) {
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  EXPECT_EQ(defects.inconsistent_edges, 0u);
  EXPECT_EQ(defects.degenerate_faces, 0u);
  EXPECT_NEAR(defects.volume, volume, 1e-3 * volume);
}

TEST(Manifold, WhatIsOneStaysAsItIs) {
  TriangleMesh mesh;
  add_cube(mesh, {0, 0, 0});
  const TriangleMesh before = mesh;
  EXPECT_EQ(make_manifold(mesh, kApart), 0u);
  EXPECT_EQ(mesh.positions, before.positions);
  EXPECT_EQ(mesh.faces, before.faces);
}

TEST(Manifold, CubesThatTouchInAnEdgeComeApart) {
  TriangleMesh mesh;
  add_cube(mesh, {0, 0, 0});
  add_cube(mesh, {1, 1, 0});
  ASSERT_EQ(find_defects(mesh).non_manifold_edges, 1u);
  EXPECT_EQ(make_manifold(mesh, kApart), 2u);
  EXPECT_EQ(mesh.positions.size(), 16u);
  expect_closed(mesh, 2);
  std::sort(mesh.positions.begin(), mesh.positions.end());
  EXPECT_EQ(std::adjacent_find(mesh.positions.begin(), mesh.positions.end()), mesh.positions.end());
}

TEST(Manifold, CubesThatTouchInACornerComeApart) {
  TriangleMesh mesh;
  add_cube(mesh, {0, 0, 0});
  add_cube(mesh, {1, 1, 1});
  EXPECT_EQ(make_manifold(mesh, kApart), 1u);
  expect_closed(mesh, 2);
}

TEST(Manifold, FacesBackToBackGo) {
  TriangleMesh mesh;
  add_cube(mesh, {0, 0, 0});
  mesh.faces.push_back({0, 3, 7});
  mesh.faces.push_back({7, 3, 0});
  make_manifold(mesh, kApart);
  EXPECT_EQ(mesh.faces.size(), 12u);
  expect_closed(mesh, 1);
}

// Two boxes whose common wall is divided along different diagonals.
TEST(Manifold, BoxesThatShareAWallStayClosed) {
  TriangleMesh mesh;
  for (float x : {0.0f, 1.0f}) add_cube(mesh, {x, 0, 0});
  make_manifold(mesh, kApart);
  expect_closed(mesh, 2);
}

TEST(Manifold, AFaceTwiceIsOne) {
  TriangleMesh mesh;
  add_cube(mesh, {0, 0, 0});
  mesh.faces.push_back(mesh.faces[3]);
  mesh.faces.push_back({mesh.faces[5][1], mesh.faces[5][2], mesh.faces[5][0]});
  mesh.faces.push_back({0, 0, 1});
  make_manifold(mesh, kApart);
  EXPECT_EQ(mesh.faces.size(), 12u);
  expect_closed(mesh, 1);
}

// Edges with four faces whose fans meet in both ends among them.
TEST(Manifold, ManyCubesAtOnceComeApartClosed) {
  TriangleMesh mesh;
  double volume = 0;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z)
        if ((x + y + z) % 2 == 0) add_cube(mesh, {float(x), float(y), float(z)}), volume += 1;
  ASSERT_GT(find_defects(mesh).non_manifold_edges, 20u);
  make_manifold(mesh, kApart);
  expect_closed(mesh, volume);
}

TEST(Manifold, OfAnyTrianglesAtAll) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    TriangleMesh mesh;
    const uint32_t vertices = 4 + random() % 9;
    for (uint32_t v = 0; v < vertices; ++v)
      mesh.positions.push_back({float(random() % 1000), float(random() % 1000), float(random() % 1000)});
    mesh.normals.assign(vertices, {0, 0, 1});
    mesh.colours.assign(vertices, {1, 0, 0});
    for (uint32_t f = random() % 60; f > 0; --f)
      mesh.faces.push_back(
          {uint32_t(random() % vertices), uint32_t(random() % vertices), uint32_t(random() % vertices)});
    make_manifold(mesh, kApart);
    const MeshDefects defects = find_defects(mesh);
    ASSERT_EQ(defects.non_manifold_edges, 0u) << round;
    ASSERT_EQ(defects.inconsistent_edges, 0u) << round;
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    const TriangleMesh once = mesh;
    ASSERT_EQ(make_manifold(mesh, kApart), 0u) << round;
    ASSERT_EQ(mesh.faces, once.faces) << round;
  }
}

}  // namespace
}  // namespace mesh
