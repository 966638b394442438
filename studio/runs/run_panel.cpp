#include <algorithm>

#include "studio/runs/feature.h"
#include "studio/runs/run_curves.h"
#include "studio/window/run_progress.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

std::string status_word(const TrainingState& t) {
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

// How far it is: one line, and a thin bar below it.
void progress(const Workspace& work) {
  const TrainingState& t = work.received.training;
  const Palette& colours = work.appearance.colours();
  const bool bad = t.status == RunStatus::kFailed, good = t.status == RunStatus::kFinished;
  const std::string reached =
      t.iterations > 0 ? ", " + count_text(uint64_t(t.iteration)) + " of " + count_text(uint64_t(t.iterations)) : "";
  coloured_text(bad                              ? colours.bad
                : good                           ? colours.good
                : t.status == RunStatus::kPaused ? colours.warning
                                                 : colours.accent,
                status_word(t) + reached);
  if (const std::string line = progress_line(t); !line.empty()) {
    ImGui::TextUnformatted(words_within(line, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::ProgressBar(run_share(t), {-1, 5 * work.appearance.scale}, "");
  }
  const std::string said = as_sentence(t.sentence);
  if (!said.empty()) bad ? coloured_text(colours.bad, said) : faint_text(work.appearance, said);
}

void figures(const Workspace& work) {
  const TrainingState& t = work.received.training;
  const bool active = work.received.training_active();
  draw_large_psnr(work.appearance, t.psnr, t.ssim, active ? "PSNR is not measured yet" : "PSNR was not measured");
  fact("Splats", count_text(t.splats));
  fact("Time", duration_text(t.seconds), "All that it was trained for, before it was continued too");
  fact("Speed", number_text(t.iterations_per_second, "%.1f it/s"));
  fact("Memory", bytes_text(t.memory_bytes) + " used, " + bytes_text(t.memory_available_bytes) + " free");
  fact("Device", t.device.empty() ? t.backend : t.device, t.reason.c_str());
  if (!t.output.empty()) fact("Results", t.output.filename().string(), t.output.c_str());
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
    } else if (button("Pause", "Pause training, and write a checkpoint (Space)", half)) {
      work.ask(PauseTraining{});
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(status == RunStatus::kStopping);
    if (button("Stop", "End this run: writes a checkpoint that can be resumed, and the current splats", half))
      work.ask(StopTraining{});
    ImGui::EndDisabled();
  }
  draw_continue_button();
  EvenRow row(work.appearance, work.received.training_active() ? 2 : 1);
  if (work.received.training_active()) {
    ImGui::BeginDisabled(!work.received.live());
    if (row.button("Checkpoint", "Write a checkpoint now, to resume from later")) work.ask(SaveCheckpoint{});
    ImGui::EndDisabled();
  }
  ImGui::BeginDisabled(!work.received.has_splats());
  if (row.button("Save splats as...", "Write the splats as they are now to a file (Ctrl+S)")) work.ask_export();
  ImGui::EndDisabled();
}

// Buttons of a run that has ended.
void RunsFeature::result_buttons() {
  const TrainingState& t = work.received.training;
  if (work.received.training_active() || !t.continuation) return;
  EvenRow row(work.appearance, 2);
  if (row.button("Open report", "Figures, curves and held-out photos, in the browser"))
    open_outside(work, t.output / "report.html");
  if (row.button("Open folder", t.output.c_str())) open_outside(work, t.output);
}

void RunsFeature::draw_run() {
  progress(work);
  run_buttons();
  result_buttons();
  figures(work);
}

void RunsFeature::draw_opened_run() {
  if (!opened_.run()) return draw_continue_button();
  opened_.draw_head();
  draw_continue_button();
  if (opened_.draw_buttons()) ask_history();
  opened_.draw_figures();
}

void RunsFeature::draw_curves() {
  if (!section("Curves")) return;
  const TrainingState& t = work.received.training;
  draw_run_curves(work.appearance,
                  work.received.shows_run() ? RunCurves{t.history, t.speed} : RunCurves{opened_.run()->history, {}},
                  hover_);
}

}  // namespace studio
