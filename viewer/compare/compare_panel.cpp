// The section of a panel: a photo to choose, its figures, and those of all photos.
#include "viewer/compare/compare_panel.h"

#include <algorithm>

#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kListLines = 12;

bool can_compare(const Workspace& work) {
  return work.compare.view >= 0 && work.received.has_photos() && (work.received.splats || work.received.live());
}

void request(Workspace& work, std::optional<int> view) {
  if (view) work.ask(WantComparison{*view});
}

void choose(Workspace& work, int view) {
  work.compare.view = view;
  work.received.comparison.reset();
  request(work, view);
}

void view_row(Workspace& work) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  const PhotoCamera& chosen = cameras[size_t(work.compare.view)];
  Row row("Photo", chosen.held_out ? "A photo that training never sees. Default the first"
                                   : "A photo that training knows. Default the first that it does not know");
  if (!ImGui::BeginCombo("##compared", chosen.name.c_str())) return;
  for (size_t i = 0; i < cameras.size(); ++i)
    if (ImGui::Selectable((cameras[i].name + (cameras[i].held_out ? "  (held out)" : "")).c_str(),
                          int(i) == work.compare.view))
      choose(work, int(i));
  ImGui::EndCombo();
}

// Measures the held-out photos; all of them if none is held out.
void measure_button(Workspace& work) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  std::vector<int> held_out, all;
  for (int i = 0; i < int(cameras.size()); ++i) {
    all.push_back(i);
    if (cameras[size_t(i)].held_out) held_out.push_back(i);
  }
  if (!work.compare.waiting.empty()) {
    if (button("Stop measuring", "What was measured stays")) work.compare.waiting.clear();
    ImGui::SameLine();
    return ImGui::TextDisabled("%zu left", work.compare.waiting.size());
  }
  EvenRow row(work.appearance, held_out.empty() ? 1 : 2);
  if (!held_out.empty() && row.button("Measure held out", "PSNR and SSIM of every photo that training never sees"))
    request(work, work.compare.measure(held_out));
  if (row.button("Measure all", "PSNR and SSIM of every photo, as the splats are now"))
    request(work, work.compare.measure(all));
}

void figure_cell(const MeasuredPhoto* measured, double value, const char* format) {
  ImGui::TableNextColumn();
  if (!measured || measured->failed) return ImGui::TextDisabled("-");
  ImGui::TextUnformatted(number_text(value, format).c_str());
  if (measured->iteration >= 0) tooltip(("At iteration " + count_text(uint64_t(measured->iteration))).c_str());
}

// Whether the photo is trained on, from the next run on.
void use_cell(Workspace& work, int view) {
  ImGui::TableNextColumn();
  const PhotoCamera& camera = work.received.cameras()[size_t(view)];
  if (camera.held_out) return ImGui::TextDisabled("-");
  bool used = !work.compare.left_out.contains(view);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  ImGui::BeginDisabled(work.received.training_active());
  if (checkbox("##use", &used, "Ticked: trained on. Without: left out when training goes on or begins anew"))
    used ? (void)work.compare.left_out.erase(view) : (void)work.compare.left_out.insert(view);
  note_place(("Use " + camera.name).c_str());
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
}

void train_on_button(Workspace& work) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  const size_t count = work.compare.left_out.size();
  if (!work.compare.leaves_out_others(cameras)) return;
  if (!work.received.continuation())
    return faint_text(work.appearance, work.received.training_active() ? "Left out once the run goes on."
                                                                       : "There is no run to go on with.");
  const std::string label =
      (count == 0 ? std::string("Train on with all photos")
                  : "Train on without " + count_text(count) + (count == 1 ? " photo" : " photos")) +
      "###train_on";
  const std::string tip = "Goes on from '" + work.received.continuation()->checkpoint.string() + "' to iteration " +
                          count_text(uint64_t(work.continue_to())) + ", as Continue does";
  if (main_button(work.appearance, label.c_str(), tip.c_str(), -1)) work.continue_run();
}

void table_rows(Workspace& work, PhotoOrder order, bool descending) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  const std::vector<int> views = ordered(work.compare, cameras, order, descending);
  ImGuiListClipper clipper;
  clipper.Begin(int(views.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const int view = views[size_t(i)];
      const auto found = work.compare.figures.find(view);
      const MeasuredPhoto* measured = found != work.compare.figures.end() ? &found->second : nullptr;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(view);
      const std::string& name = cameras[size_t(view)].name;
      if (ImGui::Selectable(elided(name, ImGui::GetContentRegionAvail().x).c_str(), view == work.compare.view,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap))
        choose(work, view);
      const PhotoCamera& camera = cameras[size_t(view)];
      tooltip((name + (camera.held_out ? " (held out)" : camera.left_out ? " (left out)" : " (trained on)")).c_str());
      figure_cell(measured, measured ? measured->psnr : 0, "%.2f");
      figure_cell(measured, measured ? measured->ssim : 0, "%.4f");
      use_cell(work, view);
      ImGui::PopID();
    }
}

void table(Workspace& work) {
  const float lines = std::min(float(work.received.cameras().size()) + 1.5f, kListLines);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("photos", 4, kFlags, {0, lines * ImGui::GetTextLineHeightWithSpacing()})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Photo", ImGuiTableColumnFlags_DefaultSort, 2.2f);
  ImGui::TableSetupColumn("PSNR, dB", 0, 1);
  ImGui::TableSetupColumn("SSIM", 0, 1);
  ImGui::TableSetupColumn("Use", ImGuiTableColumnFlags_NoSort, 0.5f);
  ImGui::TableHeadersRow();
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  const bool sorted = specs && specs->SpecsCount > 0;
  table_rows(work, sorted ? PhotoOrder(specs->Specs[0].ColumnIndex) : PhotoOrder::kName,
             sorted && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending);
  ImGui::EndTable();
}

}  // namespace

void set_compare_mode(Workspace& work, bool on) {
  work.compare.on = on && can_compare(work);
  if (work.compare.on && !work.received.comparison) request(work, work.compare.view);
}

void compare_next(Workspace& work, int by) {
  work.compare.step(by, int(work.received.cameras().size()));
  choose(work, work.compare.view);
}

void draw_comparison(Workspace& work, bool open) {
  if (work.compare.view < 0) return;
  const bool held_out = work.received.cameras()[size_t(work.compare.view)].held_out;
  if (!section(held_out ? "Held-out photo###compare" : "Photo and splats###compare", open)) return;
  view_row(work);
  ImGui::BeginDisabled(!can_compare(work));
  {
    EvenRow row(work.appearance, 2);
    if (row.button("Compare", "Photo and splats beside each other over the whole scene (K)", work.compare.on))
      set_compare_mode(work, !work.compare.on);
    if (row.button("Look from there", "Move the camera to this photo's place")) {
      work.compare.on = false;
      work.look.navigator.go_to_photo(work.compare.view);
    }
  }
  ImGui::EndDisabled();
  if (!can_compare(work)) return;
  measure_button(work);
  table(work);
  train_on_button(work);
}

}  // namespace viewer
