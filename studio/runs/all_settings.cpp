#include "studio/runs/all_settings.h"

#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "studio/documents/training_choices.h"
#include "studio/runs/messages.h"
#include "studio/runs/setting_words.h"
#include "studio/runs/training_rows.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kWidthEms = 50, kSettingsLines = 16, kUnitEms = 5;
constexpr const char* kResetWord = "default";

using Changed = std::map<std::string, std::string>;  // values that differ from the defaults, by name

void set(const OptionRow& row, const std::string& value, Changed& changed) {
  value.empty() || value == default_of(row) ? void(changed.erase(row.name)) : void(changed[row.name] = value);
}

void yes_or_no(const OptionRow& row, Changed& changed) {
  bool on = changed.contains(row.name);
  if (ImGui::Checkbox("##on", &on)) on ? void(changed[row.name] = "") : void(changed.erase(row.name));
}

void one_of_a_list(const OptionRow& row, const std::string& present, Changed& changed) {
  if (!ImGui::BeginCombo("##choice", choice_text(present).c_str())) return;
  for (const std::string& one : row.choices)
    if (ImGui::Selectable(choice_text(one).c_str(), one == present)) set(row, one, changed);
  ImGui::EndCombo();
}

// The field takes what is left beside a unit, or beside the button that finds a file or folder.
void typed_value(Workspace& work, const OptionRow& row, std::string text, ImGuiInputTextFlags flags = 0) {
  Changed& changed = work.choices.fine;
  const std::string hint = default_of(row).empty() ? words_of(kind_of(row)) : choice_text(default_of(row));
  if (ImGui::InputTextWithHint("##value", hint.c_str(), &text, flags))
    text.empty() ? void(changed.erase(row.name)) : void(changed[row.name] = text);
  note_place(row.name.c_str());
}

void path_value(Workspace& work, const OptionRow& row, const std::string& present) {
  constexpr const char* kChoose = "Choose...";
  const float padding = ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(-ImGui::CalcTextSize(kChoose).x - 2 * padding - ImGui::GetStyle().ItemSpacing.x);
  typed_value(work, row, present);
  ImGui::SameLine();
  const bool folder = kind_of(row) == ValueKind::kFolder;
  if (button(kChoose, folder ? "Choose the folder" : "Choose the file"))
    work.ask_file(folder ? FileDialog::Kind::kOpenFolder : FileDialog::Kind::kOpenFile, label_of(row), "",
                  [&work, &row](const auto& path) { set(row, path.string(), work.choices.fine); });
}

void control(Workspace& work, const OptionRow& row) {
  Changed& changed = work.choices.fine;
  const auto found = changed.find(row.name);
  const std::string typed = found == changed.end() ? "" : found->second;
  ImGui::SetNextItemWidth(-1);
  switch (kind_of(row)) {
    case ValueKind::kYesNo:
      yes_or_no(row, changed);
      return note_place(row.name.c_str());
    case ValueKind::kChoice:
      one_of_a_list(row, typed.empty() ? default_of(row) : typed, changed);
      return note_place(row.name.c_str());
    case ValueKind::kNumber:
      ImGui::SetNextItemWidth(-kUnitEms * ImGui::GetFontSize());
      typed_value(work, row, typed, ImGuiInputTextFlags_CharsScientific);
      ImGui::SameLine();
      return ImGui::TextDisabled("%s", row.unit.c_str());
    case ValueKind::kFolder:
    case ValueKind::kFile:
      return path_value(work, row, typed);
    case ValueKind::kNumbers:
    case ValueKind::kNames:
    case ValueKind::kText:
      return typed_value(work, row, typed);
  }
}

void setting(Workspace& work, const OptionRow& row, const std::string& problem) {
  const Palette& colours = work.appearance.colours();
  ImGui::PushID(row.name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool changed = work.choices.fine.contains(row.name);
  const std::string tip = setting_tip(row);
  if (changed) ImGui::PushStyleColor(ImGuiCol_Text, packed(colours.accent));
  ImGui::TextUnformatted(label_of(row).c_str());
  if (changed) ImGui::PopStyleColor();
  tooltip(tip.c_str());
  ImGui::TableNextColumn();
  ImGui::BeginGroup();
  control(work, row);
  ImGui::EndGroup();
  tooltip(tip.c_str());
  if (!problem.empty()) {
    coloured_text(colours.bad, problem);
    note_place(("problem of " + row.name).c_str());
  }
  ImGui::TableNextColumn();
  if (changed && button(kResetWord, "Back to the default")) work.choices.fine.erase(row.name);
  ImGui::PopID();
}

}  // namespace

// What is wrong with what was typed, once for each change.
void AllSettings::check() {
  const Changed& changed = work_.choices.fine;
  if (checked_ == changed) return;
  checked_ = changed;
  problems_.clear();
  for (const auto& [name, value] : changed)
    if (const std::string problem = problem_of(name, value); !problem.empty())
      problems_[name] = in_words(problem, training_settings());
}

void AllSettings::draw_list() {
  const std::string& typed = searched_;
  const auto fits = [&](const OptionRow& row) {
    return has_words(label_of(row) + " --" + row.name + " " + row.help, typed);
  };
  ImGui::BeginChild("settings", {0, kSettingsLines * ImGui::GetFrameHeightWithSpacing()});
  for (const bool fine : {false, true}) {
    const std::vector<OptionRow>& rows = training_settings();
    const auto shown = [&](const OptionRow& row) { return is_fine_setting(row) == fine && fits(row); };
    if (std::none_of(rows.begin(), rows.end(), shown)) continue;
    ImGui::SeparatorText(fine ? "Fine settings" : "Settings");
    if (!ImGui::BeginTable(fine ? "fine" : "main", 3)) continue;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.5f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.5f);
    ImGui::TableSetupColumn("reset", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize(kResetWord).x + 3 * ImGui::GetStyle().FramePadding.x);
    for (const OptionRow& row : rows)
      if (shown(row)) setting(work_, row, problems_.contains(row.name) ? problems_.at(row.name) : "");
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

void AllSettings::draw() {
  const bool chose = std::exchange(chooses_, work_.dialogs.file.is_open());
  if (!begin_modal("All settings of training", shown_, kWidthEms)) return;
  check();
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##search", "search in names and descriptions, also those of the command line", &searched_);
  draw_list();
  if (problems_.empty()) draw_refused(work_);
  {
    EvenRow row(work_.appearance, 3);
    if (row.button("Copy command line", "The hipsplat command that trains with these settings, for a terminal"))
      work_.ask(WantCommandLine{work_.choices});
    if (row.button("All defaults", "Back to the defaults of everything in this list")) work_.choices.fine.clear();
    if (row.button("Close###close_settings", "Keeps the settings for the next run (Escape)") ||
        (work_.dialogs.escaped && !chose)) {
      shown_ = false;
      searched_.clear();
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::EndPopup();
}

}  // namespace studio
