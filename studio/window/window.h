// The window: all its parts, frame by frame. It waits for input or reports when nothing moves, and never for the
// application's work.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "splat/core/result.h"
#include "splat/model/image.h"
#include "studio/bridge.h"
#include "viewer/shell/frame_clock.h"

namespace studio {

struct WindowOptions {
  int width = 0, height = 0;  // screen coordinates; 0: as remembered
  std::string settings;       // text of WindowSettings, as saved the last time
  std::string version;
  std::filesystem::path demo;  // a dataset; empty: none
  bool opening = false;        // the application is opening a path already

  // Asked several times a second; once it is true the window closes as by "Save and close".
  std::function<bool()> interrupted;
  // Called by a thread of its own when the connection to the display broke, once the application has answered Quit: it
  // ends the process. Without it the process ends with EXIT_FAILURE then.
  std::function<void()> display_lost;

  // One picture of the whole window, then the window closes: after `screenshot_after` seconds, or (< 0) once the
  // picture is complete. The window stays hidden.
  bool screenshot = false;
  double screenshot_after = -1;  // s

  bool debug = false;                             // count OpenGL's errors
  std::function<void(const std::string&)> trace;  // one line for each change; for tests
};

struct WindowResult {
  std::string settings;                     // to be saved
  std::optional<splat::Image8> screenshot;  // RGB
  std::string error;                        // that the screenshot shows; empty: none
  FrameTime longest_own, longest_busy;      // frames: by their own work, and with OpenGL's drawing
  int opengl_problems = 0;
};

class Window {
 public:
  // From here on the reports of `bridge` wake it. An error: no display, or no OpenGL 3.3.
  static splat::Result<std::unique_ptr<Window>> open(const WindowOptions& options, Bridge& bridge);
  ~Window();

  splat::Result<WindowResult> run();  // until it is closed and the application has answered Quit

 private:
  class Impl;
  explicit Window(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace studio
