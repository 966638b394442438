// Over the scene, at the end of a run: what it came to, and where that is.
#include <imgui/imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "studio/runs/feature.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

// Nothing of one that was left for another scene.
void RunsFeature::note_end() {
  const TrainingState& t = work.received.training;
  if (t.status != RunStatus::kFinished && t.status != RunStatus::kStopped && t.status != RunStatus::kFailed) return;
  const std::string title = t.status == RunStatus::kFinished  ? "Training has finished"
                            : t.status == RunStatus::kStopped ? "Training was stopped"
                                                              : "Training has failed";
  const bool good = t.status != RunStatus::kFailed, trained = good && t.iteration > 0;
  const std::string figures = (t.psnr ? number_text(*t.psnr, "PSNR %.2f dB, ") : "") + count_text(t.splats) +
                              " splats, " + duration_text(t.seconds);
  const std::string text = trained ? figures : t.sentence;
  if (!work.in_front && work.program.attended)
    work.notifier.show(title + ": " + scene_name(work.received.scene_path()), text);
  if (good) notice_ = Notice{title + ": " + text, trained ? t.output : ""};  // a failure has its own dialog
}

void RunsFeature::draw_notice() {
  if (std::exchange(work.run_ended, false)) note_end();
  if (!notice_ || work.hide_panels) return;
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, size.y - 2 * ImGui::GetFrameHeight()}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(34 * ImGui::GetFontSize(), size.x * 0.9f), 0});
  bool read = false;
  if (ImGui::Begin("##run_notice", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav)) {
    coloured_text(work.appearance.colours().good, notice_->text);
    const bool output = !notice_->output.empty();
    EvenRow row(work.appearance, output ? 4 : 2);
    if (output && row.button("Report###notice_report", "Figures, curves and held-out photos, in the browser"))
      open_outside(work, notice_->output / "report.html");
    if (output && row.button("Folder###notice_folder", notice_->output.c_str())) open_outside(work, notice_->output);
    if (row.button("All runs###notice_runs", "This run beside the others of the dataset")) ask_history();
    read = row.button("Close###notice_close", "It stays in the training panel");
  }
  ImGui::End();
  if (read) notice_.reset();
}

}  // namespace viewer
