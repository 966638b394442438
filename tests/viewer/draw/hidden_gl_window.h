// Tests that draw with OpenGL by themselves: in the context of a window that nobody sees.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/support/virtual_display.h"
#include "viewer/shell/gl_window.h"

namespace test {

class HiddenGlWindow : public testing::Test {
 protected:
  // What it draws is built after, where it was not skipped.
  void SetUp() override {
    if (!display_.running()) GTEST_SKIP() << "there is no Xvfb here";
    viewer::GlWindowOptions options;
    options.visible = false;
    options.debug = true;
    auto window = viewer::GlWindow::open(options);
    ASSERT_TRUE(window.ok()) << window.error().message;
    window_ = std::move(*window);
  }
  bool is_open() const { return window_ != nullptr; }
  // After what was built has gone.
  void TearDown() override {
    if (!window_) return;
    EXPECT_EQ(window_->problems(), 0);
  }

 private:
  VirtualDisplay display_{640, 480};
  std::unique_ptr<viewer::GlWindow> window_;
};

}  // namespace test
