#include "studio/window/run_progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "splat/core/counted.h"
#include "viewer/widgets/widgets.h"

namespace studio {

float run_share(const TrainingState& run) {
  return run.iterations > 0 ? std::clamp(float(run.iteration) / float(run.iterations), 0.0f, 1.0f) : 0;
}

std::string clock_text(double seconds) {
  const long whole = std::lround(std::max(seconds, 0.0)), hours = whole / 3600;
  char text[64];
  if (hours > 0)
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", hours, whole / 60 % 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

std::string speed_text(double milliseconds, int divisor, bool moves) {
  constexpr double kMostFrames = 60;  // that the window draws in a second
  std::string text;
  if (moves && milliseconds > 0) text = number_text(std::min(1000 / milliseconds, kMostFrames), "%.0f fps");
  if (divisor > 1) text += (text.empty() ? "preview 1/" : ", preview 1/") + std::to_string(divisor);
  return text;
}

std::string progress_line(const TrainingState& run) {
  if (!run.active()) return "";
  if (run.status == RunStatus::kPreparing) return "preparing";
  // Rounded down: 100 % is the end.
  std::string text = std::to_string(int(std::floor(100 * run_share(run)))) + " %";
  if (run.status == RunStatus::kPaused) {
    text += "   paused";
    if (run.kept >= 0) text += ", kept at " + count_text(uint64_t(run.kept));
  }
  if (run.status == RunStatus::kRunning && run.seconds_left > 0) text += "   " + clock_text(run.seconds_left) + " left";
  if (run.psnr) text += "   " + number_text(*run.psnr, "%.2f dB");
  return text + "   " + count_text(run.splats) + " " + splat::noun(run.splats, "splat");
}

}  // namespace studio
