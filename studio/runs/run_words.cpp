#include "studio/runs/run_words.h"

#include <algorithm>
#include <ctime>

#include "studio/documents/training_choices.h"
#include "viewer/widgets/widgets.h"

namespace studio {

std::string state_text(const PastRun& run) {
  switch (run.state) {
    case PastRunState::kTrains:
      return "training now";
    case PastRunState::kStopped:
      return run.stopped ? "stopped at " + count_text(uint64_t(run.stopped->iteration)) + " of " +
                               count_text(uint64_t(run.stopped->iterations))
                         : "stopped";
    case PastRunState::kDone:
      return run.iterations ? "done, " + count_text(uint64_t(std::max(*run.iterations, 0))) + " iterations"
                            : "has results";
    case PastRunState::kNoResult:
      return "ended before its first result";
  }
  return "";
}

std::string short_state(const PastRun& run) {
  if (run.state == PastRunState::kDone) return "";
  if (!run.stopped) return run.state == PastRunState::kTrains ? "training now" : "no result";
  return "stopped at " + std::to_string(100LL * run.stopped->iteration / std::max(run.stopped->iterations, 1)) + " %";
}

const std::array<float, 4>& state_colour(const Appearance& look, const PastRun& run) {
  const Palette& colours = look.colours();
  switch (run.state) {
    case PastRunState::kTrains:
      return colours.accent;
    case PastRunState::kStopped:
      return colours.warning;
    case PastRunState::kDone:
      return colours.good;
    case PastRunState::kNoResult:
      return colours.faint;
  }
  return colours.faint;
}

std::string differences_text(const PastRun& run) {
  std::string text;
  for (const auto& [name, value] : run.differs)
    text += (text.empty() ? "" : ", ") + setting_label(name) + " " +
            (value.empty()      ? "-"
             : value == "true"  ? "yes"
             : value == "false" ? "no"
                                : value);
  return text;
}

std::string date_text(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm local{};
  char text[32] = "";
  if (localtime_r(&time, &local)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
  return text;
}

}  // namespace studio
