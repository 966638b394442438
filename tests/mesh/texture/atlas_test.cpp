// Each face has its own place in the texture.
#include "mesh/texture/atlas.h"

#include <gtest/gtest.h>

#include <set>

#include "mesh/mesh_repair.h"
#include "mesh/texture/charts.h"
#include "mesh/texture/triangle_raster.h"
#include "tests/mesh/texture/shapes.h"

namespace mesh {
namespace {

std::array<Point2, 3> texels_of(const TriangleMesh& mesh, const Face& face, int side) {
  std::array<Point2, 3> corners;
  for (size_t k = 0; k < 3; ++k)
    for (size_t d = 0; d < 2; ++d) corners[k][d] = mesh.uvs[face[k]][d] * float(side);
  return corners;
}

// A surface like a screw: connected, facing one way, above itself.
TriangleMesh screw() {
  constexpr uint32_t kSteps = 120;
  TriangleMesh mesh;
  for (uint32_t i = 0; i <= kSteps; ++i)
    for (const double r : {0.3, 1.0}) {
      const double a = 4 * M_PI * i / kSteps;
      mesh.positions.push_back({float(r * std::cos(a)), float(r * std::sin(a)), float(0.05 * a)});
    }
  for (uint32_t i = 0; i < kSteps; ++i) {
    mesh.faces.push_back({2 * i, 2 * i + 1, 2 * i + 2});
    mesh.faces.push_back({2 * i + 1, 2 * i + 3, 2 * i + 2});
  }
  mesh.normals.assign(mesh.positions.size(), {0, 0, 1});
  return mesh;
}

void expect_no_overlap(const TriangleMesh& mesh, int side) {
  std::vector<int> times(size_t(side) * size_t(side), 0);
  for (const Face& face : mesh.faces)
    for_each_covered(texels_of(mesh, face, side), side, side, [&](int x, int y, float a, float b, float c) {
      times[size_t(y * side + x)] += std::min({a, b, c}) > 0.02f;
    });
  EXPECT_LE(*std::max_element(times.begin(), times.end()), 1);
}

TEST(Atlas, FacesDoNotLieOnEachOther) {
  splat::ThreadPool pool;
  for (TriangleMesh mesh : {test::globe(), screw()}) {
    const TriangleMesh before = mesh;
    const auto atlas = lay_out(mesh, 512, pool);
    ASSERT_TRUE(atlas.ok());
    ASSERT_EQ(mesh.faces.size(), before.faces.size());
    ASSERT_EQ(atlas->origin.size(), mesh.positions.size());
    for (size_t f = 0; f < mesh.faces.size(); ++f)
      for (size_t k = 0; k < 3; ++k) EXPECT_EQ(atlas->origin[mesh.faces[f][k]], before.faces[f][k]);
    for (const Uv& uv : mesh.uvs)
      for (float t : uv) EXPECT_TRUE(t > 0 && t < 1) << t;
    expect_no_overlap(mesh, 512);
  }
}

TEST(Atlas, UsesTheTextureWell) {
  splat::ThreadPool pool;
  TriangleMesh mesh = test::globe();
  const auto atlas = lay_out(mesh, 1024, pool);
  ASSERT_TRUE(atlas.ok());
  EXPECT_LT(double(atlas->charts), 0.01 * double(mesh.faces.size()));
  EXPECT_GT(atlas->filled, 0.45);
  // A texel's size: no face has less than 0.3 of the texels of one that faces its chart.
  for (const Face& face : mesh.faces) {
    const auto c = texels_of(mesh, face, 1024);
    const double texels = 0.5 * std::abs(double(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
                                         double(c[2][0] - c[0][0]) * (c[1][1] - c[0][1]));
    const Vec3 twice = area_of(mesh, face);
    EXPECT_GT(texels * atlas->texel * atlas->texel, 0.3 * 0.5 * std::sqrt(dot(twice, twice)));
  }
}

TEST(Atlas, ChartsLieApart) {
  splat::ThreadPool pool;
  TriangleMesh mesh = test::globe();
  ASSERT_TRUE(lay_out(mesh, 512, pool).ok());
  // Which chart a texel belongs to: vertices are not shared between charts.
  std::vector<uint32_t> chart(mesh.positions.size());
  for (size_t v = 0; v < chart.size(); ++v) chart[v] = uint32_t(v);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Face& face : mesh.faces) {
      const uint32_t least = std::min({chart[face[0]], chart[face[1]], chart[face[2]]});
      for (uint32_t v : face) changed = changed || chart[v] != least, chart[v] = least;
    }
  }
  std::vector<int64_t> owner(512 * 512, -1);
  for (const Face& face : mesh.faces)
    for_each_covered(texels_of(mesh, face, 512), 512, 512,
                     [&](int x, int y, float, float, float) { owner[size_t(y * 512 + x)] = chart[face[0]]; });
  for (int y = 0; y < 512; ++y)
    for (int x = 0; x + kGutter - 1 < 512; ++x)
      for (int d = 1; d < kGutter; ++d) {
        const int64_t a = owner[size_t(y * 512 + x)], b = owner[size_t(y * 512 + x + d)];
        EXPECT_TRUE(a < 0 || b < 0 || a == b) << x << " " << y;
      }
}

TEST(Atlas, DoesNotDependOnTheNumberOfThreads) {
  splat::ThreadPool one(1), three(3);
  TriangleMesh a = test::globe(), b = a;
  ASSERT_TRUE(lay_out(a, 512, one).ok());
  ASSERT_TRUE(lay_out(b, 512, three).ok());
  EXPECT_EQ(a.uvs, b.uvs);
  EXPECT_EQ(a.faces, b.faces);
}

// Every face its own chart, and more of them than places.
TEST(Atlas, TooManyPiecesAreAnError) {
  splat::ThreadPool pool;
  TriangleMesh dust;
  for (uint32_t i = 0; i < 400; ++i) {
    for (int k = 0; k < 3; ++k)
      dust.positions.push_back({float(3 * i) + (k == 1 ? 1.0f : 0.0f), k == 2 ? 1.0f : 0.0f, 0});
    dust.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  dust.normals.assign(dust.positions.size(), {0, 0, 1});
  const auto atlas = lay_out(dust, 64, pool);
  ASSERT_FALSE(atlas.ok());
  EXPECT_NE(atlas.error().message.find("400"), std::string::npos);
}

}  // namespace
}  // namespace mesh
