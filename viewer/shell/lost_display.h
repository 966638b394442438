// When the connection to the display breaks (its server has ended or was killed), Xlib ends the process at once, and
// GLFW on Wayland asks a window to close that nobody sees any more. Here the process gets the time to save instead.
#pragma once

#include <functional>

namespace viewer {

// From construction to destruction, of which there is one at a time, on the thread that made the window.
class LostDisplay {
 public:
  // rescue: called once, on a thread of its own, after which the process is to end; the window's thread stays where it
  // is. Nothing may be asked of GLFW or OpenGL by then: lost() says so on every thread.
  explicit LostDisplay(std::function<void()> rescue);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;

  static bool lost();
  void check();  // on the window's thread, now and then: does not return where a Wayland compositor is gone
};

}  // namespace viewer
