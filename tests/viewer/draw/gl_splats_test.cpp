// The OpenGL renderer against the engine: the same splats from the same view must give the same picture.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "devices/registry.h"
#include "splat/bench/bench_scene.h"
#include "splat/edit/edited_model.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/near_scale.h"
#include "splat/model/transform.h"
#include "tests/support/shown_states.h"
#include "tests/support/synthetic_scene.h"
#include "tests/viewer/draw/hidden_gl_window.h"
#include "viewer/draw/depth_order.h"
#include "viewer/draw/splats_gl.h"
#include "viewer/live/draw_picture.h"
#include "viewer/live/model_variant.h"

namespace {

constexpr int kMostLevels = 2;  // of 255, in any channel: the promise

struct Target {  // an 8-bit target with the background in it
  Target(int width, int height, const std::array<float, 3>& background) : width(width), height(height) {
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(background[0], background[1], background[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  ~Target() {
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
  }
  std::vector<uint8_t> pixels() const {
    std::vector<uint8_t> rgba(size_t(width) * size_t(height) * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return rgba;
  }
  int width, height;
  GLuint texture = 0, framebuffer = 0;
};

class GlSplats : public test::HiddenGlWindow {
 protected:
  void SetUp() override {
    HiddenGlWindow::SetUp();
    if (!is_open()) return;
    const auto built = splats_.build();
    ASSERT_TRUE(built.ok()) << built.error().message;
  }
  void TearDown() override {
    splats_ = {};
    HiddenGlWindow::TearDown();
  }

  std::vector<uint8_t> draw(const splat::Gaussians& model, const splat::View& view,
                            const viewer::DisplaySettings& settings) {
    viewer::DepthScratch scratch;
    std::vector<uint32_t> order;
    viewer::sort_by_depth(viewer::centres_and_radii(model, pool_), view, pool_, scratch, order);
    return draw_in_order(model, view, settings, order);
  }

  std::vector<uint8_t> draw_in_order(const splat::Gaussians& model, const splat::View& view,
                                     const viewer::DisplaySettings& settings, std::span<const uint32_t> order) {
    const auto status = splats_.start_upload(std::make_unique<viewer::PackedSplats>(viewer::pack_splats(model, pool_)));
    EXPECT_TRUE(status.ok());
    while (!splats_.continue_upload(100'000)) {
    }
    splats_.set_order(order);
    return draw_again(view, settings);
  }

  std::vector<uint8_t> draw_again(const splat::View& view, const viewer::DisplaySettings& settings) {
    Target target(view.camera.width, view.camera.height, settings.background);
    splats_.draw(view, {.render = settings});
    return target.pixels();
  }

  viewer::SplatsGl splats_;
  splat::ThreadPool pool_;
};

splat::ImageF engine_image(splat::Gaussians model, const splat::View& view, const viewer::DisplaySettings& settings) {
  for (float& log_scale : model.log_scales) log_scale += std::log(settings.splat_scale);
  auto chosen = splat::make_backend("cpu", -1, 0);
  chosen->backend->upload(model);
  chosen->backend->forward(view, viewer::render_settings(settings));
  splat::ImageF image;
  chosen->backend->read_image(image);
  return image;
}

// Between the pictures as they are shown, 8 bits a channel: the largest difference in levels, and how many values
// differ by more than is allowed.
struct Difference {
  int largest = 0;
  size_t beyond = 0;
};
Difference compare(const std::vector<uint8_t>& rgba, const splat::ImageF& image) {
  Difference difference;
  const size_t pixels = size_t(image.width) * size_t(image.height);
  for (size_t p = 0; p < pixels; ++p)
    for (size_t c = 0; c < 3; ++c) {
      const long level = std::lround(255 * std::clamp(image.rgb[c * pixels + p], 0.0f, 1.0f));
      const int off = std::abs(int(rgba[4 * p + c]) - int(level));
      difference.largest = std::max(difference.largest, off);
      difference.beyond += off > kMostLevels;
    }
  return difference;
}

int largest_difference(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  EXPECT_EQ(a.size(), b.size());
  int largest = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (i % 4 != 3) largest = std::max(largest, std::abs(int(a[i]) - int(b[i])));
  return largest;
}

TEST_F(GlSplats, ColoursAreTheEnginesAtEveryDegree) {
  for (int degree = 0; degree <= 3; ++degree) {
    const auto scene = splat::test::make_scene(
        {.seed = uint64_t(5 + degree), .splats = 400, .width = 161, .height = 97, .sh_degree = degree, .max_px = 14});
    viewer::DisplaySettings settings;
    settings.background = {0.2f, 0.5f, 0.9f};
    const auto difference =
        compare(draw(scene.model, scene.view, settings), engine_image(scene.model, scene.view, settings));
    EXPECT_LE(difference.largest, kMostLevels) << "degree " << degree;
  }
}

TEST_F(GlSplats, DegreeScaleAndAntialiasingAreTheEngines) {
  const auto scene = splat::test::make_scene({.seed = 11, .splats = 500, .width = 131, .height = 90, .min_px = 0.1});
  for (int lower = 0; lower < 3; ++lower)
    for (const bool antialias : {false, true})
      for (const float scale : {0.4f, 1.0f, 1.7f}) {
        viewer::DisplaySettings settings;
        settings.sh_degree = lower;
        settings.filter.antialias = antialias;
        settings.splat_scale = scale;
        const auto difference =
            compare(draw(scene.model, scene.view, settings), engine_image(scene.model, scene.view, settings));
        EXPECT_LE(difference.largest, kMostLevels) << lower << " " << antialias << " " << scale;
      }
}

// Splats of programs that draw with another low pass, some far below a pixel and some thinner than that.
TEST_F(GlSplats, TheLowPassIsTheEngines) {
  for (const float low_pass : {0.0f, 0.1f, 1.0f})
    for (const bool antialias : {false, true}) {
      auto scene = splat::test::make_scene({.seed = 12, .splats = 600, .width = 131, .height = 90, .min_px = 0.02});
      for (size_t row = 0; row < 60; ++row) scene.model.log_scales[3 * row] = -30;
      viewer::DisplaySettings settings;
      settings.filter = {antialias, low_pass};
      const auto rgba = draw(scene.model, scene.view, settings);
      EXPECT_LE(compare(rgba, engine_image(scene.model, scene.view, settings)).largest, kMostLevels)
          << low_pass << " " << antialias;
      EXPECT_GT(largest_difference(rgba, draw_again(scene.view, {})), 10) << "of the usual one";
    }
}

// The modes that both draw by the same formulas (the others are drawings of their own in each), as the window shows
// them.
TEST_F(GlSplats, EveryDegreeAntialiasingBackgroundAndSharedModeIsTheEngines) {
  const std::array<float, 3> backgrounds[] = {{0, 0, 0}, {1, 1, 1}, {0.25f, 0.6f, 0.05f}};
  auto chosen = splat::make_backend("cpu", -1, 0);
  for (int degree = 0; degree <= splat::kMaxShDegree; ++degree) {
    const auto scene = splat::test::make_scene({.seed = uint64_t(31 + degree),
                                                .splats = 400,
                                                .width = 145,
                                                .height = 95,
                                                .sh_degree = degree,
                                                .min_px = 0.1,
                                                .max_px = 12});
    chosen->backend->upload(scene.model);
    for (const splat::View& view : {scene.view, splat::test::turned_view(scene.view, 0.2)})
      for (const bool antialias : {false, true})
        for (const auto& background : backgrounds)
          for (const auto mode : {viewer::RenderMode::kSplats, viewer::RenderMode::kOpacity}) {
            const viewer::DisplaySettings settings{
                .mode = mode, .sh_degree = degree, .filter = {antialias}, .background = background};
            const auto engine = viewer::draw_variant(*chosen->backend, {view, settings}, 1, {});
            EXPECT_LE(largest_difference(draw(scene.model, view, settings), engine.rgba), kMostLevels)
                << "degree " << degree << " antialias " << antialias << " background " << background[0] << " mode "
                << int(mode);
          }
  }
}

TEST_F(GlSplats, StatesOfRowsAreDrawnAsByTheEngine) {
  for (const int degree : {0, 3}) {
    const auto scene =
        splat::test::make_scene({.seed = 5, .splats = 300, .width = 120, .height = 80, .sh_degree = degree});
    std::vector<uint8_t> states(scene.model.size());
    constexpr uint8_t kInTurns[] = {0, splat::edit::kSelected, splat::edit::kHidden, splat::edit::kDeleted,
                                    splat::edit::kLocked};
    for (size_t row = 0; row < states.size(); ++row) states[row] = kInTurns[row % std::size(kInTurns)];
    viewer::DisplaySettings settings;
    const auto plain = draw(scene.model, scene.view, settings);
    std::vector<uint8_t> reasons(states.size() - 20);
    for (size_t row = 0; row < reasons.size(); ++row) reasons[row] = uint8_t(row / 5 % splat::math::kTints);
    const auto expect_drawn = [&](const viewer::ShownRows& rows, viewer::SelectionTint selection) {
      splat::Gaussians shown = scene.model;
      viewer::show_states(shown, rows, viewer::selection_tints(settings));
      settings.selection = selection;
      const auto rgba = draw_again(scene.view, settings);
      EXPECT_LE(compare(rgba, engine_image(shown, scene.view, settings)).largest, kMostLevels) << degree;
      EXPECT_GT(largest_difference(rgba, plain), 30);
    };
    splats_.set_rows({states, {}});
    expect_drawn({states, {}}, viewer::SelectionTint::kPlain);
    settings.selection_colour = {0.16f, 0.5f, 1};
    expect_drawn({states, {}}, viewer::SelectionTint::kPlain);
    splats_.set_rows({states, reasons});
    expect_drawn({states, {}}, viewer::SelectionTint::kPlain);
    expect_drawn({states, reasons}, viewer::SelectionTint::kByReason);
    std::vector<uint8_t> unselected = states;
    for (uint8_t& state : unselected) state &= uint8_t(~splat::edit::kSelected);
    expect_drawn({unselected, {}}, viewer::SelectionTint::kNone);
    splats_.set_rows({});
    EXPECT_EQ(draw_again(scene.view, settings), plain);
  }
}

// As the engine draws the rows where the move puts them: their ellipses and view-dependent colours turn along.
TEST_F(GlSplats, MovedRowsAreDrawnAsTheEngineDrawsThemThere) {
  splat::ThreadPool pool(1);
  const splat::Similarity by{1.2, splat::quat_about({1, 2, 3}, 50), {0.3, -0.2, 0.1}};
  enum class Moved { kSelected, kAll, kObject };
  for (const Moved which : {Moved::kSelected, Moved::kAll, Moved::kObject}) {
    const bool all = which == Moved::kAll;
    const auto scene = splat::test::make_scene({.seed = 8, .splats = 300, .width = 120, .height = 80, .sh_degree = 3});
    std::vector<uint8_t> states(scene.model.size());
    for (size_t row = 0; row < states.size(); ++row) states[row] = all || row % 3 ? 0 : splat::edit::kSelected;
    if (all) states[5] = splat::edit::kLocked;
    viewer::ShownMove move{by, all, 0};
    if (which == Moved::kObject) {
      move.object = 1;
      for (size_t row = 0; row < states.size(); row += 2) states[row] |= viewer::kMarked;
      states[4] |= splat::edit::kLocked;
    }
    const auto moves = [&](size_t row) {
      if (which == Moved::kObject) return row % 2 == 0 && row != 4;
      return all ? states[row] == 0 : states[row] != 0;
    };
    splat::Gaussians moved = scene.model;
    splat::transform(moved, by, pool);
    splat::Gaussians shown = scene.model;
    splat::visit_arrays(
        shown,
        [&](const char*, std::vector<float>& to, const std::vector<float>& from, size_t width) {
          for (size_t row = 0; row < states.size(); ++row)
            if (moves(row))
              std::copy_n(from.begin() + std::ptrdiff_t(row * width), width, to.begin() + std::ptrdiff_t(row * width));
        },
        moved);
    viewer::DepthScratch scratch;
    std::vector<uint32_t> order;
    viewer::sort_by_depth(viewer::centres_and_radii(shown, pool), scene.view, pool, scratch, order);
    viewer::DisplaySettings settings;
    settings.selection = viewer::SelectionTint::kPlain;
    draw_in_order(scene.model, scene.view, settings, order);
    splats_.set_rows({states, {}});
    Target target(scene.view.camera.width, scene.view.camera.height, settings.background);
    splats_.draw(scene.view, {.render = settings, .moved = move});
    viewer::show_states(shown, {states, {}});
    EXPECT_LE(compare(target.pixels(), engine_image(shown, scene.view, settings)).largest, kMostLevels) << int(which);
    splats_.set_rows({});
  }
}

TEST_F(GlSplats, BrokenRowsAreNotDrawn) {
  auto scene = splat::test::make_scene({.seed = 3, .splats = 200, .width = 120, .height = 80});
  splat::test::add_broken_rows(scene);
  const viewer::DisplaySettings settings;
  const auto difference =
      compare(draw(scene.model, scene.view, settings), engine_image(scene.model, scene.view, settings));
  EXPECT_LE(difference.largest, kMostLevels);
}

// Far to near by the exact depth.
std::vector<uint32_t> exact_order(const splat::Gaussians& model, const splat::View& view) {
  std::vector<double> depth(model.size());
  std::vector<uint32_t> order(model.size());
  for (size_t i = 0; i < model.size(); ++i) {
    depth[i] = (view.cam_from_world *
                std::array<double, 3>{model.means[3 * i], model.means[3 * i + 1], model.means[3 * i + 2]})[2];
    order[i] = uint32_t(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return depth[a] > depth[b]; });
  return order;
}

TEST_F(GlSplats, ADenseSceneLooksAsTheEngineDrawsIt) {
  const auto scene = splat::bench::make_scene({40'000, 400, 300});
  const viewer::DisplaySettings settings;
  const auto rgba = draw_in_order(scene.model, scene.view, settings, exact_order(scene.model, scene.view));
  EXPECT_LE(compare(rgba, engine_image(scene.model, scene.view, settings)).largest, kMostLevels);
}

// Where thousands of splats overlap, those whose 16-bit depth keys are equal may swap: one value in 500 at most.
TEST_F(GlSplats, TheSortersOrderChangesAlmostNothing) {
  const auto scene = splat::bench::make_scene({40'000, 400, 300});
  const viewer::DisplaySettings settings;
  const auto difference =
      compare(draw(scene.model, scene.view, settings), engine_image(scene.model, scene.view, settings));
  EXPECT_LE(difference.beyond, 400u * 300 * 3 / 500);
}

TEST_F(GlSplats, MemoryASplatKeepsWithinItsLimits) {
  for (const auto& [degree, limit] : {std::array{0, 64}, std::array{3, 160}}) {
    const auto scene = splat::test::make_scene({.splats = 1000, .sh_degree = degree});
    draw(scene.model, scene.view, {});
    EXPECT_LE(splats_.device_bytes(), size_t(limit) * 1000);
    EXPECT_GT(splats_.device_bytes(), 40u * 1000);
  }
}

TEST_F(GlSplats, DepthShowsNearBrighterThanFar) {
  splat::Gaussians two;
  two.resize(2);
  two.means = {-0.5f, 0, 2, 2.0f, 0, 8};
  two.log_scales = {-2, -2, -2, -0.6f, -0.6f, -0.6f};
  two.quats = {1, 0, 0, 0, 1, 0, 0, 0};
  two.logit_opacities = {8, 8};
  two.sh = {0, 0, 0, 0, 0, 0};
  splat::View view;
  view.camera = {80, 40, 80, 80, 40, 20};
  viewer::DisplaySettings settings;
  settings.mode = viewer::RenderMode::kDepth;
  const auto rgba = draw(two, view, settings);
  auto brightness = [&](int x, int y) {
    const uint8_t* p = &rgba[4 * (size_t(y) * 80 + size_t(x))];
    return p[0] + p[1] + p[2];
  };
  EXPECT_GT(brightness(20, 20), brightness(60, 20) + 60);
  EXPECT_EQ(brightness(40, 38), 0);
}

TEST_F(GlSplats, ASmallSceneIsDrawnAsALargeOne) {
  const auto scene = splat::test::make_scene({.seed = 5, .splats = 300, .width = 100, .height = 70});
  const auto large = draw(scene.model, scene.view, {});
  const splat::Gaussians small = splat::enlarged(scene.model, 0x1p-16);
  const splat::View view = splat::enlarged(scene.view, 0x1p-16);
  const float near_plane = float(splat::math::kNearPlane) * 0x1p-16f;
  viewer::DepthScratch scratch;
  std::vector<uint32_t> order;
  viewer::sort_by_depth(viewer::centres_and_radii(small, pool_), {view, near_plane}, pool_, scratch, order);
  draw_in_order(small, view, {}, order);
  Target target(100, 70, viewer::DisplaySettings().background);
  splats_.draw(view, {.render = {}, .near_plane = near_plane});
  const auto drawn = target.pixels();
  size_t differ = 0;
  for (size_t i = 0; i < large.size(); ++i) differ += std::abs(int(large[i]) - int(drawn[i])) > kMostLevels;
  EXPECT_LT(differ, large.size() / 200);
}

TEST_F(GlSplats, OpacityIsWhatTheBackgroundLoses) {
  const auto scene = splat::test::make_scene({.seed = 21, .splats = 300, .width = 100, .height = 70});
  viewer::DisplaySettings settings;
  settings.mode = viewer::RenderMode::kOpacity;
  const auto rgba = draw(scene.model, scene.view, settings);
  auto chosen = splat::make_backend("cpu", -1, 0);
  chosen->backend->upload(scene.model);
  chosen->backend->forward(scene.view, {});
  std::vector<float> transmittance;
  chosen->backend->read_transmittance(transmittance);
  for (size_t p = 0; p < transmittance.size(); ++p)
    ASSERT_NEAR(rgba[4 * p] / 255.0, 1 - transmittance[p], kMostLevels / 255.0) << p;
}

TEST_F(GlSplats, RowZeroIsTheTopOfThePicture) {
  splat::Gaussians one;
  one.resize(1);
  one.means = {0, -0.5f, 2};  // y down: above the middle
  one.log_scales = {-3, -3, -3};
  one.quats = {1, 0, 0, 0};
  one.logit_opacities = {8};
  one.sh = {1, 1, 1};
  splat::View view;
  view.camera = {40, 40, 40, 40, 20, 20};
  const auto rgba = draw(one, view, {});
  EXPECT_GT(rgba[4 * (10 * 40 + 20)], 100);
  EXPECT_EQ(rgba[4 * (30 * 40 + 20)], 0);
}

}  // namespace
