// A window with the runs of the dataset, or all: their states and figures, in what they differ, and their curves over
// each other.
#include <imgui/imgui.h>
// Needs the one above.
#include <implot/implot.h>

#include <algorithm>
#include <string>
#include <vector>

#include "studio/runs/run_list.h"
#include "studio/runs/run_words.h"
#include "studio/window/clicked.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kRunsWidthEms = 64, kRunsHeightEms = 40;
constexpr uint64_t kMostPictured = 2'000'000;  // splats
constexpr size_t kMostPictures = 50;           // the newest
constexpr float kMostRunLines = 5;             // of the table, before it scrolls

enum RunColumn { kRunName, kRunPsnr, kRunSsim, kRunSplats, kRunIterations, kRunTime, kRunDiffers, kRunOpen };

double sort_key(const PastRun& run, int column) {
  switch (column) {
    case kRunPsnr:
      return run.psnr.value_or(-1);
    case kRunSsim:
      return run.ssim.value_or(-1);
    case kRunSplats:
      return double(run.splats);
    case kRunIterations:
      return run.iterations.value_or(-1);
    case kRunTime:
      return run.seconds;
    default:
      return double(run.written);
  }
}

std::vector<size_t> sorted_runs(const RunHistory& history) {
  std::vector<size_t> order(history.runs.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return order;
  const int column = specs->Specs[0].ColumnIndex;
  const bool down = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const double x = sort_key(history.runs[a], column), y = sort_key(history.runs[b], column);
    return down ? x > y : x < y;
  });
  return order;
}

ImVec4 colour_of(const std::array<float, 4>& c) { return {c[0], c[1], c[2], c[3]}; }

ImVec4 run_colour(size_t index) { return ImPlot::GetColormapColor(int(index)); }

void run_cell(const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(text.empty() ? "-" : text.c_str());
}

// (iteration, value) of what is drawn; `which`: PSNR, loss or splats.
void curve_of(const PastRun& run, int which, std::vector<double>& x, std::vector<double>& y) {
  x.clear(), y.clear();
  for (const splat::HistoryEntry& entry : run.history) {
    if (which == 0 && !entry.evaluated) continue;
    x.push_back(entry.iteration);
    y.push_back(which == 0 ? entry.psnr : which == 1 ? entry.loss : double(entry.splats));
  }
}

}  // namespace

// In a box of its own, so that names stand below each other.
void RunList::run_picture(const std::string& folder) {
  const float side = 2.2f * ImGui::GetTextLineHeightWithSpacing();
  const auto found = work_.received.recent_pictures.find(folder);
  if (found != work_.received.recent_pictures.end()) {
    PictureTexture& picture = found->second;
    const float scale = side / float(std::max(picture.width(), picture.height()));
    const ImVec2 size{scale * float(picture.width()), scale * float(picture.height())},
        low = ImGui::GetCursorScreenPos();
    const ImVec2 from{low.x + (side - size.x) / 2, low.y + (side - size.y) / 2};
    ImGui::GetWindowDrawList()->AddImage(texture_id(picture.texture()), from, {from.x + size.x, from.y + size.y});
  }
  ImGui::Dummy({side, side});
  ImGui::SameLine();
}

// Pictures are asked for anew: what was opened meanwhile has ended those that were on their way.
void RunList::open(bool of_all) {
  is_open = true, all = of_all;
  pictures_wanted_.clear();
}

// Those of runs that have left something, while the processor has nothing better to do.
void RunList::want_pictures(const RunHistory& history) {
  if (work_.received.training_active()) return;
  std::vector<std::filesystem::path> folders;
  for (const PastRun& run : history.runs)
    if (!run.file.empty() && run.splats <= kMostPictured && folders.size() < kMostPictures)
      folders.push_back(run.folder);
  if (folders == pictures_wanted_) return;
  pictures_wanted_ = folders;
  work_.ask(WantRecentPictures{std::move(folders)});
}

void RunList::draw_row(const PastRun& run, size_t index) {
  std::set<std::string>& hidden = hidden_;
  const std::string folder = run.folder.string(), name = run.folder.filename().string();
  ImGui::PushID(folder.c_str());  // runs of different datasets may have the same name
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  bool shown = !hidden.contains(folder);
  ImGui::PushStyleColor(ImGuiCol_CheckMark, run_colour(index));
  checkbox(("##shown " + name).c_str(), &shown, "Show its curve");
  if (shown)
    hidden.erase(folder);
  else
    hidden.insert(folder);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  run_picture(folder);
  ImGui::BeginGroup();
  ImGui::TextUnformatted(elided(name, ImGui::GetContentRegionAvail().x).c_str());
  const ImVec4 colour = colour_of(state_colour(work_.appearance, run));
  ImGui::TextColored(colour, "%s", elided(as_sentence(state_text(run)), ImGui::GetContentRegionAvail().x).c_str());
  ImGui::EndGroup();
  menu_of_item(work_, {Thing::kRun, -1, name, folder});
  note_place(("run " + name).c_str());
  tooltip((folder + "\n" + date_text(run.written)).c_str());
  run_cell(run.psnr ? number_text(*run.psnr, "%.2f") : "");
  run_cell(run.ssim ? number_text(*run.ssim, "%.4f") : "");
  run_cell(run.iterations ? count_text(run.splats) : "");
  run_cell(run.iterations ? count_text(uint64_t(std::max(*run.iterations, 0))) : "");
  run_cell(run.iterations ? duration_text(run.seconds) : "");
  ImGui::TableNextColumn();
  if (all) {
    ImGui::TextUnformatted(elided(run.dataset.filename().string(), ImGui::GetContentRegionAvail().x).c_str());
    tooltip(run.dataset.c_str());
  }
  const std::string differs = differences_text(run);
  ImGui::TextUnformatted(words_within(differs, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(differs.empty() ? nullptr : differs.c_str());
  ImGui::TableNextColumn();
  ImGui::BeginDisabled(run.file.empty());
  if (button(("Open##" + name).c_str(), run.file.empty() ? "It has left no splats" : run.file.c_str())) {
    is_open = false;
    work_.open(run.file);
  }
  ImGui::EndDisabled();
  ImGui::PopID();
}

void RunList::draw_table(const RunHistory& history) {
  const float lines = std::min(float(history.runs.size()), kMostRunLines);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingStretchProp |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("runs", 8, kFlags,
                         {0, lines * 2.2f * ImGui::GetTextLineHeightWithSpacing() + 2 * ImGui::GetFrameHeight()}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Run", ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_PreferSortDescending, 5);
  for (const char* name : {"PSNR, dB", "SSIM", "Splats", "Iterations", "Time"})
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_PreferSortDescending, 1);
  ImGui::TableSetupColumn(all ? "Dataset, differs in" : "Differs in", ImGuiTableColumnFlags_NoSort, 3);
  ImGui::TableSetupColumn("##open", ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  for (const size_t index : sorted_runs(history)) draw_row(history.runs[index], index);
  ImGui::EndTable();
}

void RunList::draw_curves(const RunHistory& history) {
  constexpr const char* kNames[] = {"PSNR, dB", "Loss", "Splats"};
  {
    EvenRow row(work_.appearance, 4);
    for (int i = 0; i < 3; ++i)
      if (row.button(kNames[i], i == 0 ? "PSNR of the held-out photos" : "Over the iterations", curve_ == i))
        curve_ = i;
    if (row.button("Logarithmic", "Both axes", log_curves_)) log_curves_ = !log_curves_;
  }
  const float room = std::max(ImGui::GetContentRegionAvail().y, 10 * ImGui::GetFontSize());
  if (!ImPlot::BeginPlot("##curves of runs", {-1, room}, ImPlotFlags_NoTitle)) return;
  ImPlot::SetupAxes("iteration", kNames[curve_], ImPlotAxisFlags_AutoFit, ImPlotAxisFlags_AutoFit);
  if (log_curves_) {
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  }
  ImPlot::SetupLegend(ImPlotLocation_SouthEast);
  std::vector<double> x, y;
  for (size_t i = 0; i < history.runs.size(); ++i) {
    if (hidden_.contains(history.runs[i].folder.string())) continue;
    curve_of(history.runs[i], curve_, x, y);
    if (x.empty()) continue;
    ImPlotSpec line;
    line.LineColor = run_colour(i);
    line.LineWeight = 1.5f * work_.appearance.scale;
    if (x.size() == 1) line.Marker = ImPlotMarker_Circle;
    const std::filesystem::path& folder = history.runs[i].folder;
    const std::string label = folder.filename().string() + "##" + folder.string();
    ImPlot::PlotLine(label.c_str(), x.data(), y.data(), int(x.size()), line);
  }
  ImPlot::EndPlot();
}

// True: other ones are wanted now.
bool RunList::which_row() {
  if (!work_.received.has_photos()) return false;
  EvenRow row(work_.appearance, 2);
  const bool before = all;
  if (row.button("This dataset", "The runs that were trained on what is open", !all)) all = false;
  if (row.button("All datasets", "Every run that was begun or opened in this window, or lies beside one", all))
    all = true;
  if (all != before) asks_other = true;
  return asks_other;
}

void RunList::draw(const std::optional<RunHistory>& history) {
  if (!is_open) return;
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({room.x / 2, room.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(kRunsWidthEms * em, room.x * 0.94f), std::min(kRunsHeightEms * em, room.y * 0.9f)},
                           ImGuiCond_Appearing);
  if (ImGui::Begin(all ? "All runs###runs" : "Runs of this dataset###runs", &is_open,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking)) {
    const bool asks = which_row();
    if (!history || asks) {
      faint_text(work_.appearance, "Looking for runs...");
    } else if (history->runs.empty()) {
      faint_text(work_.appearance,
                 std::string(all ? "No run was found" : "No run of this dataset was found beside it, nor") +
                     " among what was opened lately. Each run that is trained from now on is listed here, with its "
                     "settings and curves.");
    } else {
      want_pictures(*history);
      draw_table(*history);
      draw_curves(*history);
    }
    if (work_.dialogs.escaped) is_open = false;
  }
  ImGui::End();
}

}  // namespace studio
