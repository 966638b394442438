// From exact depth maps of shapes that formulas give to a mesh of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "mesh/marching_cubes.h"
#include "mesh/mesh_repair.h"
#include "mesh/smooth.h"
#include "mesh/vec3.h"
#include "mesh/vertex_colours.h"

namespace mesh {
namespace {

using Point = std::array<double, 3>;
using Distance = std::function<double(const Point&)>;  // signed, to a shape's surface

double norm(const Point& p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); }

double sphere(const Point& p) { return norm(p) - 0.8; }
double torus(const Point& p) {
  const double ring = std::hypot(p[0], p[1]) - 0.7;
  return std::hypot(ring, p[2]) - 0.25;
}

// A camera at `centre` that looks at the origin.
splat::View looking_in(const Point& centre, int size) {
  const double distance = norm(centre);
  const Point z{-centre[0] / distance, -centre[1] / distance, -centre[2] / distance};
  const Point up = std::abs(z[1]) > 0.9 ? Point{1, 0, 0} : Point{0, 1, 0};
  Point x{up[1] * z[2] - up[2] * z[1], up[2] * z[0] - up[0] * z[2], up[0] * z[1] - up[1] * z[0]};
  for (double& v : x) v /= std::sqrt(1 - std::pow(up[0] * z[0] + up[1] * z[1] + up[2] * z[2], 2));
  const Point y{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  splat::View view;
  view.camera = {size, size, float(size), float(size), size / 2.0f, size / 2.0f};
  for (size_t k = 0; k < 3; ++k) {
    view.cam_from_world.rotation[k] = x[k];
    view.cam_from_world.rotation[3 + k] = y[k];
    view.cam_from_world.rotation[6 + k] = z[k];
  }
  view.cam_from_world.translation = {0, 0, distance};
  return view;
}

DepthMap depth_of(const Distance& shape, const splat::View& view) {
  DepthMap map{view, {}};
  const auto& c = view.camera;
  const auto& r = view.cam_from_world.rotation;
  const Point centre = view.cam_from_world.origin_in_source();
  for (int v = 0; v < c.height; ++v)
    for (int u = 0; u < c.width; ++u) {
      const Point ray{(u + 0.5 - c.cx) / c.fx, (v + 0.5 - c.cy) / c.fy, 1};
      Point direction{};
      for (size_t k = 0; k < 3; ++k) direction[k] = r[k] * ray[0] + r[3 + k] * ray[1] + r[6 + k] * ray[2];
      const double length = norm(direction);
      double depth = 0, distance = 1;
      for (int step = 0; step < 200 && std::abs(distance) > 1e-9 && depth < 10; ++step) {
        distance = shape(
            {centre[0] + depth * direction[0], centre[1] + depth * direction[1], centre[2] + depth * direction[2]});
        depth += distance / length;
      }
      map.depth.push_back(std::abs(distance) < 1e-6 ? float(depth) : 0);
    }
  return map;
}

// From all around (Fibonacci's spiral).
std::vector<DepthMap> maps_of(const Distance& shape, int views, int size, double most_z = 1) {
  std::vector<DepthMap> maps;
  for (int i = 0; i < views; ++i) {
    const double z = (most_z + 1) * (i + 0.5) / views - 1, angle = 2.39996323 * i, r = std::sqrt(1 - z * z);
    maps.push_back(depth_of(shape, looking_in({3 * r * std::cos(angle), 3 * r * std::sin(angle), 3 * z}, size)));
  }
  return maps;
}

TriangleMesh surface_of(std::vector<DepthMap> maps, float voxel, int threads = 0) {
  splat::ThreadPool pool(threads);
  drop_unreliable(maps, {}, pool);
  const auto tsdf = SparseTsdf::fuse(maps, {.voxel = voxel}, pool);
  EXPECT_TRUE(tsdf.ok());
  TriangleMesh mesh = march(*tsdf, pool);
  drop_small_parts(mesh, 0.01);
  return mesh;
}

// Largest distance of a vertex from the shape, and the median angle between its normal and the shape's, degrees.
void expect_close(const TriangleMesh& mesh, const Distance& shape, double most, double most_degrees) {
  double largest = 0;
  std::vector<double> degrees;
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const Point p{mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]};
    largest = std::max(largest, std::abs(shape(p)));
    Point g;
    for (size_t k = 0; k < 3; ++k) {
      Point a = p, b = p;
      a[k] -= 1e-5, b[k] += 1e-5;
      g[k] = shape(b) - shape(a);
    }
    double cosine = 0;
    for (size_t k = 0; k < 3; ++k) cosine += g[k] / norm(g) * double(mesh.normals[v][k]);
    degrees.push_back(std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / M_PI);
  }
  ASSERT_GT(degrees.size(), 1000u);
  std::nth_element(degrees.begin(), degrees.begin() + ptrdiff_t(degrees.size() / 2), degrees.end());
  EXPECT_LT(largest, most);
  EXPECT_LT(degrees[degrees.size() / 2], most_degrees);
}

TEST(Surface, OfASphereIsClosedAndAsLarge) {
  const TriangleMesh mesh = surface_of(maps_of(sphere, 32, 160), 0.03f);
  expect_close(mesh, sphere, 0.01, 2);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  EXPECT_EQ(defects.inconsistent_edges, 0u);
  EXPECT_EQ(defects.degenerate_faces, 0u);
  EXPECT_NEAR(defects.volume / (4.0 / 3 * M_PI * 0.512), 1, 0.02);
}

TEST(Surface, OfATorusHasItsHole) {
  const TriangleMesh mesh = surface_of(maps_of(torus, 48, 160), 0.025f);
  expect_close(mesh, torus, 0.012, 3);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  // Euler's characteristic of a torus: V - E + F = 0, with E = 3 F / 2.
  EXPECT_EQ(2 * int64_t(mesh.positions.size()), int64_t(mesh.faces.size()));
  EXPECT_NEAR(defects.volume / (2 * M_PI * M_PI * 0.7 * 0.0625), 1, 0.03);
}

TEST(Surface, SeenFromOneSideIsOpenUntilClosed) {
  TriangleMesh mesh = surface_of(maps_of(sphere, 20, 120, -0.2), 0.04f);
  EXPECT_GT(find_defects(mesh).open_edges, 0u);
  EXPECT_GT(close_holes(mesh, 1), 0u);
  const MeshDefects defects = find_defects(mesh);
  EXPECT_EQ(defects.open_edges, 0u);
  EXPECT_EQ(defects.non_manifold_edges, 0u);
  EXPECT_GT(defects.volume, 0.5);
}

TEST(Surface, EndsAtTheRegion) {
  splat::ThreadPool pool(2);
  const splat::Box region{{-2, -2, 0.2}, {2, 2, 2}};
  const auto maps = maps_of(sphere, 32, 160);
  const auto whole = SparseTsdf::fuse(maps, {.voxel = 0.03f}, pool),
             part = SparseTsdf::fuse(maps, {.voxel = 0.03f, .region = region}, pool);
  ASSERT_TRUE(whole.ok() && part.ok());
  EXPECT_LT(part->keys().size(), 0.6 * double(whole->keys().size())) << "blocks beside it take no memory";
  const TriangleMesh mesh = march(*part, pool);
  expect_close(mesh, sphere, 0.01, 2);
  float low = 9, high = -9;
  for (const Vec3& p : mesh.positions) low = std::min(low, p[2]), high = std::max(high, p[2]);
  EXPECT_NEAR(low, 0.2, 0.06);
  EXPECT_GE(low, 0.2f) << "nothing is known of what lies outside";
  EXPECT_NEAR(high, 0.8, 0.02);
}

TEST(Surface, DoesNotDependOnTheNumberOfThreads) {
  const auto maps = maps_of(torus, 12, 80);
  const TriangleMesh one = surface_of(maps, 0.04f, 1), three = surface_of(maps, 0.04f, 3);
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.normals, three.normals);
  EXPECT_EQ(one.faces, three.faces);
}

// What a single view claims to see before everything else's surface.
TEST(Surface, WhatNoOtherViewConfirmsIsLeftOut) {
  auto maps = maps_of(sphere, 24, 120);
  for (int y = 50; y < 70; ++y)
    for (int x = 50; x < 70; ++x) maps[5].depth[size_t(y * 120 + x)] = 1.5f;
  expect_close(surface_of(maps, 0.04f), sphere, 0.02, 3);
}

// Views that differ by more than a few voxels make a foam, unless the field is said to reach as far as they differ.
TEST(Surface, OfViewsThatDifferIsNoFoam) {
  auto maps = maps_of(sphere, 24, 120);
  std::mt19937 random(3);
  for (DepthMap& map : maps) {
    const float off = 1 + 0.06f * (float(random()) / float(std::mt19937::max()) - 0.5f);
    for (float& depth : map.depth) depth *= off;
  }
  splat::ThreadPool pool;
  const float differ = drop_unreliable(maps, {.confirm = 0.1f}, pool);
  EXPECT_GT(differ, 0.015f);
  EXPECT_LT(differ, 0.05f);
  const auto parts_with = [&](float noise) {
    const auto tsdf = SparseTsdf::fuse(maps, {.voxel = 0.012f, .noise = noise}, pool);
    TriangleMesh mesh = march(*tsdf, pool);
    return drop_small_parts(mesh, 1) + 1;
  };
  const size_t foam = parts_with(0), surface = parts_with(2 * differ);
  EXPECT_GT(foam, 50u);
  EXPECT_LT(surface, foam / 4);
}

TEST(DepthMaps, SmoothingTakesNoiseOffAndLeavesEdges) {
  DepthMap map{looking_in({0, 0, -3}, 80), {}};
  std::mt19937 random(5);
  std::vector<float> truth;
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 80; ++x) {
      truth.push_back(x < 40 ? 1 / (0.5f + 0.001f * float(x) + 0.002f * float(y)) : 3.0f);  // a slope before a wall
      map.depth.push_back(truth.back() * (1 + 0.02f * (float(random()) / float(std::mt19937::max()) - 0.5f)));
    }
  const std::vector<float> noisy = map.depth;
  std::vector<DepthMap> maps{map};
  splat::ThreadPool pool;
  smooth_depths(maps, {}, pool);
  double before = 0, after = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    before += std::abs(noisy[i] - truth[i]), after += std::abs(maps[0].depth[i] - truth[i]);
    EXPECT_LT(std::abs(maps[0].depth[i] - truth[i]), 0.011f * truth[i]) << i % 80 << " " << i / 80;
  }
  EXPECT_LT(after, before / 3);
  maps[0].depth = truth;
  smooth_depths(maps, {}, pool);
  for (size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(maps[0].depth[i], truth[i], 1e-4f * truth[i]);
}

TEST(Smoothing, TakesNoiseOffAndKeepsTheVolumeAndBorders) {
  for (const bool whole : {true, false}) {
    TriangleMesh mesh = surface_of(maps_of(sphere, 32, 160, whole ? 1 : -0.2), 0.03f);
    std::mt19937 random(7);
    for (Vec3& p : mesh.positions)
      for (float& x : p) x += 0.008f * (float(random()) / float(std::mt19937::max()) - 0.5f);
    std::vector<Vec3> border;
    const auto border_of = [&] {
      std::map<std::pair<uint32_t, uint32_t>, int> edges;
      for (const Face& face : mesh.faces)
        for (size_t k = 0; k < 3; ++k) ++edges[std::minmax(face[k], face[(k + 1) % 3])];
      std::vector<Vec3> points;
      for (const auto& [edge, faces] : edges)
        if (faces == 1) points.push_back(mesh.positions[edge.first]);
      return points;
    };
    border = border_of();
    EXPECT_EQ(border.empty(), whole);
    const double volume = find_defects(mesh).volume;
    double rough = 0, even = 0;
    for (const Vec3& p : mesh.positions) rough += std::abs(sphere({p[0], p[1], p[2]}));
    splat::ThreadPool pool;
    smooth(mesh, 20, pool);
    for (const Vec3& p : mesh.positions) even += std::abs(sphere({p[0], p[1], p[2]}));
    EXPECT_LT(even, 0.7 * rough);
    if (whole) {
      EXPECT_NEAR(find_defects(mesh).volume / volume, 1, 0.01);
      expect_close(mesh, sphere, 0.02, 3);
    }
    EXPECT_EQ(border_of(), border);
  }
}

TEST(Surface, TooFineForTheMemoryIsAnError) {
  splat::ThreadPool pool;
  const auto tsdf = SparseTsdf::fuse(maps_of(sphere, 4, 60), {.voxel = 0.01f, .max_blocks = 20}, pool);
  ASSERT_FALSE(tsdf.ok());
  EXPECT_NE(tsdf.error().message.find("MB"), std::string::npos);
}

TEST(VertexColours, ComeFromThePicturesThatSeeThem) {
  auto maps = maps_of(sphere, 32, 120);
  TriangleMesh mesh = surface_of(maps, 0.05f);
  splat::ThreadPool pool;
  // Every picture paints x > 0 red and the rest blue.
  const auto picture = [&](size_t i) {
    const DepthMap& map = maps[i];
    splat::ImageF image{120, 120, std::vector<float>(3 * 120 * 120, 0)};
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 120; ++x) {
        const double z = map.at(x, y);
        const auto& c = map.view.camera;
        const Point s{(x + 0.5 - c.cx) / c.fx * z, (y + 0.5 - c.cy) / c.fy * z, z - 3};
        double world_x = 0;
        for (size_t r = 0; r < 3; ++r) world_x += map.view.cam_from_world.rotation[3 * r] * s[r];
        image.rgb[size_t((world_x > 0 ? 0 : 2) * 120 * 120 + y * 120 + x)] = 1;
      }
    return image;
  };
  colour_vertices(mesh, maps, 0.1f, picture, pool);
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    if (std::abs(mesh.positions[v][0]) < 0.1f) continue;
    EXPECT_NEAR(mesh.colours[v][mesh.positions[v][0] > 0 ? 0 : 2], 1, 0.05) << v;
  }
}

}  // namespace
}  // namespace mesh
