// The section on a scene in blocks: how far each is, and its splats.
#include <algorithm>

#include "studio/blocks/feature.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kTableLines = 16;

std::string title_of(int part) {
  if (part == kCityScaffold) return "Scaffold";
  return part == kCityMerged ? "Whole" : "Block " + std::to_string(part);
}

void summary(const Workspace& work, const CityScene& city) {
  size_t done = 0, running = 0, failed = 0;
  double progress = 0;
  for (const CityBlock& block : city.blocks) {
    done += block.stage == BlockStage::kDone, running += block.stage == BlockStage::kRunning;
    failed += block.stage == BlockStage::kFailed;
    progress += block.iterations > 0 ? double(block.iteration) / block.iterations : 0;
  }
  const std::string text = std::to_string(done) + " of " + std::to_string(city.blocks.size()) + " done" +
                           (running ? ", " + std::to_string(running) + " running" : "") +
                           (failed ? ", " + std::to_string(failed) + " failed" : "");
  ImGui::ProgressBar(float(progress / double(std::max<size_t>(city.blocks.size(), 1))), {-1, 0}, text.c_str());
  if (done < city.blocks.size() && city.work == CityWork::kNone)
    faint_text(work.appearance, "Trained here one after another, or by hipsplat blocks or a cluster: this follows.");
}

void cell(const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(text.c_str());
}

std::string details(int number, const CityBlock& block) {
  std::string text = title_of(number) + ": " + block.state;
  if (!block.why.empty()) text += ", " + block.why;
  text += "\n" + count_text(uint64_t(block.iteration)) + " of " + count_text(uint64_t(block.iterations)) +
          " iterations, " + count_text(block.splats) + " splats";
  return text + (block.can_open ? "\nClick to see its splats" : "\nIt has no splats to see yet");
}

void reasons(const Workspace& work, const CityScene& city) {
  for (size_t i = 0; i < city.blocks.size(); ++i)
    if (!city.blocks[i].why.empty())
      coloured_text(stage_colour(work.appearance.colours(), city.blocks[i].stage),
                    title_of(int(i)) + ": " + city.blocks[i].why);
}

}  // namespace

void BlocksFeature::draw_row(int number) {
  const CityBlock& block = city_->blocks[size_t(number)];
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(number);
  if (ImGui::Selectable(std::to_string(number).c_str(), city_->shown == number, ImGuiSelectableFlags_SpanAllColumns) &&
      block.can_open)
    open_part(number);
  note_place(title_of(number).c_str());
  tooltip(details(number, block).c_str());
  ImGui::PopID();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, packed(stage_colour(work.appearance.colours(), block.stage)));
  ImGui::TextUnformatted(block.state.c_str());
  ImGui::PopStyleColor();
  cell(std::to_string(block.iteration) + "/" + std::to_string(block.iterations));
  cell(block.psnr ? number_text(*block.psnr, "%.2f") : "-");
  cell(block.memory_bytes > 0 ? bytes_text(block.memory_bytes) : "-");
  cell(block.seconds > 0 ? duration_text(block.seconds) : "-");
}

void BlocksFeature::draw_table() {
  const CityScene& city = *city_;
  const float lines = std::min(float(city.blocks.size()) + 1.6f, kTableLines);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("blocks", 6, kFlags, {0, lines * ImGui::GetTextLineHeightWithSpacing()})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* name : {"#", "State", "Iterations", "PSNR", "Memory", "Time"}) ImGui::TableSetupColumn(name);
  ImGui::TableHeadersRow();
  ImGuiListClipper clipper;
  clipper.Begin(int(city.blocks.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(i);
  ImGui::EndTable();
}

const char* BlocksFeature::next_step() const {
  bool begun = false, failed = false, left = false;
  for (const CityBlock& block : city_->blocks) {
    begun = begun || block.stage != BlockStage::kWaiting;
    failed = failed || block.stage == BlockStage::kFailed;
    left = left || block.stage == BlockStage::kWaiting || block.stage == BlockStage::kStopped;
  }
  if (left) return begun ? "Continue" : "Start";
  const bool done = std::all_of(city_->blocks.begin(), city_->blocks.end(),
                                [](const CityBlock& block) { return block.stage == BlockStage::kDone; });
  return failed ? "Train again" : done && !city_->merged ? "Merge" : nullptr;
}

void BlocksFeature::draw_work() {
  const char* const next = next_step();
  const bool active = trains();
  EvenRow row(work.appearance, active || next ? 2 : 1);
  if (active) {
    ImGui::BeginDisabled(city_->work == CityWork::kStops);
    if (row.button(city_->work == CityWork::kStops ? "Stopping..." : "Stop",
                   "Ends with a checkpoint of the block that is trained; Continue goes on from there, as does the "
                   "command line"))
      work.ask(StopBlocks{});
    ImGui::EndDisabled();
  } else if (next && row.button(next,
                                "Trains here what is not done, one block after another, and merges all into city.ply. "
                                "It can be stopped, and the window used meanwhile",
                                true)) {
    start();
  }
  if (row.button("Copy command line", city_->command.c_str())) copy_command();
}

void BlocksFeature::draw_panel() {
  const CityScene& city = *city_;
  summary(work, city);
  draw_work();
  draw_table();
  reasons(work, city);
  ImGui::Spacing();
  EvenRow row(work.appearance, 2);
  if (row.button("Scaffold", "The coarse model of the whole, which every block began with",
                 city.shown == kCityScaffold))
    open_part(kCityScaffold);
  ImGui::BeginDisabled(!city.merged);
  if (row.button("Whole", "What --blocks merge made of the blocks (city.ply)", city.shown == kCityMerged))
    open_part(kCityMerged);
  ImGui::EndDisabled();
}

}  // namespace viewer
