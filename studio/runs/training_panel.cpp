#include <algorithm>

#include "splat/core/counted.h"
#include "studio/documents/training_choices.h"
#include "studio/runs/feature.h"
#include "studio/runs/setting_words.h"
#include "studio/runs/training_rows.h"
#include "viewer/widgets/widgets.h"

namespace studio {

void RunsFeature::draw_training() {
  if (work.received.dataset && work.received.dataset->growing) {
    fact("Cameras found", count_text(work.received.dataset->cameras.size()));
    fact("Points", count_text(work.received.dataset->points.size()));
    return faint_text(work.appearance, work.received.progress.what.empty()
                                           ? "The search has ended before its end: open the photos again to go on."
                                           : "More are being found. Training can start when that is done.");
  }
  const TrainingState& training = work.received.training;
  if (!work.received.dataset && training.may_begin()) return draw_opened_run();
  if (training.may_begin()) {
    if (training.never_began()) coloured_text(work.appearance.colours().bad, as_sentence(training.sentence));
    draw_beginning();
    if (section("Settings", false)) draw_settings();
    if (button("All runs of this dataset...", "Those that were made of it: settings, figures and curves", -1))
      ask_history();
    return;
  }
  draw_run();
  if (!work.received.training_active() && work.received.dataset && section("Train again", false)) {
    draw_beginning();
    draw_settings();
  }
}

// What one came for, always in the same place: how good, how long, where to, and the start.
void RunsFeature::draw_beginning() {
  draw_dataset_line(work);
  draw_presets(work);
  draw_prediction();
  draw_output_row(work);
  draw_start_button();
  draw_refused(work);
  offer_blocks(work, prediction_);
}

void draw_refused(Workspace& work) {
  const auto& dataset = work.received.dataset;
  if (!dataset || dataset->refused.empty()) return;
  coloured_text(work.appearance.colours().bad, as_sentence(in_words(dataset->refused, training_settings())));
}

namespace {

void details(const OpenedDataset& dataset, const Appearance& look) {
  ImGui::SetNextWindowSize({std::min(30 * ImGui::GetFontSize(), ImGui::GetMainViewport()->Size.x), 0});
  if (!ImGui::BeginPopup("dataset")) return;
  for (const std::string& line : dataset.preflight) {
    const size_t end = line.find("  ");
    const size_t value = end == std::string::npos ? end : line.find_first_not_of(' ', end);
    if (value == std::string::npos)
      faint_text(look, as_sentence(line));
    else
      fact(as_sentence(line.substr(0, end)).c_str(), line.substr(value));
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_dataset_line(Workspace& work) {
  const auto counted = [](size_t count, const char* what) {
    return count_text(count) + " " + splat::noun(count, what);
  };
  const OpenedDataset& d = *work.received.dataset;
  const Palette& colours = work.appearance.colours();
  const size_t warnings = d.warnings.size();
  const std::string ready = !d.refused.empty() ? "Cannot start"
                            : warnings == 0    ? "Ready"
                                               : "Ready, " + counted(warnings, "warning");
  const std::string photos = ready + ": " + counted(d.cameras.size(), "photo"),
                    text = photos + ", " + counted(d.points.size(), "point");
  const float width = ImGui::CalcTextSize("Details").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, !d.refused.empty() ? packed(colours.bad)
                                       : warnings > 0     ? packed(colours.warning)
                                                          : ImGui::GetColorU32(ImGuiCol_Text));
  const float room = right - ImGui::GetCursorPosX() - ImGui::GetFontSize() / 2;
  const bool fits = ImGui::CalcTextSize(text.c_str()).x <= room;  // else the points are in the panel of the scene alone
  ImGui::TextUnformatted(words_within(fits ? text : photos, room).c_str());
  ImGui::PopStyleColor();
  tooltip(text.c_str());
  ImGui::SameLine(right);
  if (button("Details", "Cameras, photos, what is missing, and memory")) ImGui::OpenPopup("dataset");
  details(d, work.appearance);
}

}  // namespace studio
