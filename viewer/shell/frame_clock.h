// How long a frame keeps the window's thread busy: wall time less the time in which the thread was ready to run while
// others had the processor (as the kernel counts it), so that a busy machine does not make the window look slow, and
// waiting for a lock, a file or another thread counts in full. OpenGL's drawing is kept apart from the window's own
// work: it holds all arithmetic where OpenGL is software, elsewhere the wait for the screen. Belongs to the thread that
// made it. Cost: two system calls an enter(), about 1 us.
#pragma once

namespace viewer {

struct FrameTime {
  double own_ms = 0;      // input, reports of the application, panels, uploads
  double drawing_ms = 0;  // in OpenGL's drawing calls and the exchange of buffers
  double delayed_ms = 0;  // ready to run while others had the processor; in neither of the two
  double busy_ms() const { return own_ms + drawing_ms; }
};

class FrameClock {
 public:
  enum class Part { kWaiting, kOwn, kDrawing };  // kWaiting is not counted

  FrameClock();
  ~FrameClock();
  FrameClock(const FrameClock&) = delete;
  FrameClock& operator=(const FrameClock&) = delete;

  void enter(Part part);  // what the thread does from now on; at first kWaiting
  FrameTime take();       // since the last call

 private:
  struct Reading {
    double wall_ms = 0, delayed_ms = 0;
  };
  Reading read() const;

  int kernel_file_ = -1;  // of the thread's run delay; -1: not known here, taken as 0
  Part part_ = Part::kWaiting;
  Reading entered_;
  FrameTime time_;
};

}  // namespace viewer
