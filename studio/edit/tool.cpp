#include "studio/edit/tool.h"

#include <algorithm>
#include <string_view>

#include "studio/window/workspace.h"
#include "viewer/widgets/widgets.h"

namespace studio {

std::string Offer::first_keys() const {
  const std::string_view all = keys;
  return std::string(all.substr(0, all.find(" or ")));
}

std::string Offer::button() const {
  const std::string key = first_keys();
  return key.size() == 1 ? std::string(label) + " " + key : label;
}

std::string Offer::tooltip() const { return std::string(tip) + " (" + keys + ")"; }

bool Offer::has(const std::string& pressed) const {
  return !pressed.empty() && (" or " + std::string(keys) + " or ").find(" or " + pressed + " or ") != std::string::npos;
}

std::string without_shift(const std::string& keys) {
  const size_t at = keys.find("Shift+");
  return at == std::string::npos ? keys : keys.substr(0, at) + keys.substr(at + 6);
}

bool run_offered(const std::vector<Action>& actions, const std::string& keys) {
  const auto has = [](const std::string& wanted) { return [&](const Action& one) { return one.keys == wanted; }; };
  const bool known = std::any_of(actions.begin(), actions.end(), has(keys));
  const std::string wanted = known ? keys : without_shift(keys);
  for (const Action& one : actions)
    if (one.possible && !wanted.empty() && one.keys == wanted) return one.run(), true;
  return false;
}

bool Tool::take_keys(Workspace& work, const std::string& keys) {
  std::vector<Action> actions;
  add_actions(work, actions);
  return run_offered(actions, keys);
}

void Tool::draw_strip(Workspace& work) { strip_text(work, offer.tip); }

void choose_tool(Workspace& work, Tool& tool) {
  const bool again = &work.edit.tool() == &tool;
  if (!again) work.edit.choose(tool);
  tool.chosen(work, again);
}

bool is_press(const InputEvent& event) {
  using Kind = InputEvent::Kind;
  const bool press = event.kind == Kind::kPress || event.kind == Kind::kDoubleClick;
  return press && event.button == MouseButton::kLeft && !event.modifiers.alt;
}

void strip_text(const Workspace& work, const std::string& text) {
  ImGui::SameLine();
  const std::string shown = words_within(text, ImGui::GetContentRegionAvail().x);
  ImGui::AlignTextToFramePadding();
  faint_text(work.appearance, shown);
  if (shown != text) tooltip(text.c_str());
}

}  // namespace studio
