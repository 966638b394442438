#include "io/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/image_file.h"
#include "tests/support/temp_folder.h"

namespace io {
namespace {

using splat::test::TempFolder;

mesh::TriangleMesh tetrahedron() {
  mesh::TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  mesh.normals.assign(4, {0, 0, -1});
  mesh.colours = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5f, 0.5f, 0.5f}};
  mesh.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(MeshFile, PlyHoldsEverything) {
  const TempFolder folder;
  ASSERT_TRUE(write_mesh(folder.path() / "m.ply", tetrahedron()));
  const std::string bytes = bytes_of(folder.path() / "m.ply");
  EXPECT_NE(bytes.find("element vertex 4\n"), std::string::npos);
  EXPECT_NE(bytes.find("element face 4\n"), std::string::npos);
  const size_t data = bytes.find("end_header\n") + 11;
  ASSERT_EQ(bytes.size(), data + 4 * (24 + 3) + 4 * 13);
  float x;
  std::memcpy(&x, bytes.data() + data + 27, 4);
  EXPECT_EQ(x, 1);  // of the second vertex
  EXPECT_EQ(uint8_t(bytes[data + 24]), 255);
  EXPECT_EQ(bytes[data + 4 * 27], 3);
}

TEST(MeshFile, ObjCountsFromOne) {
  const TempFolder folder;
  ASSERT_TRUE(write_mesh(folder.path() / "m.obj", tetrahedron()));
  const std::string text = bytes_of(folder.path() / "m.obj");
  EXPECT_NE(text.find("v 0 2 0 0.0000 0.0000 1.0000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("f 1//1 3//3 2//2\n"), std::string::npos) << text;
}

// The bounds of the positions say where it is.
TEST(MeshFile, GlbCountsInMetresWhereTheScaleIsKnown) {
  const TempFolder folder;
  ASSERT_TRUE(write_mesh(folder.path() / "m.glb", tetrahedron(), {0, 1, 0}, {}, 2.5));
  const std::string bytes = bytes_of(folder.path() / "m.glb");
  EXPECT_NE(bytes.find("\"max\":[2.5,5.0,7.5]"), std::string::npos) << bytes.substr(0, 900);
}

// The rules of glTF that its validator checks first: chunks, alignment, lengths, bounds of positions and indices.
TEST(MeshFile, GlbKeepsTheRulesAndStandsUpright) {
  const TempFolder folder;
  ASSERT_TRUE(write_mesh(folder.path() / "m.glb", tetrahedron(), {0, 0, 1}));
  const std::string bytes = bytes_of(folder.path() / "m.glb");
  uint32_t head[5];
  ASSERT_GT(bytes.size(), sizeof head);
  std::memcpy(head, bytes.data(), sizeof head);
  EXPECT_EQ(head[0], 0x46546c67u);
  EXPECT_EQ(head[2], bytes.size());
  EXPECT_EQ(head[3] % 4, 0u);
  const auto document = nlohmann::json::parse(bytes.substr(20, head[3]));
  uint32_t binary[2];
  std::memcpy(binary, bytes.data() + 20 + head[3], sizeof binary);
  EXPECT_EQ(binary[1], 0x004e4942u);
  EXPECT_EQ(document["buffers"][0]["byteLength"], binary[0]);
  EXPECT_EQ(28 + head[3] + binary[0], bytes.size());
  for (const auto& view : document["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"].get<size_t>() % 4, 0u);
    EXPECT_LE(view["byteOffset"].get<size_t>() + view["byteLength"].get<size_t>(), binary[0]);
  }
  const auto& primitive = document["meshes"][0]["primitives"][0];
  const auto& position = document["accessors"][primitive["attributes"]["POSITION"].get<size_t>()];
  EXPECT_EQ(position["count"], 4);
  EXPECT_NEAR(position["max"][1].get<double>(), 3, 1e-6) << "z was up, y is now";
  EXPECT_EQ(document["accessors"][primitive["indices"].get<size_t>()]["count"], 12);
  EXPECT_TRUE(primitive["attributes"].contains("COLOR_0"));
}

struct Textured : public testing::Test {
  const TempFolder folder;
  mesh::TriangleMesh mesh = tetrahedron();
  splat::Image8 texture{4, 4, 3, std::vector<uint8_t>(48, 200)};
  void SetUp() override { mesh.uvs = {{0.25f, 0.125f}, {0.5f, 0.5f}, {0.75f, 0.5f}, {0.5f, 0.75f}}; }
};

TEST_F(Textured, GlbHoldsThePicture) {
  ASSERT_TRUE(write_mesh(folder.path() / "m.glb", mesh, {0, 0, 1}, texture));
  const std::string bytes = bytes_of(folder.path() / "m.glb");
  uint32_t length;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  const auto document = nlohmann::json::parse(bytes.substr(20, length));
  const auto& attributes = document["meshes"][0]["primitives"][0]["attributes"];
  EXPECT_FALSE(attributes.contains("COLOR_0")) << "it would be multiplied with the texture";
  EXPECT_EQ(document["accessors"][attributes["TEXCOORD_0"].get<size_t>()]["type"], "VEC2");
  const auto& view = document["bufferViews"][document["images"][0]["bufferView"].get<size_t>()];
  const auto image = decode_image(
      std::string_view(bytes).substr(28 + length + view["byteOffset"].get<size_t>(), view["byteLength"].get<size_t>()),
      "m.glb");
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->width, 4);
  EXPECT_NEAR(image->pixels[0], 200, 2);
}

TEST_F(Textured, ObjNamesItsMaterialAndPicture) {
  ASSERT_TRUE(write_mesh(folder.path() / "m.obj", mesh, {0, 0, 1}, texture));
  const std::string text = bytes_of(folder.path() / "m.obj");
  EXPECT_NE(text.find("mtllib m.mtl\nusemtl surface\n"), std::string::npos) << text;
  EXPECT_NE(text.find("vt 0.2500000 0.8750000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("f 1/1/1 3/3/3 2/2/2\n"), std::string::npos) << text;
  const std::string material = bytes_of(folder.path() / "m.mtl");
  EXPECT_NE(material.find("newmtl surface\n"), std::string::npos);
  EXPECT_NE(material.find("map_Kd m.texture.jpg\n"), std::string::npos);
  EXPECT_TRUE(read_image(folder.path() / "m.texture.jpg").ok());
}

TEST(MeshFile, OtherNamesAreRefused) {
  const TempFolder folder;
  const auto status = write_mesh(folder.path() / "m.stl", tetrahedron());
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find(".glb, .obj, .ply"), std::string::npos);
  EXPECT_FALSE(is_mesh_name("m.stl"));
  EXPECT_TRUE(is_mesh_name("M.GLB"));
}

// The material and the picture beside an .obj: only those that were written with it are replaced.
TEST_F(Textured, ObjReplacesItsOwnMaterialAlone) {
  for (const char* name : {"m.obj", "N.OBJ"}) {
    const auto path = folder.path() / name;
    const auto files = texture_files(path);
    ASSERT_EQ(files.size(), 2u);
    const auto put = [](const std::filesystem::path& file) { std::ofstream(file) << "by hand"; };
    for (const auto& file : files) {
      put(file);
      const auto status = write_mesh(path, mesh, {0, 0, 1}, texture);
      ASSERT_FALSE(status.ok());
      EXPECT_NE(status.error().message.find(file.string()), std::string::npos) << status.error().message;
      EXPECT_EQ(bytes_of(file), "by hand");
      EXPECT_FALSE(std::filesystem::exists(path));
      std::filesystem::remove(file);
    }
    ASSERT_TRUE(write_mesh(path, mesh, {0, 0, 1}, texture));
    ASSERT_TRUE(write_mesh(path, mesh, {0, 0, 1}, texture)) << "anew";
    ASSERT_TRUE(write_mesh(path, tetrahedron()));  // without one, whose files stay
    ASSERT_TRUE(write_mesh(path, mesh, {0, 0, 1}, texture));
    put(files[1]);
    EXPECT_FALSE(write_mesh(path, mesh, {0, 0, 1}, texture).ok());
    EXPECT_EQ(bytes_of(files[1]), "by hand");
    EXPECT_TRUE(write_mesh(path, mesh, {0, 0, 1}, texture, 1, {.replace = true}).ok());
    EXPECT_TRUE(read_image(files[1]).ok());
  }
}

}  // namespace
}  // namespace io
