// The section on a scene in blocks: how far each is, and its splats.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "studio/blocks/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kTableRows = 16.5f;  // at most; half a one says that there are more

std::string title_of(int part) {
  if (part == kCityScaffold) return "Scaffold";
  return part == kCityMerged ? "Whole" : "Block " + std::to_string(part);
}

void summary(const Workspace& work, const CityScene& city) {
  size_t done = 0, running = 0, failed = 0;
  double progress = 0;
  for (const CityBlock& block : city.blocks) {
    done += block.stage == BlockState::Stage::kDone, running += block.stage == BlockState::Stage::kRunning;
    failed += block.stage == BlockState::Stage::kFailed;
    progress += block.iterations > 0 ? double(block.iteration) / block.iterations : 0;
  }
  const std::string text = std::to_string(done) + " of " + std::to_string(city.blocks.size()) + " done" +
                           (running ? ", " + std::to_string(running) + " running" : "") +
                           (failed ? ", " + std::to_string(failed) + " failed" : "");
  ImGui::ProgressBar(float(progress / double(std::max<size_t>(city.blocks.size(), 1))), {-1, 0}, text.c_str());
  if (done < city.blocks.size() && city.work == CityWork::kNone)
    faint_text(work.appearance, "Trained here, or elsewhere by the command line: this follows.");
}

// A block as the columns of the table have it.
using Cells = std::array<std::string, 5>;
constexpr std::array<const char*, 5> kColumns{"#", "State", "PSNR", "Memory", "Time"};

Cells cells_of(int number, const CityBlock& block) {
  const bool part = block.iteration > 0 && block.iteration < block.iterations;
  const int percent = part ? int(int64_t(100) * block.iteration / block.iterations) : 0;
  return {std::to_string(number), name_of(block.stage) + (part ? " " + std::to_string(percent) + " %" : ""),
          block.psnr ? number_text(*block.psnr, "%.2f") : "-",
          block.peak_rss_bytes > 0 ? bytes_text(block.peak_rss_bytes) : "-",
          block.seconds > 0 ? duration_text(block.seconds) : "-"};
}

// How many of the columns are whole in a line of this width; the tips of the rows have the others.
int columns_that_fit(const std::vector<CityBlock>& blocks, float room) {
  constexpr int kFewest = 3;
  std::array<float, kColumns.size()> widths{};
  const auto widen = [&](size_t column, const char* text) {
    widths[column] = std::max(widths[column], ImGui::CalcTextSize(text).x);
  };
  for (size_t i = 0; i < kColumns.size(); ++i) widen(i, kColumns[i]);
  for (size_t block = 0; block < blocks.size(); ++block) {
    const Cells cells = cells_of(int(block), blocks[block]);
    for (size_t i = 0; i < cells.size(); ++i) widen(i, cells[i].c_str());
  }
  int fit = 0;
  for (float used = 0; fit < int(widths.size()); ++fit) {
    used += widths[size_t(fit)] + (fit > 0 ? 2 * ImGui::GetStyle().CellPadding.x : 0);
    if (used > room) break;
  }
  return std::max(fit, kFewest);
}

std::string details(int number, const CityBlock& block) {
  std::string text = title_of(number) + ": " + name_of(block.stage);
  if (!block.why.empty()) text += ", " + block.why;
  text += "\n" + count_text(uint64_t(block.iteration)) + " of " + count_text(uint64_t(block.iterations)) +
          " iterations, " + count_text(block.splats) + " splats";
  if (block.peak_rss_bytes > 0) text += "\n" + bytes_text(block.peak_rss_bytes) + " of memory at most";
  if (block.seconds > 0) text += ", " + duration_text(block.seconds);
  return text + (block.can_open ? "\nClick to see its splats" : "\nIt has no splats to see yet");
}

void reasons(const Workspace& work, const CityScene& city) {
  for (size_t i = 0; i < city.blocks.size(); ++i)
    if (!city.blocks[i].why.empty())
      coloured_text(stage_colour(work.appearance.colours(), city.blocks[i].stage),
                    title_of(int(i)) + ": " + city.blocks[i].why);
}

}  // namespace

void BlocksFeature::draw_row(int number, int columns) {
  const CityBlock& block = city_->blocks[size_t(number)];
  const Cells cells = cells_of(number, block);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(number);
  if (ImGui::Selectable(cells[0].c_str(), city_->shown == number, ImGuiSelectableFlags_SpanAllColumns) &&
      block.can_open)
    open_part(number);
  note_place(title_of(number).c_str());
  tooltip(details(number, block).c_str());
  ImGui::PopID();
  for (size_t i = 1; i < size_t(columns); ++i) {
    ImGui::TableNextColumn();
    const bool state = i == 1;
    if (state) ImGui::PushStyleColor(ImGuiCol_Text, packed(stage_colour(work.appearance.colours(), block.stage)));
    ImGui::TextUnformatted(cells[i].c_str());
    if (state) ImGui::PopStyleColor();
  }
}

void BlocksFeature::draw_table() {
  const std::vector<CityBlock>& blocks = city_->blocks;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float row = ImGui::GetTextLineHeight() + 2 * style.CellPadding.y;
  const float rows = float(blocks.size()) + 1;  // with that of the names
  const bool scrolls = rows > kTableRows;
  const float bar = scrolls ? style.ScrollbarSize : 0;
  const int columns = columns_that_fit(blocks, ImGui::GetContentRegionAvail().x - bar);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("blocks", columns, kFlags, {0, std::ceil(std::min(rows, kTableRows) * row)})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (int i = 0; i < columns; ++i) ImGui::TableSetupColumn(kColumns[size_t(i)]);
  ImGui::TableHeadersRow();
  ImGuiListClipper clipper;
  clipper.Begin(int(blocks.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(i, columns);
  ImGui::EndTable();
}

const char* BlocksFeature::next_step() const {
  bool begun = false, failed = false, left = false;
  for (const CityBlock& block : city_->blocks) {
    begun = begun || block.stage != BlockState::Stage::kWaiting;
    failed = failed || block.stage == BlockState::Stage::kFailed;
    left = left || block.stage == BlockState::Stage::kWaiting || block.stage == BlockState::Stage::kStopped;
  }
  if (left) return begun ? "Continue" : "Start";
  const bool done = std::all_of(city_->blocks.begin(), city_->blocks.end(),
                                [](const CityBlock& block) { return block.stage == BlockState::Stage::kDone; });
  return failed ? "Train again" : done && !city_->merged ? "Merge" : nullptr;
}

void BlocksFeature::draw_work() {
  if (trains()) {
    const bool stops = city_->work == CityWork::kStops;
    ImGui::BeginDisabled(stops);
    if (button(stops ? "Stopping..." : "Stop",
               "Ends with a checkpoint of the block that is trained; Continue goes on from there, as does the command "
               "line",
               -1))
      work.ask(StopBlocks{});
    ImGui::EndDisabled();
  } else if (const char* const next = next_step();
             next && main_button(work.appearance, next,
                                 "Trains here what is not done, one block after another, and merges all into city.ply. "
                                 "It can be stopped, and the window used meanwhile",
                                 -1)) {
    start();
  }
}

void BlocksFeature::draw_shown() {
  Row shown("Show", "Whose splats are open; a click on a block opens its own");
  EvenRow row(work.appearance, 2);
  if (row.button("Scaffold", "The coarse model of the whole, which every block began with",
                 city_->shown == kCityScaffold))
    open_part(kCityScaffold);
  ImGui::BeginDisabled(!city_->merged);
  if (row.button("Whole",
                 city_->merged ? "What the blocks were merged into (city.ply)" : "Once all blocks are done and merged",
                 city_->shown == kCityMerged))
    open_part(kCityMerged);
  ImGui::EndDisabled();
}

void BlocksFeature::draw_panel() {
  const CityScene& city = *city_;
  summary(work, city);
  draw_work();
  draw_table();
  reasons(work, city);
  ImGui::Spacing();
  draw_shown();
  if (button("Copy command line", city.command.c_str(), -1)) copy_command();
}

}  // namespace studio
