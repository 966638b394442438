#include "studio/window/form.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr int kMostCount = 1'000'000'000;
constexpr double kMostFine = 4;  // a slider up to here has hundredths, beyond whole numbers

int chosen(const OptionRow& row) {
  const nlohmann::json value = row.get();
  const std::string text = value.is_string() ? value.get<std::string>() : row.usual;
  const auto found = std::find(row.choices.begin(), row.choices.end(), text);
  return found == row.choices.end() ? 0 : int(found - row.choices.begin());
}

std::string tip_of(const OptionRow& row) { return as_sentence(row.help) + ".\nOn the command line --" + row.name; }

// A text that the row refuses is not taken: the field has the present one again once it is left.
void text_field(const OptionRow& row, const std::string& id) {
  const nlohmann::json present = row.get();
  std::string text = present.is_string() ? present.get<std::string>() : "";
  if (ImGui::InputTextWithHint(id.c_str(), row.hint.c_str(), &text)) (void)row.set(text.empty() ? row.usual : text);
  note_place(id.c_str());
}

void choice_field(const OptionRow& row, const std::string& id) {
  std::vector<const char*> names;
  for (const std::string& name : row.choice_labels.empty() ? row.choices : row.choice_labels)
    names.push_back(name.c_str());
  int index = chosen(row);
  if (choice(id.c_str(), &index, names)) (void)row.set(row.choices[size_t(index)]);
}

void number_field(const OptionRow& row, const std::string& id) {
  const nlohmann::json present = row.get();
  const double value = present.is_number() ? present.get<double>() : 0;
  if (row.field.high > row.field.low) {
    float moved = float(value);
    const bool whole = row.field.high > kMostFine;
    const SliderRange range{float(row.field.low), float(row.field.high), float(row.field.usual),
                            whole ? "%.0f" : "%.2f"};
    if (slider(id.c_str(), &moved, range)) (void)row.set(fmt::format("{:.{}f}", moved, whole ? 0 : 2));
  } else if (row.field.step > 0) {
    double typed = value;
    if (ImGui::InputDouble(id.c_str(), &typed, row.field.step, 10 * row.field.step, "%g"))
      (void)row.set(fmt::format("{:.6g}", typed));  // what is out of its bounds stays as it was
    note_place(id.c_str());
  } else {
    int count = int(std::min(value, double(kMostCount)));
    if (count_field(id.c_str(), &count, kMostCount)) (void)row.set(std::to_string(count));
  }
}

}  // namespace

void draw_form(std::span<const OptionRow> rows) {
  for (const OptionRow& row : rows) {
    if (row.label.empty()) continue;
    const std::string id = "##" + row.name, tip = tip_of(row);
    if (row.value.empty()) {
      bool on = row.get() == true;
      if (checkbox(row.label.c_str(), &on, tip.c_str())) (void)row.set(on ? "true" : "false");
      continue;
    }
    const Row line(row.label.c_str(), tip.c_str());
    !row.hint.empty() ? text_field(row, id) : row.choices.empty() ? number_field(row, id) : choice_field(row, id);
  }
}

}  // namespace studio
