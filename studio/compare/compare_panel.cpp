// The section of a panel: a photo to choose, its figures, and those of all photos.
#include <algorithm>

#include "splat/core/counted.h"
#include "studio/compare/feature.h"

#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kListLines = 12;

void figure_cell(const MeasuredPhoto* measured, double value, const char* format) {
  ImGui::TableNextColumn();
  if (!measured || measured->failed) return ImGui::TextDisabled("-");
  ImGui::TextUnformatted(number_text(value, format).c_str());
  if (measured->iteration >= 0) tooltip(("At iteration " + count_text(uint64_t(measured->iteration))).c_str());
}

}  // namespace

void CompareFeature::view_row() {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  const PhotoCamera& chosen = cameras[size_t(mode_.view)];
  Row row("Photo", chosen.held_out ? "A photo that training never sees. Default the first"
                                   : "A photo that training knows. Default the first that it does not know");
  if (!ImGui::BeginCombo("##compared", chosen.name.c_str())) return;
  for (size_t i = 0; i < cameras.size(); ++i)
    if (ImGui::Selectable((cameras[i].name + (cameras[i].held_out ? "  (held out)" : "")).c_str(),
                          int(i) == mode_.view))
      choose(int(i));
  ImGui::EndCombo();
}

// Measures the held-out photos; all of them if none is held out.
void CompareFeature::measure_button() {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  std::vector<int> held_out, all;
  for (int i = 0; i < int(cameras.size()); ++i) {
    all.push_back(i);
    if (cameras[size_t(i)].held_out) held_out.push_back(i);
  }
  if (!mode_.waiting.empty()) {
    if (button("Stop measuring", "What was measured stays")) mode_.waiting.clear();
    ImGui::SameLine();
    return ImGui::TextDisabled("%zu left", mode_.waiting.size());
  }
  EvenRow row(work.appearance, held_out.empty() ? 1 : 2);
  if (!held_out.empty() && row.button("Measure held out", "PSNR and SSIM of every photo that training never sees"))
    request(mode_.measure(held_out));
  if (row.button("Measure all", "PSNR and SSIM of every photo, as the splats are now")) request(mode_.measure(all));
}

// Whether the photo is trained on, from the next run on.
void CompareFeature::use_cell(int view) {
  ImGui::TableNextColumn();
  const PhotoCamera& camera = work.received.cameras()[size_t(view)];
  if (camera.held_out) return ImGui::TextDisabled("-");
  bool used = !work.left_out.contains(view);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  ImGui::BeginDisabled(work.received.training_active());
  if (checkbox("##use", &used, "Ticked: trained on. Without: left out when training goes on or begins anew"))
    used ? (void)work.left_out.erase(view) : (void)work.left_out.insert(view);
  note_place(("Use " + camera.name).c_str());
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
}

void CompareFeature::train_on_button() {
  const size_t count = work.left_out.size();
  if (!work.leaves_out_others()) return;
  if (!work.received.continuation())
    return faint_text(work.appearance, work.received.training_active() ? "Left out once the run goes on."
                                                                       : "There is no run to go on with.");
  const std::string label = (count == 0 ? std::string("Train on with all photos")
                                        : "Train on without " + count_text(count) + " " + splat::noun(count, "photo")) +
                            "###train_on";
  const std::string tip = "Goes on from '" + work.received.continuation()->checkpoint.string() + "' to iteration " +
                          count_text(uint64_t(work.continue_to())) + ", as Continue does";
  if (main_button(work.appearance, label.c_str(), tip.c_str(), -1)) work.continue_run();
}

void CompareFeature::table_rows(PhotoOrder order, bool descending) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  const std::vector<int> views = ordered(mode_, cameras, order, descending);
  ImGuiListClipper clipper;
  clipper.Begin(int(views.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const int view = views[size_t(i)];
      const auto found = mode_.figures.find(view);
      const MeasuredPhoto* measured = found != mode_.figures.end() ? &found->second : nullptr;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(view);
      const std::string& name = cameras[size_t(view)].name;
      if (ImGui::Selectable(elided(name, ImGui::GetContentRegionAvail().x).c_str(), view == mode_.view,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap))
        choose(view);
      menu_of_item(work, photo_clicked(work, view));
      const PhotoCamera& camera = cameras[size_t(view)];
      tooltip((name + (camera.held_out ? " (held out)" : camera.left_out ? " (left out)" : " (trained on)")).c_str());
      figure_cell(measured, measured ? measured->psnr : 0, "%.2f");
      figure_cell(measured, measured ? measured->ssim : 0, "%.4f");
      use_cell(view);
      ImGui::PopID();
    }
}

void CompareFeature::table() {
  const float lines = std::min(float(work.received.cameras().size()) + 1.5f, kListLines);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("photos", 4, kFlags, {0, lines * ImGui::GetTextLineHeightWithSpacing()})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  // Names give way: they are elided, and the tooltip has them whole.
  ImGui::TableSetupColumn("Photo", ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("PSNR");
  ImGui::TableSetupColumn("SSIM");
  ImGui::TableSetupColumn("Use", ImGuiTableColumnFlags_NoSort);
  ImGui::TableHeadersRow();
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  const bool sorted = specs && specs->SpecsCount > 0;
  table_rows(sorted ? PhotoOrder(specs->Specs[0].ColumnIndex) : PhotoOrder::kName,
             sorted && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending);
  ImGui::EndTable();
}

void CompareFeature::draw_section(bool open) {
  if (mode_.view < 0) return;
  if (!section("Comparison", open)) return;
  view_row();
  ImGui::BeginDisabled(!can_compare());
  {
    EvenRow row(work.appearance, 2);
    if (row.button("Compare", "The photo and the splats beside each other over the whole scene (K)", mode_.on))
      set_on(!mode_.on);
    if (row.button("Look from there", "Move the camera to this photo's place")) {
      mode_.on = false;
      work.look.navigator.go_to_photo(mode_.view);
    }
  }
  ImGui::EndDisabled();
  if (!can_compare()) return;
  measure_button();
  table();
  train_on_button();
}

}  // namespace studio
