// The layers of the scene, each by itself: what is large reaches OpenGL in portions, what comes again costs nothing,
// and what is drawn is where it belongs.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "splat/bench/bench_scene.h"
#include "tests/viewer/draw/hidden_gl_window.h"
#include "viewer/draw/canvas.h"
#include "viewer/layers/engine_layer.h"
#include "viewer/layers/lines_layer.h"
#include "viewer/layers/mesh_layer.h"
#include "viewer/layers/photo_layer.h"
#include "viewer/layers/points_layer.h"
#include "viewer/layers/splats_layer.h"

namespace {

using Rgb = std::array<int, 3>;

constexpr int kWidth = 200, kHeight = 150;  // px
constexpr size_t kSplats = 100'000;         // two portions at their degree

// From the origin along z.
splat::View ahead() {
  splat::View view;
  view.camera = {kWidth, kHeight, 187.5f, 187.5f, kWidth / 2.0f, kHeight / 2.0f};
  return view;
}

splat::View aside() {
  splat::View view = ahead();
  view.cam_from_world.translation = {0.1, 0, 0};
  return view;
}

class GlLayers : public test::HiddenGlWindow {
 protected:
  void TearDown() override {
    canvas_ = {};
    HiddenGlWindow::TearDown();
  }

  void draw(viewer::Layer& layer, const splat::View& view) {
    canvas_.begin(kWidth, kHeight, {0, 0, 0});
    if (layer.drawn()) layer.draw(view);
    canvas_.end();
    picture_ = canvas_.read();
  }
  // Frames until there is nothing left to do.
  int frames_until_done(viewer::Layer& layer, const splat::View& view) {
    int frames = 0;
    do {
      ++frames;
      layer.update(view);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (layer.busy() && frames < 10'000);
    draw(layer, view);
    return frames;
  }
  Rgb at(int x, int y) const {
    const uint8_t* pixel = picture_.pixels.data() + 3 * (size_t(y) * kWidth + size_t(x));
    return {pixel[0], pixel[1], pixel[2]};
  }
  size_t lit_pixels() const {
    size_t count = 0;
    for (size_t i = 0; i < picture_.pixels.size(); i += 3) count += picture_.pixels[i] > 100;
    return count;
  }

  viewer::Canvas canvas_;
  splat::Image8 picture_;
};

TEST_F(GlLayers, AMillionPointsComeInPortions) {
  constexpr int kSide = 1000, kHalf = kSide / 2;
  splat::PointCloud points;
  for (int i = 0; i < kSide * kSide; ++i) {
    const int row = i / kSide;
    for (const float x : {float(i % kSide - kHalf), float(row - kHalf), float(kSide)}) points.xyz.push_back(x);
    points.rgb.insert(points.rgb.end(), 3, uint8_t(255));
  }
  viewer::PointsLayer layer;
  ASSERT_TRUE(layer.build());
  EXPECT_FALSE(layer.update(ahead()));
  layer.set(&points, 1);
  EXPECT_TRUE(layer.update(ahead()));
  EXPECT_TRUE(layer.busy()) << "not all of them at once";
  draw(layer, ahead());
  const size_t first = lit_pixels();
  EXPECT_GT(first, 0u) << "those that are there are seen";
  EXPECT_EQ(frames_until_done(layer, ahead()), 2);
  EXPECT_GT(lit_pixels(), first);
  layer.set(&points, 1);
  EXPECT_FALSE(layer.update(ahead())) << "the same again";
  layer.set(&points, 2);
  EXPECT_TRUE(layer.update(ahead()));
  EXPECT_TRUE(layer.busy()) << "another cloud";
  layer.set(nullptr, 2);
  EXPECT_FALSE(layer.update(ahead())) << "splats took their place on the way";
  EXPECT_FALSE(layer.busy());
}

class GlSplatsLayer : public GlLayers {
 protected:
  void SetUp() override {
    GlLayers::SetUp();
    if (!is_open()) return;
    ASSERT_TRUE(remake());
  }
  void TearDown() override {
    layer_.reset();
    GlLayers::TearDown();
  }
  bool remake() {
    layer_ = std::make_unique<viewer::SplatsLayer>(disposal_, [this] { ++wanted_; });
    return layer_->build().ok();
  }
  void give() { layer_->set(viewer::pack_splats(model_, pool_), viewer::centres_and_radii(model_, pool_)); }
  // The first splats take the place of later ones, and a few come at the end.
  viewer::ChangedRows some_changed() {
    viewer::ChangedRows changed;
    changed.rows = kSplats + 100;
    changed.runs = {{50'000, 51'000}, {uint32_t(kSplats), uint32_t(kSplats + 100)}};
    const splat::Gaussians others = splat::bench::make_scene({1100, kWidth, kHeight}).model;
    changed.packed = viewer::pack_splats(others, pool_);
    changed.centres_radii = viewer::centres_and_radii(others, pool_);
    return changed;
  }

  splat::bench::Scene scene_ = splat::bench::make_scene({kSplats, kWidth, kHeight});
  const splat::Gaussians& model_ = scene_.model;
  splat::View view_ = scene_.view;
  splat::ThreadPool pool_{1};
  viewer::Disposal disposal_;
  std::unique_ptr<viewer::SplatsLayer> layer_;
  int wanted_ = 0;
};

TEST_F(GlSplatsLayer, AsksForItsModelOnceItIsShown) {
  EXPECT_FALSE(layer_->update(view_));
  EXPECT_EQ(wanted_, 0);
  EXPECT_FALSE(layer_->busy());
  layer_->look.shown = true;
  layer_->update(view_);
  layer_->update(view_);
  EXPECT_EQ(wanted_, 1);
  EXPECT_TRUE(layer_->awaits_model());
  EXPECT_TRUE(layer_->busy());
  give();
  EXPECT_FALSE(layer_->awaits_model());
  layer_->update(view_);
  EXPECT_FALSE(layer_->complete()) << "a portion of it";
  frames_until_done(*layer_, view_);
  EXPECT_TRUE(layer_->complete());
  EXPECT_TRUE(layer_->settled());
  EXPECT_GT(lit_pixels(), 100u);
  EXPECT_FALSE(layer_->update(view_)) << "nothing new";
  layer_->clear();
  EXPECT_FALSE(layer_->complete());
  draw(*layer_, view_);
  EXPECT_EQ(lit_pixels(), 0u);
  layer_->update(view_);
  EXPECT_EQ(wanted_, 2) << "of the next model";
}

TEST_F(GlSplatsLayer, HiddenItHoldsTheModelForLater) {
  give();
  EXPECT_FALSE(layer_->update(view_));
  EXPECT_FALSE(layer_->busy());
  layer_->look.shown = true;
  frames_until_done(*layer_, view_);
  EXPECT_EQ(wanted_, 0);
  EXPECT_TRUE(layer_->complete());
}

TEST_F(GlSplatsLayer, ChangedRowsReachWhatItHoldsAndWhatOpenGlHas) {
  layer_->look.shown = true;
  give();
  frames_until_done(*layer_, view_);
  const splat::Image8 before = picture_;
  layer_->change(some_changed());
  EXPECT_TRUE(layer_->busy());
  frames_until_done(*layer_, view_);
  const splat::Image8 sent = picture_;
  EXPECT_NE(sent.pixels, before.pixels);
  ASSERT_TRUE(remake());
  give();
  layer_->change(some_changed());
  layer_->look.shown = true;
  frames_until_done(*layer_, view_);
  EXPECT_EQ(picture_.pixels, sent.pixels);
}

TEST_F(GlSplatsLayer, DeletedRowsGoWithTheStates) {
  layer_->look.shown = true;
  give();
  frames_until_done(*layer_, view_);
  const std::vector<uint8_t> states(kSplats, splat::edit::kDeleted);
  layer_->look.rows = {states, {}};
  layer_->look.rows_of = 1;
  EXPECT_TRUE(layer_->update(view_));
  draw(*layer_, view_);
  EXPECT_EQ(lit_pixels(), 0u);
  EXPECT_FALSE(layer_->update(view_)) << "the same again";
}

TEST_F(GlSplatsLayer, MovedRowsAreElsewhere) {
  layer_->look.shown = true;
  give();
  frames_until_done(*layer_, view_);
  const std::vector<uint8_t> states(kSplats, splat::edit::kSelected);
  layer_->look.rows = {states, {}};
  layer_->look.rows_of = 1;
  layer_->look.moved.by.translation = {1000, 0, 0};
  frames_until_done(*layer_, view_);
  EXPECT_EQ(lit_pixels(), 0u) << "out of sight";
}

TEST_F(GlSplatsLayer, SaysWhyOpenGlCannotDrawThem) {
  viewer::PackedSplats too_many;
  too_many.count = size_t(1) << 40;
  layer_->look.shown = true;
  layer_->set(std::move(too_many), {});
  layer_->update(view_);
  EXPECT_FALSE(layer_->problem.empty());
  EXPECT_FALSE(layer_->complete());
  EXPECT_FALSE(layer_->busy()) << "no more comes";
}

TEST_F(GlLayers, TheEngineIsAskedOnceForAView) {
  viewer::EngineLayer::Requests requests;
  viewer::EngineLayer layer(requests);
  ASSERT_TRUE(layer.build());
  layer.update(ahead());
  EXPECT_FALSE(requests.take()) << "it is not shown";
  EXPECT_TRUE(layer.settled());
  layer.look.shown = true;
  layer.update(ahead());
  const auto asked = requests.take();
  ASSERT_TRUE(asked && *asked);
  layer.update(ahead());
  EXPECT_FALSE(requests.take());
  EXPECT_FALSE(layer.drawn());
  viewer::EngineImage image;
  image.width = kWidth / 2, image.height = kHeight / 2, image.divisor = 2;
  image.request = **asked;
  for (int i = 0; i < image.width * image.height; ++i) image.rgba.insert(image.rgba.end(), {200, 100, 50, 255});
  layer.set(image);
  EXPECT_FALSE(layer.settled()) << "coarse";
  EXPECT_EQ(layer.newest().divisor, 2);
  image.divisor = 1;
  layer.set(image);
  EXPECT_TRUE(layer.settled());
  EXPECT_EQ(layer.pictures(), 2u);
  draw(layer, ahead());
  EXPECT_EQ(at(100, 75), (Rgb{200, 100, 50}));
  layer.update(aside());
  EXPECT_FALSE(layer.settled()) << "of another view";
  EXPECT_TRUE(requests.take().value_or(std::nullopt));
  layer.look.shown = false;
  layer.update(aside());
  const auto nothing = requests.take();
  EXPECT_TRUE(nothing && !*nothing);
  layer.clear();
  layer.look.shown = true;
  EXPECT_FALSE(layer.drawn()) << "it was of another model";
  EXPECT_EQ(layer.newest().divisor, 1);
}

TEST_F(GlLayers, TheGridLiesBelowTheSceneAndIsMadeOnce) {
  viewer::GridLayer layer;
  ASSERT_TRUE(layer.build());
  viewer::Bounds bounds;
  bounds.low = {-1, -1, 2}, bounds.high = {1, 1, 4};
  const viewer::Vec3 up{0, 0, -1};  // its ground faces the camera, at z = 4
  layer.lie_below({}, up, 1, {1, 1, 1, 1});
  EXPECT_FALSE(layer.update(ahead())) << "below nothing";
  layer.lie_below(bounds, up, 1, {1, 1, 1, 1});
  EXPECT_TRUE(layer.update(ahead()));
  draw(layer, ahead());
  const size_t lit = lit_pixels();
  EXPECT_GT(lit, 500u);
  const int step = int(187.5 / 4);  // px
  EXPECT_GT(at(kWidth / 2 - step / 2, kHeight / 2)[0] + at(kWidth / 2 - step / 2, kHeight / 2 - 1)[0], 150);
  layer.lie_below(bounds, up, 1, {1, 1, 1, 1});
  EXPECT_FALSE(layer.update(ahead())) << "the same again";
  layer.fade = 0.25f;
  draw(layer, ahead());
  EXPECT_LT(lit_pixels(), lit / 10) << "over an engine's picture it is faint";
  layer.lie_below(bounds, up, 0.5, {1, 1, 1, 1});
  EXPECT_TRUE(layer.update(ahead()));
  layer.fade = 1;
  draw(layer, ahead());
  EXPECT_GT(lit_pixels(), lit);
  EXPECT_EQ(layer.pass(), viewer::Pass::kOver);
  layer.under = true;
  EXPECT_EQ(layer.pass(), viewer::Pass::kUnder);
  layer.shown = false;
  EXPECT_FALSE(layer.drawn());
}

TEST_F(GlLayers, CamerasAreMadeAnewWhenTheyChange) {
  viewer::CamerasLayer layer;
  ASSERT_TRUE(layer.build());
  std::vector<viewer::PhotoCamera> cameras(1);
  cameras[0].view.camera = {64, 48, 60, 60, 32, 24};
  cameras[0].view.cam_from_world.translation = {0, 0, -3};  // it stands before the viewer
  const auto look = [](uint64_t of, int current) {
    return viewer::CamerasLayer::Look{of, 1, current, {{{1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}}}};
  };
  layer.set(cameras, look(1, -1));
  EXPECT_TRUE(layer.update(ahead()));
  draw(layer, ahead());
  EXPECT_GT(lit_pixels(), 50u);
  layer.set(cameras, look(1, -1));
  EXPECT_FALSE(layer.update(ahead()));
  cameras[0].held_out = true;
  layer.set(cameras, look(2, -1));
  EXPECT_TRUE(layer.update(ahead()));
  draw(layer, ahead());
  EXPECT_EQ(lit_pixels(), 0u) << "green";
  layer.set(cameras, look(2, 0));
  EXPECT_TRUE(layer.update(ahead()));
  draw(layer, ahead());
  EXPECT_GT(lit_pixels(), 50u) << "the one that is looked from";
  layer.nearest = 5;
  draw(layer, ahead());
  EXPECT_EQ(lit_pixels(), 0u) << "too near";
}

TEST_F(GlLayers, APhotoLiesWhereItsCameraSees) {
  viewer::PictureTexture white;
  white.set({4, 3, 3, std::vector<uint8_t>(36, 255)});
  viewer::PhotoLayer layer;
  ASSERT_TRUE(layer.build());
  EXPECT_FALSE(layer.drawn());
  layer.look = {white.texture(), {40, 30, 75, 75, 20, 15}, 0.5f};  // 100 x 75 px of the view's
  const auto place = viewer::photo_place(layer.look.camera, ahead());
  EXPECT_EQ(place, (std::array<double, 4>{50, 37.5, 100, 75}));
  draw(layer, ahead());
  EXPECT_NEAR(at(100, 75)[0], 128, 1);
  EXPECT_NEAR(at(52, 40)[0], 128, 1);
  EXPECT_EQ(at(48, 75), (Rgb{0, 0, 0})) << "beside it";
  EXPECT_EQ(at(100, 35), (Rgb{0, 0, 0})) << "above it";
  viewer::BackdropLayer backdrop;  // over all of the viewport again
  ASSERT_TRUE(backdrop.build());
  EXPECT_FALSE(backdrop.drawn());
  backdrop.shown = true;
  draw(backdrop, ahead());
  EXPECT_GT(at(1, 1)[2], at(1, kHeight - 2)[2] + 40) << "brighter above";
}

TEST_F(GlLayers, AMeshCoversTheSceneWhereItIsShownAlone) {
  viewer::Disposal disposal;
  viewer::MeshLayer layer(disposal);
  ASSERT_TRUE(layer.build());
  EXPECT_FALSE(layer.update(ahead()));
  auto mesh = std::make_unique<viewer::PackedMesh>();
  for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {0.0f, 1.0f}}) {
    viewer::MeshVertex vertex;
    vertex.position = {x, y, 2}, vertex.normal = {0, 0, -1}, vertex.rgba = {200, 100, 0, 255};
    mesh->vertices.push_back(vertex);
  }
  mesh->indices = {0, 1, 2};
  layer.set(std::move(mesh));
  EXPECT_TRUE(layer.update(ahead()));
  frames_until_done(layer, ahead());
  EXPECT_EQ(at(100, 75), (Rgb{200, 100, 0}));
  EXPECT_TRUE(layer.covers());
  layer.look.weight = 0.5f;
  EXPECT_FALSE(layer.covers());
  layer.look.alone = true;
  EXPECT_TRUE(layer.covers());
  layer.look.shown = false;
  EXPECT_FALSE(layer.covers());
  layer.set(nullptr);
  EXPECT_TRUE(layer.update(ahead()));
  layer.look.shown = true;
  EXPECT_FALSE(layer.drawn());
}

}  // namespace
