// A texture from photos of a painted globe shows the paint from everywhere.
#include "mesh/texture/bake.h"

#include <gtest/gtest.h>

#include "mesh/texture/atlas.h"
#include "mesh/texture/exposure.h"
#include "tests/mesh/texture/shapes.h"

namespace mesh {
namespace {

constexpr int kViews = 16, kSize = 160, kSide = 512;

struct Baked {
  TriangleMesh mesh;
  splat::Image8 texture;
};

std::vector<TextureView> views_around() {
  std::vector<TextureView> views;
  for (int i = 0; i < kViews; ++i) views.push_back({test::view_around(i, kViews, kSize), true});
  return views;
}

using Picture = std::function<splat::ImageF(size_t)>;

Baked bake(TriangleMesh mesh, const std::vector<TextureView>& views, const Picture& picture, bool level = false,
           int threads = 0) {
  splat::ThreadPool pool(threads);
  const auto at_vertices = find_best_views(mesh, views, 0.02f, pool);
  const auto atlas = lay_out(mesh, kSide, pool);
  EXPECT_TRUE(atlas.ok());
  std::vector<VertexViews> best;
  for (uint32_t v : atlas->origin) best.push_back(at_vertices[v]);
  std::vector<Vec3> exposures(views.size(), {1, 1, 1});
  if (level) exposures = level_exposures(mesh, best, views, picture, pool);
  splat::Image8 texture = bake_texture({mesh, best, views, exposures, kSide}, picture, pool);
  return {std::move(mesh), std::move(texture)};
}

// dB, of a view that was not among those baked from, where it sees the mesh.
double psnr_from_elsewhere(const Baked& baked, const TriangleMesh& truth) {
  double squared = 0, count = 0;
  for (int i = 0; i < 5; ++i) {
    const splat::View view = test::view_around(i, 5, kSize, 2.8);
    const MeshView seen = look_at(baked.mesh, view);
    const splat::ImageF ours = picture_of(baked.mesh, baked.texture, seen), theirs = test::photo_of(truth, view);
    for (size_t p = 0; p < seen.faces.size(); ++p)
      for (size_t c = 0; c < 3 && seen.faces[p] != kNoFace; ++c) {
        const double off = ours.rgb[c * seen.faces.size() + p] - theirs.rgb[c * seen.faces.size() + p];
        squared += off * off, ++count;
      }
  }
  return -10 * std::log10(squared / count);
}

TEST(Texture, ShowsThePhotosFromElsewhere) {
  const TriangleMesh mesh = test::globe();
  const auto views = views_around();
  const Baked baked = bake(mesh, views, [&](size_t i) { return test::photo_of(mesh, views[i].view); });
  EXPECT_GT(psnr_from_elsewhere(baked, mesh), 36);
}

TEST(Texture, ExposuresAreLevelled) {
  const TriangleMesh mesh = test::globe();
  const auto views = views_around();
  const Picture photo = [&](size_t i) {
    return test::photo_of(mesh, views[i].view, i % 3 == 0 ? 0.8f : i % 3 == 1 ? 1.0f : 1.1f);
  };
  const double as_they_are = psnr_from_elsewhere(bake(mesh, views, photo), mesh);
  const Baked levelled = bake(mesh, views, photo, true);
  EXPECT_GT(psnr_from_elsewhere(levelled, mesh), as_they_are + 4);
  EXPECT_GT(psnr_from_elsewhere(levelled, mesh), 28);  // as bright as the photos are on average
}

// A red ball before a green wall, in eight photos.
struct BallBeforeAWall {
  TriangleMesh scene = test::globe(24, 48);
  uint32_t first = 0;  // vertex of the wall, whose faces come last
  std::vector<TextureView> views;
  Picture photo;

  BallBeforeAWall() {
    for (Vec3& p : scene.positions) p = 0.3f * p;
    first = uint32_t(scene.positions.size());
    constexpr uint32_t kWall = 40;
    for (uint32_t y = 0; y <= kWall; ++y)
      for (uint32_t x = 0; x <= kWall; ++x) {
        scene.positions.push_back({2.4f * (float(x) / kWall - 0.5f), 2.4f * (float(y) / kWall - 0.5f), 0.8f});
        scene.normals.push_back({0, 0, -1});
      }
    for (uint32_t y = 0; y < kWall; ++y)
      for (uint32_t x = 0; x < kWall; ++x) {
        const uint32_t a = first + y * (kWall + 1) + x, b = a + 1, c = a + kWall + 1, d = c + 1;
        scene.faces.push_back({a, c, b});
        scene.faces.push_back({b, c, d});
      }
    for (int i = 0; i < 8; ++i) {
      splat::View view;
      view.camera = {200, 200, 110, 110, 100, 100};
      view.cam_from_world.translation = {2.1 - 0.6 * i, 0.2, 2.5};
      views.push_back({view, true});
    }
    photo = [this](size_t i) {
      const MeshView seen = look_at(scene, views[i].view);
      splat::ImageF image{200, 200, std::vector<float>(3 * 40000, 0)};
      for (size_t p = 0; p < 40000; ++p)
        if (seen.faces[p] != kNoFace) image.rgb[(scene.faces[seen.faces[p]][0] >= first ? 40000 : 0) + p] = 1;
      return image;
    };
  }
  TriangleMesh wall_alone() const {
    TriangleMesh wall;
    wall.positions.assign(scene.positions.begin() + first, scene.positions.end());
    wall.normals.assign(scene.normals.begin() + first, scene.normals.end());
    for (const Face& face : scene.faces)
      if (face[0] >= first) wall.faces.push_back({face[0] - first, face[1] - first, face[2] - first});
    return wall;
  }
  BallBeforeAWall(const BallBeforeAWall&) = delete;
  BallBeforeAWall& operator=(const BallBeforeAWall&) = delete;
};

size_t red_pixels_of_the_wall(const Baked& baked) {
  splat::View straight;  // onto the wall from behind the ball
  straight.camera = {100, 100, 100, 100, 50, 50};
  straight.cam_from_world.translation = {0, 0, -0.35};
  const MeshView seen = look_at(baked.mesh, straight);
  const splat::ImageF wall = picture_of(baked.mesh, baked.texture, seen);
  size_t red = 0;
  for (size_t p = 0; p < 10000; ++p) {
    EXPECT_NE(seen.faces[p], kNoFace);
    red += wall.rgb[p] >= 0.02f;
  }
  return red;
}

// What hides the wall in some photos must not be painted on it.
TEST(Texture, WhatIsHiddenIsNotPaintedOn) {
  const BallBeforeAWall ball;
  EXPECT_EQ(red_pixels_of_the_wall(bake(ball.scene, ball.views, ball.photo)), 0u);
}

// Nor what is left out of the mesh, where depth maps show it.
TEST(Texture, WhatIsNotInTheMeshHidesToo) {
  const BallBeforeAWall ball;
  const TriangleMesh wall = ball.wall_alone();
  EXPECT_GT(red_pixels_of_the_wall(bake(wall, ball.views, ball.photo)), 100u) << "nothing was in the way";
  std::vector<DepthMap> maps;
  for (const TextureView& view : ball.views) maps.push_back({view.view, look_at(ball.scene, view.view).depth});
  std::vector<TextureView> views = ball.views;
  for (size_t i = 0; i < views.size(); ++i) views[i].depth = &maps[i];
  EXPECT_EQ(red_pixels_of_the_wall(bake(wall, views, ball.photo)), 0u);
}

// Photos of one side only: the other takes what the splats look like, and photos win wherever they see.
TEST(Texture, SplatsFillInWhatNoPhotoSees) {
  const TriangleMesh mesh = test::globe();
  std::vector<TextureView> views = views_around();
  for (TextureView& view : views) view.photo = view.view.cam_from_world.origin_in_source()[0] > 0;
  const Picture picture = [&](size_t i) {
    splat::ImageF image = test::photo_of(mesh, views[i].view);
    if (!views[i].photo) std::fill(image.rgb.begin(), image.rgb.end(), 0.0f);  // the splats are black
    return image;
  };
  const Baked baked = bake(mesh, views, picture);
  size_t black_behind = 0, behind = 0;
  for (size_t v = 0; v < baked.mesh.positions.size(); ++v) {
    const Vec3& p = baked.mesh.positions[v];
    const size_t x = size_t(baked.mesh.uvs[v][0] * kSide), y = size_t(baked.mesh.uvs[v][1] * kSide);
    const uint8_t* texel = baked.texture.pixels.data() + 3 * (y * kSide + x);
    EXPECT_TRUE(p[0] <= 0.5f || texel[0] + texel[1] + texel[2] > 30) << p[0];
    if (p[0] < -0.95f) ++behind, black_behind += texel[0] + texel[1] + texel[2] == 0;
  }
  EXPECT_GT(behind, 20u);
  EXPECT_EQ(black_behind, behind);
}

// What no view sees at all has the colours of the vertices.
TEST(Texture, VerticesColourTheRest) {
  TriangleMesh mesh = test::globe();
  mesh.colours.assign(mesh.positions.size(), {0, 0, 1});
  const Baked baked = bake(mesh, {{test::view_around(0, 16, kSize), true}},
                           [&](size_t) { return test::photo_of(mesh, test::view_around(0, 16, kSize)); });
  for (size_t v = 0; v < baked.mesh.positions.size(); ++v) {
    if (baked.mesh.positions[v][1] > -0.5f) continue;
    const size_t x = size_t(baked.mesh.uvs[v][0] * kSide), y = size_t(baked.mesh.uvs[v][1] * kSide);
    const uint8_t* texel = baked.texture.pixels.data() + 3 * (y * kSide + x);
    EXPECT_EQ(int(texel[2]), 255);
    EXPECT_EQ(int(texel[0]), 0);
  }
}

TEST(Texture, DoesNotDependOnTheNumberOfThreads) {
  const TriangleMesh mesh = test::globe();
  const auto views = views_around();
  const Picture photo = [&](size_t i) { return test::photo_of(mesh, views[i].view, 1 - 0.02f * float(i)); };
  EXPECT_EQ(bake(mesh, views, photo, true, 1).texture.pixels, bake(mesh, views, photo, true, 3).texture.pixels);
}

}  // namespace
}  // namespace mesh
