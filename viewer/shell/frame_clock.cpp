#include "viewer/shell/frame_clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace viewer {
namespace {

// "RUN DELAY SLICES": ns on the processor, ns ready to run but not on it, how often.
double second_number(const char* text) {
  char* end = nullptr;
  std::strtoull(text, &end, 10);
  return double(std::strtoull(end, nullptr, 10));
}

}  // namespace

FrameClock::FrameClock() : kernel_file_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)), entered_(read()) {}

FrameClock::~FrameClock() {
  if (kernel_file_ >= 0) close(kernel_file_);
}

FrameClock::Reading FrameClock::read() const {
  Reading now;
  char text[96];
  const ssize_t bytes = kernel_file_ >= 0 ? pread(kernel_file_, text, sizeof text - 1, 0) : 0;
  if (bytes > 0) {
    text[bytes] = '\0';
    now.delayed_ms = second_number(text) * 1e-6;
  }
  now.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  return now;
}

void FrameClock::enter(Part part) {
  const Reading now = read();
  if (part_ != Part::kWaiting) {
    const double delayed = now.delayed_ms - entered_.delayed_ms;
    const double busy = std::max(0.0, now.wall_ms - entered_.wall_ms - delayed);
    (part_ == Part::kOwn ? time_.own_ms : time_.drawing_ms) += busy;
    time_.delayed_ms += delayed;
  }
  part_ = part;
  entered_ = now;
}

FrameTime FrameClock::take() {
  enter(part_);
  const FrameTime taken = time_;
  time_ = {};
  return taken;
}

}  // namespace viewer
