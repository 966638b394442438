// When the window draws its next frame: at once after input and while something moves, later where a frame would take
// the processor from a run or from the engine that draws, and otherwise when something happens. Main thread.
#pragma once

#include "studio/window/viewport.h"
#include "studio/window/workspace.h"
#include "viewer/shell/frame_clock.h"

namespace studio {

class FramePace {
 public:
  // screenshot: a hidden window, whose frames follow each other until its picture is complete.
  FramePace(const Workspace& work, const Viewport& viewport, bool screenshot)
      : work_(work), viewport_(viewport), screenshot_(screenshot) {}

  void touched();                                     // there is input, or something else that a few frames must follow
  void want_frames(int frames);                       // at least
  void wait_for_something();                          // handles events
  void begin();                                       // of all frames
  double begin_frame();                               // seconds since the last one began, for what moves: never many
  double frame_began() const { return last_frame_; }  // glfwGetTime()
  FrameTime end_frame();
  FrameClock& clock() { return clock_; }

  int drags = 0;  // buttons held that went down over the scene

 private:
  double seconds_to_spare() const;  // how long the next frame can wait in favour of the run
  double seconds_to_picture() const;

  static constexpr int kFramesAfterInput = 3;  // ImGui needs a moment to settle

  const Workspace& work_;
  const Viewport& viewport_;
  const bool screenshot_;
  FrameClock clock_;
  int frames_wanted_ = kFramesAfterInput;
  double last_frame_ = 0, touched_at_ = 0, busy_ms_ = 0;  // s, s; of the last frame
};

}  // namespace studio
