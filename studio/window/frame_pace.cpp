#include "studio/window/frame_pace.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <thread>

namespace studio {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;  // at least, also where nothing limits it
constexpr double kIdleSeconds = 0.25;       // between looks when nothing moves: dialogs of other programs
constexpr double kMostSeconds = 0.1;        // that a frame lets the camera move for

}  // namespace

void FramePace::touched() {
  clock_.enter(FrameClock::Part::kOwn);
  frames_wanted_ = kFramesAfterInput;
  touched_at_ = glfwGetTime();
}

void FramePace::want_frames(int frames) { frames_wanted_ = std::max(frames_wanted_, frames); }

// Where OpenGL draws on the processors that train, what is new of the run is shown less often: frames take kNewsShare
// of the processors, unless somebody moves something.
double FramePace::seconds_to_spare() const {
  constexpr double kNewsShare = 0.02, kAfterInput = 0.5, kLongest = 0.5;  // s, both
  const RunStatus status = work_.received.training.status;
  const double now = glfwGetTime();
  if (!work_.program.software_gl || screenshot_ || (status != RunStatus::kRunning && status != RunStatus::kStopping) ||
      work_.look.navigator.moving() || work_.plays || now - touched_at_ < kAfterInput)
    return 0;
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  return last_frame_ + std::min(busy_ms_ * 1e-3 / (kNewsShare * processors), kLongest) - now;
}

// Likewise while the engine draws a view that moves, and while something is opened and nobody moves anything: a frame
// without a new picture of the scene takes the processor from the next one.
double FramePace::seconds_to_picture() const {
  constexpr double kMoving = 1.0 / 25, kOpening = 0.2, kAfterInput = 0.5;  // s; the first two: for what else there is
  if (!work_.program.software_gl || screenshot_ || work_.received.training_active() || work_.dialogs.closing ||
      work_.bridge.reports.waits<EngineImage>() || work_.bridge.reports.waits<OpenedSplats>() ||
      work_.bridge.reports.waits<OpenedDataset>())
    return 0;
  const double now = glfwGetTime();
  if (work_.received.splats && work_.uses_engine() && (drags > 0 || work_.plays || work_.look.navigator.moving()))
    return last_frame_ + kMoving - now;
  const bool opening = !work_.received.progress.what.empty() && now - touched_at_ >= kAfterInput;
  return opening ? last_frame_ + kOpening - now : 0;
}

void FramePace::wait_for_something() {
  clock_.enter(FrameClock::Part::kWaiting);  // until there is input
  for (double wait = seconds_to_spare(); wait > 0.001; wait = seconds_to_spare()) glfwWaitEventsTimeout(wait);
  for (double wait = seconds_to_picture(); wait > 0.001; wait = seconds_to_picture()) glfwWaitEventsTimeout(wait);
  clock_.enter(FrameClock::Part::kWaiting);
  const bool moving =
      frames_wanted_ > 0 || work_.plays || work_.look.navigator.moving() || viewport_.busy() || screenshot_;
  const bool changing = !work_.received.progress.what.empty() || work_.dialogs.closing;
  const double spare = last_frame_ + kFrameSeconds - glfwGetTime();
  if (!moving)
    glfwWaitEventsTimeout(changing ? 0.05 : kIdleSeconds);
  else if (spare > 0.001)
    glfwWaitEventsTimeout(spare);
  else
    glfwPollEvents();
  clock_.enter(FrameClock::Part::kOwn);
}

void FramePace::begin() { last_frame_ = glfwGetTime(); }

double FramePace::begin_frame() {
  const double before = last_frame_;
  last_frame_ = glfwGetTime();
  if (frames_wanted_ > 0) --frames_wanted_;
  return std::min(last_frame_ - before, kMostSeconds);
}

FrameTime FramePace::end_frame() {
  const FrameTime time = clock_.take();
  busy_ms_ = time.busy_ms();
  return time;
}

}  // namespace studio
