// Meshes as they are written, as others write them, and broken ones.
#include "io/meshes/mesh_read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "io/meshes/mesh_file.h"
#include "io/splats/formats.h"
#include "tests/support/temp_folder.h"

namespace io {
namespace {

using splat::test::TempFolder;

mesh::TriangleMesh coloured_tetrahedron() {
  mesh::TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  mesh.normals = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.colours = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5f, 0.5f, 0.5f}};
  mesh.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

void expect_near(const std::vector<mesh::Vec3>& a, const std::vector<mesh::Vec3>& b, float most) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[i][k], b[i][k], most) << i << " " << k;
}

// Faces count from their own vertices: OBJ numbers vertices as faces name them.
std::vector<mesh::Vec3> corners(const mesh::TriangleMesh& mesh, const std::vector<mesh::Vec3>& values) {
  std::vector<mesh::Vec3> all;
  for (const mesh::Face& face : mesh.faces)
    for (const uint32_t corner : face) all.push_back(values[corner]);
  return all;
}

TEST(MeshRead, WhatIsWrittenComesBackWhereItWas) {
  const TempFolder folder;
  const mesh::TriangleMesh mesh = coloured_tetrahedron();
  for (const char* name : {"m.ply", "m.obj", "m.glb"}) {
    const auto path = folder.path() / name;
    ASSERT_TRUE(write_mesh(path, mesh, {0, -0.6, 0.8}, {}, 2.5)) << name;
    EXPECT_TRUE(is_mesh_file(path)) << name;
    const auto read = read_mesh(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    expect_near(corners(read->mesh, read->mesh.positions), corners(mesh, mesh.positions), 1e-5f);
    expect_near(corners(read->mesh, read->mesh.normals), corners(mesh, mesh.normals), 1e-4f);
    expect_near(corners(read->mesh, read->mesh.colours), corners(mesh, mesh.colours), 0.003f);
    EXPECT_TRUE(read->warnings.empty()) << read->warnings.front();
  }
}

TEST(MeshRead, PicturesComeWithTheirPlaces) {
  const TempFolder folder;
  mesh::TriangleMesh mesh = coloured_tetrahedron();
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {0.25f, 0.75f}};
  const splat::Image8 picture{16, 16, 3, std::vector<uint8_t>(16 * 16 * 3, 200)};
  for (const char* name : {"m.obj", "m.glb"}) {
    ASSERT_TRUE(write_mesh(folder.path() / name, mesh, {0, 1, 0}, picture)) << name;
    const auto read = read_mesh(folder.path() / name);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_EQ(read->texture.width, 16) << name;
    EXPECT_NEAR(read->texture.pixels[5], 200, 3);
    ASSERT_EQ(read->mesh.uvs.size(), read->mesh.positions.size());
    for (size_t f = 0; f < 4; ++f)
      for (size_t c = 0; c < 3; ++c)
        for (size_t k = 0; k < 2; ++k)
          EXPECT_NEAR(read->mesh.uvs[read->mesh.faces[f][c]][k], mesh.uvs[mesh.faces[f][c]][k], 1e-6);
  }
}

TEST(MeshRead, OthersHavePolygonsNoNormalsAndOtherEncodings) {
  const auto obj = read_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n", "quad.obj");
  ASSERT_TRUE(obj.ok()) << obj.error().message;
  EXPECT_EQ(obj->mesh.faces, (std::vector<mesh::Face>{{0, 1, 2}, {0, 2, 3}}));
  expect_near(obj->mesh.normals, std::vector<mesh::Vec3>(4, {0, 0, 1}), 1e-6f);
  const auto ply = read_mesh(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
      "property list uchar int vertex_index\nend_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 51\n3 0 1 2\n",
      "t.ply");
  ASSERT_TRUE(ply.ok()) << ply.error().message;
  expect_near(ply->mesh.colours, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.2f}}, 1e-6f);
  const auto floats = read_mesh(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property float red\nproperty float green\nproperty float blue\nelement face 1\n"
      "property list uchar int vertex_index\nend_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 51\n3 0 1 2\n",
      "f.ply");
  ASSERT_TRUE(floats.ok()) << floats.error().message;
  expect_near(floats->mesh.colours, ply->mesh.colours, 1e-6f);
  std::string big =
      "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar ushort vertex_indices\nend_header\n";
  for (const char* number : {"\x3f\x80\0\0", "\0\0\0\0", "\0\0\0\0", "\0\0\0\0", "\x40\0\0\0", "\0\0\0\0", "\0\0\0\0",
                             "\0\0\0\0", "\x40\x40\0\0"})
    big.append(number, 4);
  big.append("\x03\0\0\0\x01\0\x02", 7);
  const auto swapped = read_mesh(big, "b.ply");
  ASSERT_TRUE(swapped.ok()) << swapped.error().message;
  expect_near(swapped->mesh.positions, {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, 0);
}

TEST(MeshRead, BrokenFilesAreRefusedWithTheirName) {
  const auto refused = [](const std::string& bytes, const std::string& name, const std::string& why) {
    const auto read = read_mesh(bytes, name);
    ASSERT_FALSE(read.ok()) << name;
    EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
    EXPECT_NE(read.error().message.find(why), std::string::npos) << read.error().message;
  };
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  refused(header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.ply", "vertex 3 of 3");
  refused(header + "0 0 0\n1 0 0\n", "b.ply", "truncated");
  refused(header + "0 0 0\n1 0 0\n0 1 0\n200 0 1 2\n", "c.ply", "list longer");
  refused("v 0 0 0\nf 1 2 3\n", "d.obj", "line 2");
  refused("v 0 0 0\nv 1 0 0\n", "e.obj", "no triangles");
  refused("v 0 x 0\n", "f.obj", "three numbers");
  refused("glTF", "g.glb", "");
  refused(R"({"scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]})", "h.gltf", "contain themselves");
  refused(R"({"extensionsRequired":["KHR_draco_mesh_compression"]})", "i.gltf", "KHR_draco");
  for (const char* name : {"KHR_materials_of_tomorrow", "KHR_mesh_quantization_2", "EXT_meshopt_compression_next"})
    refused(R"({"extensionsRequired":["KHR_materials_unlit", ")" + std::string(name) + R"("]})", "j.gltf", name);
}

TEST(MeshRead, CornersTooFarForFloatsAreWarnedOf) {
  const auto warnings = [](const std::string& x) {
    const auto read = read_mesh("v " + x + "000 0 0\nv " + x + "001 0 0\nv " + x + "000 1 0\nf 1 2 3\n", "a.obj");
    EXPECT_TRUE(read.ok()) << read.error().message;
    return read->warnings;
  };
  EXPECT_TRUE(warnings("1").empty());
  ASSERT_EQ(warnings("5456").size(), 1u);
  EXPECT_NE(warnings("5456")[0].find("step by 0.5"), std::string::npos) << warnings("5456")[0];
}

TEST(MeshRead, SplatsAndPointsAreNoMeshes) {
  const TempFolder folder;
  const std::string vertex =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property float z\n";
  EXPECT_FALSE(is_mesh_file(folder.write("points.ply", vertex + "end_header\n0 0 0\n")));
  EXPECT_FALSE(is_mesh_file(folder.write(
      "none.ply", vertex + "element face 0\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n")));
  EXPECT_FALSE(is_mesh_file(folder.write("other.json", "{}")));
  EXPECT_FALSE(is_mesh_file(folder.path() / "missing.obj"));
}

}  // namespace
}  // namespace io
