// Over the scene, at the end of a run: what it came to, where that is, and what comes next.
#include <imgui/imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "studio/model/messages.h"
#include "studio/runs/feature.h"
#include "studio/runs/run_curves.h"
#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr int kPictureWidth = 288, kPictureHeight = 180;  // px

// The action of that name, as a button that is grey where it is not possible.
void step_button(EvenRow& row, const std::vector<Action>& all, const char* name, const char* label, const char* tip) {
  const auto action = std::find_if(all.begin(), all.end(), [&](const Action& one) { return one.name == name; });
  const bool possible = action != all.end() && action->possible;
  ImGui::BeginDisabled(!possible);
  if (row.button(label, tip) && possible) action->run();
  ImGui::EndDisabled();
}

void next_steps(Workspace& work) {
  const std::vector<Action> all = window_actions(work);
  EvenRow row(work.appearance, 4);
  step_button(row, all, "Edit splats", "Edit###notice_edit", "Select and delete, crop, clean up (Ctrl+E)");
  step_button(row, all, "Make a film", "Film...###notice_film",
              "A flight past the photos, or along your own camera path");
  step_button(row, all, "Share as a web page", "Share...###notice_share", "One file that every browser shows");
  step_button(row, all, "Make a mesh", "Mesh...###notice_mesh",
              "A surface of triangles, for other programs and for printing");
}

void draw_picture(PictureTexture& picture, float scale) {
  if (picture.empty()) return;
  ImGui::Image(texture_id(picture.texture()), {scale * kPictureWidth, scale * kPictureHeight});
  ImGui::SameLine();
}

}  // namespace

// Nothing of one that was left for another scene.
void RunsFeature::note_end() {
  const TrainingState& t = work.received.training;
  if (t.status != RunStatus::kFinished && t.status != RunStatus::kStopped && t.status != RunStatus::kFailed) return;
  const std::string title = t.status == RunStatus::kFinished  ? "Training has finished"
                            : t.status == RunStatus::kStopped ? "Training was stopped"
                                                              : "Training has failed";
  const bool good = t.status != RunStatus::kFailed, trained = good && t.iteration > 0;
  const std::string figures = count_text(t.splats) + " splats, " + duration_text(t.seconds);
  const std::string text = trained ? figures : t.sentence;
  if (!work.in_front && work.program.attended)
    work.notifier.show(title + ": " + scene_name(work.received.scene_path()),
                       (trained && t.psnr ? number_text(*t.psnr, "PSNR %.2f dB, ") : "") + text);
  if (!good) return;  // a failure has its own dialog
  notice_ = Notice{title, text, trained ? t.output : "", trained ? t.psnr : std::nullopt, t.ssim};
  work.received.result_picture.clear();
  if (trained)
    work.ask(WantBookmarkPicture{kResultPicture,
                                 {work.look.navigator.view(kPictureWidth, kPictureHeight), work.look.display}});
}

void RunsFeature::draw_notice() {
  if (std::exchange(work.run_ended, false)) note_end();
  if (!notice_ || work.hide_panels) return;
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, notices_end(work)}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(40 * ImGui::GetFontSize(), size.x * 0.9f), 0});
  bool read = false;
  if (ImGui::Begin("##run_notice", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav)) {
    const bool output = !notice_->output.empty(), high = size.y > 32 * ImGui::GetFontSize();
    if (output && high) draw_picture(work.received.result_picture, work.appearance.scale);
    ImGui::BeginGroup();
    coloured_text(work.appearance.colours().good, notice_->title);
    if (output) draw_large_psnr(work.appearance, notice_->psnr, notice_->ssim, "PSNR was not measured");
    faint_text(work.appearance, notice_->text);
    ImGui::EndGroup();
    if (output) next_steps(work);
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

}  // namespace studio
