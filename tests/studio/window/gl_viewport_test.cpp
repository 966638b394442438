// The scene's part of the window: what is large reaches OpenGL in portions, so that no frame waits for all of it.
#include "studio/window/viewport.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "splat/bench/bench_scene.h"
#include "studio/documents/opened_model.h"
#include "tests/support/virtual_display.h"
#include "viewer/shell/gl_window.h"

namespace {

constexpr int kWidth = 200, kHeight = 150;  // px

class GlViewport : public testing::Test {
 protected:
  void SetUp() override {
    if (!display_.running()) GTEST_SKIP() << "there is no Xvfb here";
    viewer::GlWindowOptions options;
    options.visible = false, options.debug = true;
    auto window = viewer::GlWindow::open(options);
    ASSERT_TRUE(window.ok()) << window.error().message;
    window_ = std::move(*window);
  }

  // Frames until there is nothing left to do.
  static int frames_until_done(studio::Viewport& viewport) {
    int frames = 0;
    do {
      ++frames;
      if (viewport.update(kWidth, kHeight)) viewport.draw();
    } while (viewport.busy() && frames < 100'000);
    return frames;
  }

  test::VirtualDisplay display_{320, 240};
  std::unique_ptr<viewer::GlWindow> window_;
  studio::Bridge state_;
};

TEST_F(GlViewport, SplatsInThePlaceOfPointsOnTheirWay) {
  const splat::Gaussians model = splat::bench::make_scene({2000, kWidth, kHeight}).model;
  splat::ThreadPool pool(1);
  studio::OpenedDataset photos;
  photos.points.xyz.assign(size_t(3) * 1'000'000, 1.0f);
  photos.points.rgb.assign(size_t(3) * 1'000'000, 255);
  photos.bounds = viewer::robust_bounds(model.means);
  studio::OpenedSplats splats;
  studio::describe_model(model, pool, splats);
  splats.packed = studio::pack_model(model, pool);
  studio::Workspace work(state_);
  work.settings.renderer = studio::RendererChoice::kOpenGl;
  studio::Viewport viewport(work);
  ASSERT_TRUE(viewport.build().ok());
  state_.reports.put(std::move(photos));
  work.receive();
  if (viewport.update(kWidth, kHeight)) viewport.draw();
  EXPECT_TRUE(viewport.busy());
  EXPECT_FALSE(viewport.shows_splats());
  state_.reports.put(std::move(splats));
  work.receive();
  frames_until_done(viewport);
  EXPECT_TRUE(viewport.shows_splats());
  EXPECT_TRUE(viewport.settled());
  EXPECT_EQ(window_->problems(), 0);
}

TEST_F(GlViewport, TheEngineDrawsWhatOpenGlCannot) {
  studio::OpenedSplats splats;
  splats.rows = splats.packed.splats.count = size_t(1) << 40;
  studio::Workspace work(state_);
  work.settings.renderer = studio::RendererChoice::kOpenGl;
  studio::Viewport viewport(work);
  ASSERT_TRUE(viewport.build().ok());
  state_.reports.put(std::move(splats));
  work.receive();
  viewport.update(kWidth, kHeight);
  EXPECT_EQ(work.settings.renderer, studio::RendererChoice::kEngine);
  ASSERT_EQ(work.received.log.size(), 1u);
  EXPECT_EQ(work.received.log[0].kind, studio::NoticeKind::kWarning);
  EXPECT_TRUE(state_.view.take().value_or(std::nullopt)) << "it is asked at once";
  EXPECT_FALSE(viewport.settled());
}

}  // namespace
