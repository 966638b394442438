// What the application says over the scene: errors, each with the button that helps, and what was done.
#include <imgui/imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "studio/window/error_lines.h"
#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/dialogs/desktop_open.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void error_lines(const Appearance& look, const ErrorLines& lines) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(lines.what.c_str());
  ImGui::PopTextWrapPos();
  if (!lines.why.empty()) faint_text(look, lines.why);
  if (lines.now.empty()) return;
  ImGui::Spacing();
  coloured_text(look.colours().accent, lines.now);
}

std::optional<Action> action_named(Workspace& work, const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (Action& action : window_actions(work))
    if (action.name == name && action.possible) return std::move(action);
  return std::nullopt;
}

}  // namespace

void draw_error(Workspace& work) {
  if (!begin_modal("This did not work", !work.received.errors.empty())) return;
  if (work.received.errors.empty()) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  const Notice error = work.received.errors.front();
  error_lines(work.appearance, lines_of_error(error.text));
  ImGui::Spacing();
  const std::optional<Action> helps = action_named(work, error.mended_by);
  const std::string label = helps ? (helps->label.empty() ? helps->name : helps->label) + "###error_mended" : "";
  const bool mended =
      helps && (main_button(work.appearance, label.c_str(), "What helps here (Enter)", 0) || work.dialogs.confirmed);
  if (helps) ImGui::SameLine();
  constexpr const char* kTip = "Close this; it stays in the log (Ctrl+L)";
  const float width = 7 * ImGui::GetFontSize();
  const bool read = helps ? button("OK", kTip, width) : main_button(work.appearance, "OK", kTip, width);
  ImGui::SameLine();
  if (button("Copy text", "Copy this sentence to the clipboard")) ImGui::SetClipboardText(error.text.c_str());
  if (mended || read || work.dialogs.confirmed || work.dialogs.escaped) {
    work.received.errors.pop_front();
    work.dialogs.confirmed = false;
    if (work.received.errors.empty() || mended) ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (mended) helps->run();
}

void forget_old_message(Workspace& work) {
  constexpr double kSeconds = 20;
  Received& received = work.received;
  if (received.message_seen != received.message)
    received.message_seen = received.message, received.message_at = work.now;
  if (work.now - received.message_at > kSeconds) received.message.clear();
}

void draw_said(Workspace& work) {
  if (work.now >= work.said_until) return;
  const bool saved = !work.said_file.empty();
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  const float top = saved ? std::min(8 * ImGui::GetFrameHeight(), size.y / 4) : 2 * ImGui::GetFrameHeight();
  ImGui::SetNextWindowPos({size.x / 2, top}, ImGuiCond_Always, {0.5f, 0});  // below the view's buttons and axes
  ImGui::SetNextWindowSize({std::min(32 * ImGui::GetFontSize(), size.x * 0.9f), 0});
  constexpr ImGuiWindowFlags kBox = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoNav;
  if (ImGui::Begin("##said", nullptr, kBox | (saved ? 0 : ImGuiWindowFlags_NoInputs))) {
    ImGui::TextWrapped("%s", as_sentence(work.said).c_str());
    if (saved) {
      const bool page = work.said_file.extension() == ".html";
      EvenRow row(work.appearance, page ? 3 : 2);
      const std::filesystem::path file = work.said_file, folder = file.parent_path();
      const auto open = [&](const std::filesystem::path& path) {
        if (!open_with_desktop(path)) work.say("xdg-open is not installed; open '" + path.string() + "' by hand");
      };
      if (page && row.button("Open page###said_page", "In the browser")) open(file);
      if (row.button("Open folder###said_folder", folder.c_str())) open(folder);
      if (row.button("Close###said_close", "It stays in the log (Ctrl+L)")) work.said_until = work.now;
    }
    if (ImGui::IsWindowHovered()) work.said_until = std::max(work.said_until, work.now + 1);
  }
  ImGui::End();
}

}  // namespace studio
