// Meshes by OpenGL: the colours, what hides what, and how they are laid over what is there.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/viewer/draw/hidden_gl_window.h"
#include "viewer/draw/canvas.h"
#include "viewer/draw/mesh_gl.h"

namespace {

using viewer::MeshSurface, viewer::MeshVertex, viewer::PackedMesh;
using Rgb = std::array<int, 3>;

constexpr int kSize = 100;  // px

// From the origin along z, 90 degrees wide: what is at depth z shows [-z, z].
splat::View ahead() {
  splat::View view;
  view.camera = {kSize, kSize, kSize / 2.0f, kSize / 2.0f, kSize / 2.0f, kSize / 2.0f};
  return view;
}

// A square at depth z of half the side `half`, facing the camera or away.
void add_square(PackedMesh& mesh, float z, float half, const std::array<uint8_t, 4>& rgba, bool away = false) {
  const auto first = uint32_t(mesh.vertices.size());
  for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}}) {
    MeshVertex vertex;
    vertex.position = {x * half, y * half, z};
    vertex.normal = {0, 0, away ? 1.0f : -1.0f};
    vertex.uv = {(x + 1) / 2, (y + 1) / 2};
    vertex.rgba = rgba;
    mesh.vertices.push_back(vertex);
  }
  for (const uint32_t corner : {0, 1, 2, 0, 2, 3}) mesh.indices.push_back(first + corner);
}

// Red in its top left quarter, else green.
splat::Image8 quartered() {
  splat::Image8 image{64, 64, 3, {}};
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      for (const int c : x < 32 && y < 32 ? Rgb{255, 0, 0} : Rgb{0, 255, 0}) image.pixels.push_back(uint8_t(c));
  return image;
}

class GlMesh : public test::HiddenGlWindow {
 protected:
  void SetUp() override {
    HiddenGlWindow::SetUp();
    if (!is_open()) return;
    const auto built = mesh_.build();
    ASSERT_TRUE(built.ok()) << built.error().message;
  }
  void TearDown() override {
    mesh_ = {}, canvas_ = {};
    HiddenGlWindow::TearDown();
  }

  // Over blue.
  void draw(PackedMesh mesh, MeshSurface surface, float weight = 1) {
    ASSERT_TRUE(mesh_.start_upload(std::make_unique<PackedMesh>(std::move(mesh))));
    EXPECT_TRUE(mesh_.empty());
    int portions = 1;
    while (!mesh_.continue_upload(100)) ++portions;
    EXPECT_GT(portions, 1);
    EXPECT_NE(mesh_.take_uploaded(), nullptr);
    canvas_.begin(kSize, kSize, {0, 0, 1});
    mesh_.draw(ahead(), surface, weight);
    canvas_.end();
    picture_ = canvas_.read();
  }
  Rgb at(int x, int y) const {
    const uint8_t* pixel = picture_.pixels.data() + 3 * (y * kSize + x);
    return {pixel[0], pixel[1], pixel[2]};
  }

  viewer::MeshGl mesh_;
  viewer::Canvas canvas_;
  splat::Image8 picture_;
};

TEST_F(GlMesh, ShowsItsTextureTheRightWayUp) {
  PackedMesh mesh;
  add_square(mesh, 1, 0.5f, {9, 9, 9, 255});
  mesh.texture = quartered();
  draw(mesh, MeshSurface::kTextured);
  EXPECT_EQ(at(30, 30), (Rgb{255, 0, 0}));
  EXPECT_EQ(at(70, 30), (Rgb{0, 255, 0}));
  EXPECT_EQ(at(30, 70), (Rgb{0, 255, 0}));
  EXPECT_EQ(at(10, 50), (Rgb{0, 0, 255})) << "beside it";
}

TEST_F(GlMesh, NearFacesHideFarOnesInAnyOrder) {
  for (const bool near_first : {false, true}) {
    PackedMesh mesh;
    if (near_first) add_square(mesh, 1, 0.2f, {250, 0, 0, 255});
    add_square(mesh, 2, 1.5f, {0, 250, 0, 255});
    if (!near_first) add_square(mesh, 1, 0.2f, {250, 0, 0, 255});
    draw(mesh, MeshSurface::kTextured);
    EXPECT_EQ(at(50, 50), (Rgb{250, 0, 0}));
    EXPECT_EQ(at(20, 50), (Rgb{0, 250, 0}));
  }
}

TEST_F(GlMesh, IsLaidOverWithItsWeight) {
  PackedMesh mesh;
  add_square(mesh, 1, 0.5f, {200, 100, 0, 255});
  draw(mesh, MeshSurface::kTextured, 0.25f);
  const Rgb mixed = at(50, 50);
  EXPECT_NEAR(mixed[0], 50, 2);
  EXPECT_NEAR(mixed[1], 25, 2);
  EXPECT_NEAR(mixed[2], 191, 2);
  EXPECT_EQ(at(10, 50), (Rgb{0, 0, 255})) << "nothing of it there";
  draw(mesh, MeshSurface::kTextured, 0);
  EXPECT_EQ(at(50, 50), (Rgb{0, 0, 255}));
}

TEST_F(GlMesh, IsLitFromTheCameraAndRedFromInside) {
  PackedMesh mesh;
  add_square(mesh, 1, 0.9f, {0, 0, 0, 255});
  draw(mesh, MeshSurface::kShaded);
  const Rgb middle = at(50, 50), edge = at(8, 50);
  EXPECT_GT(middle[0], 190);
  EXPECT_NEAR(middle[0], middle[1], 10) << "clay, whatever its own colour";
  EXPECT_LT(edge[0], middle[0] - 20) << "seen at an angle";
  mesh = {};
  add_square(mesh, 1, 0.9f, {0, 0, 0, 255}, true);
  draw(mesh, MeshSurface::kShaded);
  EXPECT_GT(at(50, 50)[0], at(50, 50)[2] + 40);
}

TEST_F(GlMesh, WiresHideWhatLiesBehind) {
  PackedMesh mesh;
  add_square(mesh, 1, 0.5f, {0, 0, 0, 255});
  add_square(mesh, 2, 0.4f, {0, 0, 0, 255});  // wholly behind
  draw(mesh, MeshSurface::kWireframe);
  size_t bright = 0, dark = 0;
  for (int y = 28; y < 72; ++y)
    for (int x = 28; x < 72; ++x) {
      bright += at(x, y)[1] > 150;
      dark += at(x, y)[1] < 60;
    }
  EXPECT_EQ(bright + dark, 44u * 44u);
  EXPECT_GT(bright, 30u) << "the diagonal";
  EXPECT_LT(bright, 150u) << "and none of the square behind";
}

TEST_F(GlMesh, ATextureThatTheDriverCannotHoldIsLeftOut) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  PackedMesh mesh;
  add_square(mesh, 1, 0.5f, {200, 100, 0, 255});
  mesh.texture = {largest + 1, 1, 3, std::vector<uint8_t>(size_t(largest + 1) * 3, 255)};
  const auto status = mesh_.start_upload(std::make_unique<PackedMesh>(std::move(mesh)));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find(std::to_string(largest)), std::string::npos);
  while (!mesh_.continue_upload(1000)) {
  }
  canvas_.begin(kSize, kSize, {0, 0, 1});
  mesh_.draw(ahead(), MeshSurface::kTextured, 1);
  canvas_.end();
  picture_ = canvas_.read();
  EXPECT_EQ(at(50, 50), (Rgb{200, 100, 0})) << "the colours of its vertices";
}

}  // namespace
