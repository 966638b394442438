// A window of the desktop with an OpenGL 3.3 core context that is current on the calling thread. Nothing of GLFW or
// OpenGL is touched before open(): a machine without a display runs everything else. One at a time, main thread.
#pragma once

#include <memory>
#include <string>

#include "splat/core/result.h"
#include "viewer/shell/area.h"

struct GLFWwindow;

namespace viewer {

struct GlWindowOptions {
  int width = 1280, height = 800;  // screen coordinates
  bool fits = false;               // less where the screen is smaller
  std::string title = "hipsplat";
  bool visible = true;
  bool debug = false;  // OpenGL's messages are counted and logged
};

class GlWindow {
 public:
  // An error is one sentence: no display, or no OpenGL 3.3.
  static splat::Result<std::unique_ptr<GlWindow>> open(const GlWindowOptions& options);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  void toggle_full_screen();  // on the screen, nothing but the window; or where it was on the desktop
  bool full_screen() const { return windowed_.width > 0; }

  GLFWwindow* handle() const { return window_; }
  const std::string& renderer() const { return renderer_; }  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  const std::string& version() const { return version_; }    // "3.3 (Core Profile) Mesa 22.3.6"
  bool software() const { return software_; }                // OpenGL runs on the processor
  int problems() const { return problems_; }                 // errors that OpenGL reported (only with debug)

 private:
  GlWindow() = default;
  GLFWwindow* window_ = nullptr;
  std::string renderer_, version_;
  bool software_ = false;
  int problems_ = 0;
  Area windowed_;  // screen coordinates, before it filled the screen; without a width: it does not
};

}  // namespace viewer
