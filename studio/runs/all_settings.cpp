// Every setting of a run that has no control of its own in the training panel, as the command line has them.
#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>

#include "studio/runs/feature.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr float kWidthEms = 46, kSettingsLines = 16;
constexpr const char* kResetWord = "default";

// A control for the value in `fine`, which is there only where it differs from the default.
void control(const SettingRow& row, std::map<std::string, std::string>& fine) {
  const auto found = fine.find(row.name);
  const bool changed = found != fine.end();
  if (row.is_flag()) {
    bool on = changed;
    if (ImGui::Checkbox("##on", &on)) on ? void(fine[row.name] = "") : void(fine.erase(row.name));
    return;
  }
  ImGui::SetNextItemWidth(-1);
  if (!row.choices.empty()) {
    const std::string& present = changed ? found->second : row.default_value;
    if (!ImGui::BeginCombo("##choice", present.c_str())) return;
    for (const std::string& one : row.choices)
      if (ImGui::Selectable(one.c_str(), one == present))
        one == row.default_value ? void(fine.erase(row.name)) : void(fine[row.name] = one);
    return ImGui::EndCombo();
  }
  std::string text = changed ? found->second : "";
  const std::string hint = row.default_value.empty() ? row.placeholder : row.default_value;
  if (ImGui::InputTextWithHint("##value", hint.c_str(), &text))
    text.empty() ? void(fine.erase(row.name)) : void(fine[row.name] = text);
}

void setting(const Appearance& look, const SettingRow& row, std::map<std::string, std::string>& fine) {
  ImGui::PushID(row.name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool changed = fine.contains(row.name);
  if (changed) ImGui::PushStyleColor(ImGuiCol_Text, packed(look.colours().accent));
  ImGui::TextUnformatted(row.name.c_str());
  if (changed) ImGui::PopStyleColor();
  const std::string standard = row.is_flag() ? "off" : row.default_value;
  const std::string help = row.help + (standard.empty() ? "" : ". Default " + standard);
  tooltip(help.c_str());
  ImGui::TableNextColumn();
  control(row, fine);
  note_place(row.name.c_str());
  tooltip(help.c_str());
  ImGui::TableNextColumn();
  if (changed && button(kResetWord, "Back to the default")) fine.erase(row.name);
  ImGui::PopID();
}

}  // namespace

void RunsFeature::draw_settings_list() {
  const std::string& typed = settings_text_;
  const auto fits = [&](const SettingRow& row) { return has_words(row.name + " " + row.help, typed); };
  ImGui::BeginChild("settings", {0, kSettingsLines * ImGui::GetFrameHeightWithSpacing()});
  for (const bool fine : {false, true}) {
    const auto& rows = work.received.devices->settings;
    const auto shown = [&](const SettingRow& row) { return row.fine == fine && fits(row); };
    if (std::none_of(rows.begin(), rows.end(), shown)) continue;
    ImGui::SeparatorText(fine ? "Fine settings" : "Settings");
    if (!ImGui::BeginTable(fine ? "fine" : "main", 3)) continue;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.5f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.5f);
    ImGui::TableSetupColumn("reset", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize(kResetWord).x + 3 * ImGui::GetStyle().FramePadding.x);
    for (const SettingRow& row : rows)
      if (shown(row)) setting(work.appearance, row, work.choices.fine);
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

void RunsFeature::draw_all_settings() {
  if (!work.received.devices || !begin_modal("All settings of training", shows_settings_, kWidthEms)) return;
  if (ImGui::IsWindowAppearing()) {
    settings_text_.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##search", "search in names and descriptions", &settings_text_);
  draw_settings_list();
  if (work.received.dataset && !work.received.dataset->refused.empty())
    coloured_text(work.appearance.colours().bad, work.received.dataset->refused);
  {
    EvenRow row(work.appearance, 3);
    if (row.button("Copy command line", "The hipsplat command that trains with these settings, for a terminal"))
      work.ask(WantCommandLine{work.choices});
    if (row.button("All defaults", "Back to the defaults of everything in this list")) work.choices.fine.clear();
    if (row.button("Close###close_settings", "Keeps the settings for the next run (Escape)") || work.dialogs.escaped) {
      shows_settings_ = false;
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::EndPopup();
}

}  // namespace viewer
