// Which of a folder's files our own file dialog lists.
#include <imgui/imgui.h>

#include <string>

#include "splat/core/counted.h"
#include "viewer/dialogs/file_browser.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

void FileBrowser::list_again() {
  const bool all = kinds_ == 1;
  view_.folders_only = is_folder(question_.kind) && !all;
  view_.endings = all ? std::vector<std::string>() : question_.kinds.endings;
  shown_ = shown_entries(contents_.entries, view_);
  const auto listed_at_all = shown_entries(contents_.entries, {.endings = view_.endings});
  left_out_ = is_folder(question_.kind) ? 0 : contents_.entries.size() - listed_at_all.size();
  chosen_ = view_.typed.empty() || shown_.empty() ? -1 : 0;
  to_row_ = true;
}

void FileBrowser::draw_left_out() {
  if (left_out_ == 0 || question_.kind == FileDialogKind::kSaveFile) return;
  const bool any = question_.kind == FileDialogKind::kOpenAny;
  const std::string text = splat::counted(left_out_, "file of another kind is", "files of other kinds are") +
                           " not listed" + (any ? ": \"Open this folder\" opens photos together" : "");
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetColorU32(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void FileBrowser::draw_kinds() {
  const bool folders = is_folder(question_.kind);
  if (!folders && question_.kinds.endings.empty()) return;
  const std::string kind = folders ? "Folders" : question_.kinds.name;
  const int before = kinds_;
  choice("##kinds", &kinds_, {kind.c_str(), kAllFiles});
  note_place("kinds");
  tooltip("Which files are listed; folders always are");
  if (kinds_ == before) return;
  focus_name_ = true;
  list_again();
}

}  // namespace viewer
