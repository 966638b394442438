#include "studio/blocks/plan_dialog.h"

#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "studio/window/form.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr const char* kTitle = "Train in blocks";

std::string range_text(uint64_t least, uint64_t most) {
  return count_text(least) + (least == most ? "" : " to " + count_text(most));
}

std::string blocks_text(const BlocksForecast& forecast) {
  const std::string memory = ", of at most " + bytes_text(forecast.most_bytes) + " of memory";
  if (forecast.blocks == 1)
    return "One block of " + count_text(forecast.most_photos) + " photos" + memory + ": one run trains it as well";
  return "About " + count_text(forecast.blocks) + " blocks of " +
         range_text(forecast.least_photos, forecast.most_photos) + " photos" + memory + " each";
}

std::string iterations_text(const BlocksForecast& forecast) {
  return "The plan trains the whole coarsely, in " + count_text(uint64_t(forecast.scaffold_iterations)) +
         " iterations; then each block takes " +
         range_text(uint64_t(forecast.least_iterations), uint64_t(forecast.most_iterations));
}

// With the dialog's names in place of those of the command line.
std::string problem_text(std::string problem) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kWords{
      {{"--block-memory", "Memory a block"}, {" (-r 4)", ""}, {" (--max-splats)", ""}}};
  for (const auto& [option, words] : kWords)
    if (const size_t at = problem.find(option); at != std::string::npos) problem.replace(at, option.size(), words);
  return as_sentence(std::move(problem)) + ".";
}

}  // namespace

PlanDialog::PlanDialog(Workspace& shared) : work_(shared) {
  work_.bridge.reports.on<BlocksForecast>([this](BlocksForecast&& found) {
    if (!asks_ || found.choices != considered_.choices()) return;  // it is of what was chosen before
    if (choices_.training.output.empty()) choices_.training.output = found.place;
    found.choices.training.output = choices_.training.output;
    considered_.take(found.choices);
    forecast_ = std::move(found);
  });
}

bool PlanDialog::possible() const {
  const Received& received = work_.received;
  return received.dataset && !received.dataset->growing && !received.training_active();
}

void PlanDialog::ask() {
  asks_ = true;
  considered_.clear();
  if (!begun_.empty() && begun_ == work_.received.scene_path()) return;
  choices_.training = work_.choices;
  choices_.training.output.clear(), choices_.training.resume.clear();
}

void PlanDialog::rows() {
  {
    Row row("Results go to", "Folder for the plan, its blocks and the merged splats. Default: beside the dataset");
    const float room = ImGui::CalcTextSize("Choose...").x + 2 * ImGui::GetStyle().FramePadding.x;
    std::string text = choices_.training.output.string();
    ImGui::SetNextItemWidth(-room - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::InputText("##city", &text, ImGuiInputTextFlags_ElideLeft)) choices_.training.output = text;
    note_place("##city");
    tooltip(text.c_str());
    ImGui::SameLine();
    if (button("Choose...", "Choose the folder"))
      work_.ask_file(FileDialog::Kind::kResultsFolder, "Folder for the scene in blocks", "",
                     [this](const auto& path) { choices_.training.output = path; });
  }
  std::vector<OptionRow> fields;
  add_blocks_rows(fields, choices_.blocks);
  for (OptionRow& field : fields)
    if (!field.hint.empty() && forecast_ && forecast_->memory > 0) field.hint += ": " + size_text(forecast_->memory);
  draw_form(fields);
  {
    Row row("Iterations",
            "For each block. Default those of the training panel; automatic: 30 000, or 50 a photo, for the whole, of "
            "which each block has its photos' part");
    count_field("##block_iterations", &choices_.training.train.iterations, 10'000'000);
    note_place("##block_iterations");
  }
  checkbox("Hold out photos", &choices_.training.dataset.eval,
           "Every 8th photo is kept out of training, to measure the blocks. Default as in the training panel");
}

// As many lines whatever is known, so that the buttons stay where they are.
void PlanDialog::draw_forecast() {
  constexpr float kLines = 4.25f;
  ImGui::BeginChild("forecast", {0, kLines * ImGui::GetTextLineHeight()});
  if (!forecast_) {
    faint_text(work_.appearance, "Counting blocks and photos...");
  } else if (!forecast_->problem.empty()) {
    coloured_text(work_.appearance.colours().warning, problem_text(forecast_->problem));
  } else {
    ImGui::TextWrapped("%s.", blocks_text(*forecast_).c_str());
    faint_text(work_.appearance, iterations_text(*forecast_) + ".");
  }
  ImGui::EndChild();
}

// For the dialog's present choices.
void PlanDialog::want_forecast() {
  if (considered_.changes(choices_, work_.now)) forecast_.reset();
  if (considered_.due(work_.now)) work_.ask(WantBlocksForecast{choices_});
}

void PlanDialog::draw() {
  if (!begin_modal(kTitle, asks_ && !work_.dialogs.file.is_open(), 36)) return;
  if (work_.dialogs.file.is_open()) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  faint_text(work_.appearance,
             "For scenes that need more memory or time than one run has: each block is trained on its own, here one "
             "after another or on a cluster, and all are merged.");
  ImGui::Spacing();
  rows();
  ImGui::Spacing();
  want_forecast();
  draw_forecast();
  const bool has_place = !choices_.training.output.empty();
  ImGui::BeginDisabled(!has_place);
  const bool plan = main_button(work_.appearance, "Plan", "The window can be used meanwhile", 0) ||
                    (has_place && work_.dialogs.confirmed);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Back to the window (Escape)") || work_.dialogs.escaped;
  if (plan) {
    begun_ = work_.received.scene_path();
    work_.ask(PlanBlocks{choices_});
  }
  if (plan || cancel || !possible()) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace studio
