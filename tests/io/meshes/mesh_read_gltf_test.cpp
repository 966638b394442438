// Meshes as packers of glTF write them.
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/image_file.h"
#include "io/meshes/mesh_read.h"
#include "tests/support/temp_folder.h"

namespace io {
namespace {

using nlohmann::json;

struct Vertex {
  float place[3], uv[2];
};

json packed_view(size_t bytes, size_t begin, size_t packed, size_t stride, const char* mode) {
  const json how = {{"buffer", 0},          {"byteOffset", begin},     {"byteLength", packed},
                    {"byteStride", stride}, {"count", bytes / stride}, {"mode", mode}};
  return {{"buffer", 1}, {"byteLength", bytes}, {"extensions", {{"EXT_meshopt_compression", how}}}};
}

json accessor(size_t view, size_t offset, int type, size_t count, const char* shape) {
  return {{"bufferView", view}, {"byteOffset", offset}, {"componentType", type}, {"count", count}, {"type", shape}};
}

// A square of two triangles, packed as gltfpack does: instead of their bytes there is a placeholder.
struct PackedSquare {
  json root;
  std::string binary;

  PackedSquare() {
    const std::vector<Vertex> square{
        {{0, 0, 0}, {0, 0}}, {{1, 0, 0}, {1, 0}}, {{1, 1, 0}, {1, 1}}, {{0, 1, 0}, {0, 1}}};
    const std::vector<uint32_t> indices{0, 1, 2, 0, 2, 3};
    std::vector<unsigned char> vertices(meshopt_encodeVertexBufferBound(4, sizeof(Vertex)));
    std::vector<unsigned char> corners(meshopt_encodeIndexBufferBound(6, 4));
    vertices.resize(meshopt_encodeVertexBuffer(vertices.data(), vertices.size(), square.data(), 4, sizeof(Vertex)));
    corners.resize(meshopt_encodeIndexBuffer(corners.data(), corners.size(), indices.data(), 6));
    const std::string picture = encode_png(splat::Image8{2, 2, 3, std::vector<uint8_t>(12, 255)});
    binary.append(vertices.begin(), vertices.end()).append(corners.begin(), corners.end()).append(picture);
    const size_t packed = vertices.size() + corners.size();
    root["extensionsRequired"] = {"EXT_meshopt_compression", "KHR_texture_transform"};
    root["scenes"] = {{{"nodes", {0}}}};
    root["nodes"] = {{{"mesh", 0}}};
    root["meshes"] = {
        {{"primitives", {{{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}}}, {"indices", 2}, {"material", 0}}}}}};
    root["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    root["textures"] = {{{"source", 0}}};
    root["images"] = {{{"bufferView", 2}}};
    root["accessors"] = {accessor(0, 0, 5126, 4, "VEC3"), accessor(0, 12, 5126, 4, "VEC2"),
                         accessor(1, 0, 5125, 6, "SCALAR")};
    root["bufferViews"] = {packed_view(80, 0, vertices.size(), sizeof(Vertex), "ATTRIBUTES"),
                           packed_view(24, vertices.size(), corners.size(), 4, "TRIANGLES"),
                           {{"buffer", 0}, {"byteOffset", packed}, {"byteLength", picture.size()}}};
    root["buffers"] = {{{"byteLength", binary.size()}, {"uri", "m.bin"}},
                       {{"byteLength", 104}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  }
  json& primitives() { return root["meshes"][0]["primitives"]; }

  splat::Result<MeshFile> read() const {
    const splat::test::TempFolder folder;
    folder.write("m.bin", binary);
    return read_mesh(folder.write("m.gltf", root.dump()));
  }
};

TEST(ReadGltfMesh, TrianglesPackedByMeshoptimizer) {
  PackedSquare square;
  const auto read = square.read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->mesh.faces.size(), 2u);
  const auto has = [&](size_t face, mesh::Face corners) {  // wherever it begins
    for (int turn = 0; turn < 3; ++turn, corners = {corners[1], corners[2], corners[0]})
      if (read->mesh.faces[face] == corners) return true;
    return false;
  };
  EXPECT_TRUE(has(0, {0, 1, 2}) && has(1, {0, 2, 3}));
  EXPECT_EQ(read->mesh.positions[2], (mesh::Vec3{1, 1, 0}));
  EXPECT_EQ(read->mesh.uvs[1], (mesh::Uv{1, 0}));
  square.binary[size_t(square.root["bufferViews"][1]["extensions"]["EXT_meshopt_compression"]["byteOffset"])] = 0;
  EXPECT_FALSE(square.read().ok());
}

TEST(ReadGltfMesh, PicturesLieWhereTheirTransformSays) {
  PackedSquare square;
  json& picture = square.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
  picture["extensions"]["KHR_texture_transform"] = {{"offset", {0.25, 0.5}}, {"scale", {0.5, 0.125}}};
  auto read = square.read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->mesh.uvs[0], (mesh::Uv{0.25f, 0.5f}));
  EXPECT_EQ(read->mesh.uvs[2], (mesh::Uv{0.75f, 0.625f}));
  EXPECT_TRUE(read->warnings.empty());
  picture["extensions"]["KHR_texture_transform"]["rotation"] = 1;
  read = square.read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->warnings.size(), 1u);
  EXPECT_NE(read->warnings[0].find("is turned"), std::string::npos) << read->warnings[0];
}

// A file of some kilobytes must not become gigabytes.
TEST(ReadGltfMesh, FacesAreNotRepeatedWithoutEnd) {
  PackedSquare square;
  std::string& binary = square.binary;
  const size_t begin = binary.size(), corners = 3000;
  binary.append(corners, '\0');
  square.root["buffers"][0]["byteLength"] = binary.size();
  square.root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", begin}, {"byteLength", corners}});
  square.root["accessors"].push_back(accessor(3, 0, 5121, corners, "SCALAR"));
  square.primitives()[0]["indices"] = 3;
  const json part = square.primitives()[0];
  EXPECT_TRUE(square.read().ok());
  for (int i = 0; i < 1000; ++i) square.primitives().push_back(part);
  const auto read = square.read();
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("repeats its parts"), std::string::npos) << read.error().message;
}

}  // namespace
}  // namespace io
