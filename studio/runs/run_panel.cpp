#include <algorithm>

#include "studio/runs/feature.h"
#include "viewer/widgets/plot.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

const char* status_word(const TrainingState& t) {
  switch (t.status) {
    case RunStatus::kPreparing:
      return "Preparing";
    case RunStatus::kRunning:
      return "Training";
    case RunStatus::kPaused:
      return "Paused";
    case RunStatus::kStopping:
      return t.iteration < t.iterations ? "Stopping" : "Writing the results";
    case RunStatus::kFinished:
      return "Finished";
    case RunStatus::kStopped:
      return "Stopped";
    case RunStatus::kFailed:
      return "Failed";
    default:
      return "";
  }
}

void progress(const Workspace& work) {
  const TrainingState& t = work.received.training;
  const Palette& colours = work.appearance.colours();
  const bool bad = t.status == RunStatus::kFailed, good = t.status == RunStatus::kFinished;
  coloured_text(bad                              ? colours.bad
                : good                           ? colours.good
                : t.status == RunStatus::kPaused ? colours.warning
                                                 : colours.accent,
                status_word(t));
  if (t.iterations > 0) {
    const std::string text = count_text(uint64_t(t.iteration)) + " of " + count_text(uint64_t(t.iterations));
    ImGui::ProgressBar(float(t.iteration) / float(t.iterations), {-1, 0}, text.c_str());
  }
  if (!t.sentence.empty()) bad ? coloured_text(colours.bad, t.sentence) : faint_text(work.appearance, t.sentence);
}

void figures(const Workspace& work) {
  const TrainingState& t = work.received.training;
  fact("Splats", count_text(t.splats));
  fact("Speed", number_text(t.iterations_per_second, "%.1f it/s"));
  fact("Time", duration_text(t.seconds) + (work.received.training_active() && t.seconds_left > 0
                                               ? ", " + duration_text(t.seconds_left) + " left"
                                               : ""));
  fact("PSNR",
       t.psnr ? number_text(*t.psnr, "%.2f dB") + (t.ssim ? ", SSIM " + number_text(*t.ssim, "%.4f") : "")
              : "not measured yet",
       "On the held-out photos only; higher is better");
  fact("Memory", bytes_text(t.memory_bytes) + " used, " + bytes_text(t.memory_available_bytes) + " free");
  fact("Device", t.backend + (t.device.empty() ? "" : ": " + t.device), t.reason.c_str());
  if (!t.output.empty()) fact("Results", t.output.filename().string(), t.output.c_str());
}

void plots(const Workspace& work) {
  std::vector<std::array<float, 2>> loss, psnr, splats;
  for (const splat::HistoryEntry& entry : work.received.training.history) {
    const float at = float(entry.iteration);
    loss.push_back({at, float(entry.loss)});
    splats.push_back({at, float(entry.splats)});
    if (entry.evaluated) psnr.push_back({at, float(entry.psnr)});
  }
  plot(work.appearance, {.id = "loss", .title = "Loss", .format = "%.4f", .from_zero = true}, loss);
  plot(work.appearance, {.id = "psnr", .title = "PSNR on held-out photos, dB", .format = "%.2f"}, psnr);
  plot(work.appearance, {.id = "splats", .title = "Splats", .format = "%.0f", .from_zero = true}, splats);
  plot(work.appearance, {.id = "speed", .title = "Iterations a second", .format = "%.1f", .from_zero = true},
       work.received.training.speed);
}

}  // namespace

void RunsFeature::run_buttons() {
  const RunStatus status = work.received.training.status;
  const float gap = ImGui::GetStyle().ItemSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  if (work.received.training_active()) {
    const bool paused = status == RunStatus::kPaused;
    ImGui::BeginDisabled(status != RunStatus::kRunning && !paused);
    if (paused) {
      if (main_button(work.appearance, "Go on", "Continue training (Space)", half)) work.ask(ResumeTraining{});
    } else if (button("Pause", "Pause training; nothing is lost (Space)", half)) {
      work.ask(PauseTraining{});
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(status == RunStatus::kStopping);
    if (button("Stop", "End this run: writes a checkpoint that can be resumed, and the current splats", half))
      work.ask(StopTraining{});
    ImGui::EndDisabled();
    ImGui::BeginDisabled(!work.received.live());
    if (button("Checkpoint", "Write a checkpoint now, to resume from later", half)) work.ask(SaveCheckpoint{});
    ImGui::EndDisabled();
    ImGui::SameLine();
  }
  draw_continue_button();
  ImGui::BeginDisabled(!work.received.has_splats());
  if (button("Save splats as...", "Write the splats as they are now to a file (Ctrl+S)",
             work.received.training_active() ? half : 0))
    work.ask_export();
  ImGui::EndDisabled();
}

// Buttons of a run that has ended.
void RunsFeature::result_buttons() {
  const TrainingState& t = work.received.training;
  if (work.received.training_active() || !t.continuation) return;
  EvenRow row(work.appearance, 2);
  if (row.button("Open report", "Figures, curves and held-out photos, in the browser"))
    open_outside(t.output / "report.html");
  if (row.button("Open folder", t.output.c_str())) open_outside(t.output);
}

void RunsFeature::draw_run() {
  if (section("Training")) {
    progress(work);
    run_buttons();
    result_buttons();
    figures(work);
  }
}

void RunsFeature::draw_curves() const {
  if (section("Curves")) plots(work);
}

}  // namespace viewer
