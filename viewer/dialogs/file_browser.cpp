#include "viewer/dialogs/file_browser.h"

#include <glib.h>
#include <imgui/imgui.h>
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

#include "splat/core/system.h"
#include "viewer/dialogs/new_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}
bool leads_to_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

fs::path home() {
  const char* home = splat::environment("HOME");
  return home ? home : "";
}

fs::path without_slash(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

// "2026-11-27 05:14", where the user is.
std::string date_text(int64_t seconds, bool with_time) {
  char text[32];
  struct tm parts {};
  const time_t time = seconds;
  localtime_r(&time, &parts);
  return std::string(text, std::strftime(text, sizeof text, with_time ? "%Y-%m-%d %H:%M" : "%Y-%m-%d", &parts));
}

struct Verb {
  const char *label, *tip;  // of the button that ends the dialog
};

Verb verb_of(FileDialogKind kind, const std::optional<fs::path>& named) {
  const bool save = kind == FileDialogKind::kSaveFile, folder = named && leads_to_folder(*named);
  const bool new_folders = named && !is_there(named->parent_path());
  if (save && named && !folder && is_there(*named)) return {"Replace this file###choose", "Write over this file"};
  if (save && new_folders) return {"Make the folder and save###choose", "The folder is not there yet: it is made"};
  if (save && !folder) return {"Save###choose", "Write this file"};
  if (kind == FileDialogKind::kResultsFolder && new_folders)
    return {"Make and use this folder###choose", "It is made, with the folders above it that are not there yet"};
  if (kind == FileDialogKind::kResultsFolder)
    return {folder ? "Use this folder###choose" : "Use a new folder###choose",
            "Results go there; a folder that is not there yet is made by the run"};
  return {kind == FileDialogKind::kOpenFolder ? "Open folder###choose" : "Open###choose", "Open what is named above"};
}

constexpr float kNarrow = 34, kPlaces = 9;  // em: of a dialog whose places are a list to unfold; of their column

bool is_narrow() { return ImGui::GetWindowWidth() < kNarrow * ImGui::GetFontSize(); }

// What is typed in this frame; a blank alone presses the button where the keyboard is.
std::string typed_text() {
  std::string text;
  for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
    char bytes[6];
    if (letter >= 32 && letter != 127) text.append(bytes, size_t(g_unichar_to_utf8(letter, bytes)));
  }
  return text == " " ? "" : text;
}

// The middle goes where there is no room; then the whole is in the tooltip.
void short_text(const std::string& text, float room) {
  const std::string shown = elided(text, room);
  ImGui::TextUnformatted(shown.c_str());
  if (shown != text) tooltip(text.c_str());
}

}  // namespace

void FileBrowser::open(const FileQuestion& question) {
  std::error_code code;
  question_ = question;
  open_ = just_opened_ = focus_name_ = true;
  cancelled_ = makes_ = in_name_ = typed_early_ = false;
  name_ = question.suggested;
  kinds_ = 0;
  view_.typed.clear();
  enter(leads_to_folder(question.folder) ? fs::absolute(question.folder, code) : fs::current_path(code));
}

void FileBrowser::cancel() {
  if (makes_)
    makes_ = false, focus_name_ = true;
  else
    cancelled_ = open_;
}

// ---- what is listed

void FileBrowser::enter(const fs::path& folder) {
  folder_ = without_slash(folder);
  read_ = false, chosen_ = -1;
  to_top_ = true, left_out_ = 0;
  problem_.clear(), view_.typed.clear();
  contents_ = {}, shown_.clear();
  reader_.read(folder_, [open = question_.open, recent = question_.recent] {
    std::vector<Place> places = usual_places(home(), open, recent);
    for (Place& place : mounted_places()) places.push_back(std::move(place));
    return places;
  });
}

void FileBrowser::take_arrived() {
  if (auto contents = reader_.take_contents()) {
    contents_ = std::move(*contents);
    read_ = true;
    problem_ = contents_.problem;
    list_again();
  }
  if (auto places = reader_.take_places()) places_ = std::move(*places);
}

// ---- what is chosen

bool FileBrowser::may_be_new() const {
  return question_.kind == FileDialogKind::kSaveFile || question_.kind == FileDialogKind::kResultsFolder;
}

fs::path FileBrowser::path_of(const std::string& text) const {
  if (text.empty()) return folder_;
  if (text == "~" || text.starts_with("~/")) return home() / fs::path(text.substr(std::min<size_t>(2, text.size())));
  return without_slash(folder_ / text);
}

std::optional<fs::path> FileBrowser::answer() const {
  const fs::path named = path_of(name_);
  const bool there = is_there(named), folder = there && leads_to_folder(named);
  switch (question_.kind) {
    case FileDialogKind::kSaveFile:
      if (name_.empty()) return std::nullopt;
      return folder ? named : with_suggested_ending(named, question_.suggested, question_.kinds);
    case FileDialogKind::kResultsFolder:
      return there && !folder ? std::nullopt : std::optional(named);
    case FileDialogKind::kOpenFolder:
      if (folder) return named;
      break;
    default:
      if (there && !name_.empty()) return named;
      // Nothing that is listed can be meant: the photos are, which are not listed.
      if (question_.kind == FileDialogKind::kOpenAny && name_.empty() && left_out_ > 0 &&
          std::all_of(shown_.begin(), shown_.end(), [&](uint32_t row) { return contents_.entries[row].folder; }))
        return folder_;
  }
  if (name_.empty() || chosen_ < 0) return std::nullopt;
  if (is_folder(question_.kind) && !entry(size_t(chosen_)).folder) return std::nullopt;
  return folder_ / entry(size_t(chosen_)).name;
}

void FileBrowser::take(fs::path path) {
  const fs::path above = path.parent_path();
  if (may_be_new() && !above.empty() && !is_there(above))
    if (const auto made = make_folders(above); !made) {
      problem_ = made.error().message;
      focus_name_ = true;
      return;
    }
  chosen_path_ = std::move(path);
}

// A folder where a file is to be named is only looked into.
void FileBrowser::accept() {
  const auto named = answer();
  if (!named) {
    focus_name_ = true;
    problem_ = name_.empty()
                   ? std::string("choose a row or type a name") +
                         (question_.kind == FileDialogKind::kOpenAny ? ", or open this folder by its button" : "")
                   : "there is no " + std::string(is_folder(question_.kind) ? "folder" : "file") + " '" +
                         path_of(name_).string() + "'";
  } else if (!is_folder(question_.kind) && leads_to_folder(*named) && !(name_.empty() && *named == folder_)) {
    name_ = question_.kind == FileDialogKind::kSaveFile ? question_.suggested : "";
    focus_name_ = true;
    enter(*named);
  } else {
    take(*named);
  }
}

void FileBrowser::choose_row(int row) {
  chosen_ = row;
  const bool names_new = question_.kind == FileDialogKind::kSaveFile && entry(size_t(row)).folder;
  if (!names_new) name_ = entry(size_t(row)).name;
}

void FileBrowser::go(int rows) {
  if (shown_.empty()) return;
  const int last = int(shown_.size()) - 1;
  choose_row(chosen_ < 0 ? (rows > 0 ? 0 : last) : std::clamp(chosen_ + rows, 0, last));
  to_row_ = true;
}

void FileBrowser::take_row(uint32_t row) {
  const FolderEntry chosen = entry(row);
  if (chosen.folder) {
    if (question_.kind != FileDialogKind::kSaveFile) name_.clear();
    focus_name_ = true;
    enter(folder_ / chosen.name);
  } else if (!is_folder(question_.kind)) {
    take(folder_ / chosen.name);
  }
}

// ---- what is drawn

void FileBrowser::draw_head() {
  if (button("Up", "The folder that holds this one (Backspace)")) enter(folder_.parent_path());
  ImGui::SameLine();
  if (is_narrow()) draw_places(false);
  const float make = ImGui::CalcTextSize("New folder").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - make;
  const float room = right - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x;
  ImGui::AlignTextToFramePadding();
  short_text(folder_.string(), std::max(room, 0.0f));
  ImGui::SameLine(right);
  if (button("New folder", "Make a folder in this one")) makes_ = focus_making_ = true, new_name_.clear();
  if (makes_) draw_new_folder();
}

void FileBrowser::draw_new_folder() {
  if (std::exchange(focus_making_, false)) ImGui::SetKeyboardFocusHere();
  const float room = ImGui::CalcTextSize("MakeCancel").x + 8 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(-room);
  const bool entered = ImGui::InputTextWithHint("##new folder", "name of the new folder", &new_name_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  note_place("new folder's name");
  ImGui::SameLine();
  const bool make = button("Make###make folder", "Make it, and look into it (Enter)") || entered;
  ImGui::SameLine();
  if (button("Cancel###make none", "Make none (Escape)")) makes_ = false, focus_name_ = true;
  if (!make) return;
  if (const auto made = make_folder(folder_, new_name_); !made) {
    problem_ = made.error().message;
    focus_making_ = true;
    return;
  }
  makes_ = false, focus_name_ = true;
  enter(folder_ / new_name_);
}

void FileBrowser::draw_places(bool beside) {
  const auto rows = [&](float room) {
    for (size_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      ImGui::PushID(int(i));
      if (ImGui::Selectable(elided(place.name, room).c_str(), place.folder == folder_)) {
        focus_name_ = true;
        enter(place.folder);
      }
      note_place(("place " + place.name).c_str());
      tooltip(place.tip.c_str());
      ImGui::PopID();
    }
  };
  if (beside) return rows(ImGui::GetContentRegionAvail().x);
  if (button("Places", "Home, what was open lately, disks")) ImGui::OpenPopup("places");
  ImGui::SameLine();
  if (!ImGui::BeginPopup("places")) return;
  rows(kPlaces * ImGui::GetFontSize());
  ImGui::EndPopup();
}

void FileBrowser::draw_row(uint32_t row) {
  const FolderEntry& shown = entry(row);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(int(row));
  constexpr auto kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                          ImGuiSelectableFlags_NoAutoClosePopups;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::Selectable("##row", chosen_ == int(row), kFlags);
  const bool by_key = pressed && !ImGui::IsMouseReleased(0) && !ImGui::IsMouseDown(0);
  if (chosen_ == int(row) && std::exchange(to_row_, false) && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  note_place(("file " + shown.name).c_str());
  const std::string name = shown.folder ? shown.name + "/" : shown.name;
  const std::string text = elided(name, ImGui::GetContentRegionAvail().x);
  if (text != name) tooltip(name.c_str());
  ImGui::SetCursorScreenPos(at);
  ImGui::TextUnformatted(text.c_str());
  const bool narrow = ImGui::TableGetColumnCount() < 3;
  if (!narrow) {
    ImGui::TableNextColumn();
    const std::string size = shown.folder ? "" : file_size_text(shown.bytes);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                         ImGui::CalcTextSize(size.c_str()).x);
    ImGui::TextDisabled("%s", size.c_str());
  }
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", date_text(shown.changed, !narrow).c_str());
  ImGui::PopID();
  if (!pressed) return;
  choose_row(int(row));
  focus_name_ = !by_key;
  if (by_key || ImGui::IsMouseDoubleClicked(0)) take_row(row);
}

void FileBrowser::draw_list(float height) {
  const bool narrow = is_narrow();
  const float em = ImGui::GetFontSize();
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable | ImGuiTableFlags_RowBg |
                          ImGuiTableFlags_BordersOuter | ImGuiTableFlags_NoSavedSettings;
  if (std::exchange(to_top_, false)) ImGui::SetNextWindowScroll({0, 0});
  if (!ImGui::BeginTable(narrow ? "narrow" : "entries", narrow ? 2 : 3, kFlags, {0, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const auto column = [](const char* name, FolderOrder order, ImGuiTableColumnFlags flags, float width) {
    ImGui::TableSetupColumn(name, flags, width, ImGuiID(order));
  };
  constexpr auto kFixed = ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending;
  column("Name", FolderOrder::kName, ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort, 0);
  if (!narrow) column("Size", FolderOrder::kSize, kFixed, 5 * em);
  column("Changed", FolderOrder::kDate, kFixed, (narrow ? 5.5f : 8.5f) * em);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    ImGui::TableSetColumnIndex(i);
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    note_place(("by " + std::string(ImGui::TableGetColumnName(i))).c_str());
  }
  if (ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs(); sort && sort->SpecsDirty && sort->SpecsCount > 0) {
    view_.order = FolderOrder(sort->Specs[0].ColumnUserID);
    view_.falling = sort->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    sort->SpecsDirty = false;
    focus_name_ = !makes_;
    list_again();
  }
  ImGuiListClipper clipper;
  clipper.Begin(int(shown_.size()));
  if (to_row_ && chosen_ >= 0) clipper.IncludeItemByIndex(chosen_);
  const fs::path before = folder_;
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd && folder_ == before; ++i) draw_row(uint32_t(i));
  ImGui::EndTable();
}

int FileBrowser::edit_name(ImGuiInputTextCallbackData& data) {
  std::string text(data.Buf, size_t(data.BufTextLen));
  const auto write = [&](const std::string& other) {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, other.c_str());
    text = other;
  };
  if (data.EventFlag == ImGuiInputTextFlags_CallbackAlways) {  // goes on behind what was typed early
    data.ClearSelection();
    data.CursorPos = data.BufTextLen;
    return 0;
  }
  if (data.EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    name_ = text;
    go(data.EventKey == ImGuiKey_UpArrow ? -1 : 1);
    write(name_);
    return 0;
  }
  if (data.EventFlag == ImGuiInputTextFlags_CallbackCompletion) write(completed(contents_.entries, shown_, text));
  problem_.clear();
  if (const size_t slash = text.rfind('/'); slash != std::string::npos)
    if (const fs::path folder = path_of(text.substr(0, slash + 1)); leads_to_folder(folder)) {
      enter(folder);
      write(text.substr(slash + 1));
    }
  name_ = text;
  view_.typed = question_.kind == FileDialogKind::kSaveFile ? "" : text;
  list_again();
  return 0;
}

void FileBrowser::draw_name() {
  // The keyboard comes to the field some frames after a click: what is typed until then replaces the name, as what was
  // selected.
  const bool waits = !in_name_ && !makes_ && !ImGui::IsAnyItemActive();
  if (const std::string text = waits ? typed_text() : ""; !text.empty()) {
    name_ = typed_early_ ? name_ + text : text;
    view_.typed = question_.kind == FileDialogKind::kSaveFile ? "" : name_;
    list_again();
    focus_name_ = typed_early_ = true;
  }
  if (std::exchange(focus_name_, false)) ImGui::SetKeyboardFocusHere();
  const bool was_empty = name_.empty();
  const auto callback = [](ImGuiInputTextCallbackData* data) {
    return static_cast<FileBrowser*>(data->UserData)->edit_name(*data);
  };
  // Where nothing is to be completed, Tab goes on to the next control.
  const bool completes = !name_.empty() && completed(contents_.entries, shown_, name_) != name_;
  const ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackEdit |
                                    ImGuiInputTextFlags_CallbackHistory |
                                    (completes ? ImGuiInputTextFlags_CallbackCompletion : 0) |
                                    (typed_early_ ? ImGuiInputTextFlags_CallbackAlways : 0);
  const char* hint = is_folder(question_.kind)                     ? "this folder"
                     : question_.kind == FileDialogKind::kSaveFile ? "name of the file"
                                                                   : "type to filter, or a path";
  std::string edited = name_;  // which the callback writes, while Dear ImGui has the place of this one
  const bool entered = ImGui::InputTextWithHint("##name", hint, &edited, flags, callback, this);
  name_ = std::move(edited);
  if (entered) accept();
  note_place("file name");
  in_name_ = ImGui::IsItemActive();
  typed_early_ = typed_early_ && !in_name_;
  if (ImGui::IsKeyPressed(ImGuiKey_Backspace, false) && (in_name_ ? was_empty : !ImGui::IsAnyItemActive())) {
    focus_name_ = true;
    enter(folder_.parent_path());
  }
}

bool FileBrowser::draw_buttons() {
  const auto named = answer();
  const Verb verb = verb_of(question_.kind, named);
  ImGui::BeginDisabled(!named);
  if (button(verb.label, verb.tip)) accept();
  ImGui::EndDisabled();
  if (question_.kind == FileDialogKind::kOpenAny &&
      next_button("Open this folder",
                  "The one that is named above, else the one that is shown: photos, a dataset, a run"))
    chosen_path_ = named && leads_to_folder(*named) ? *named : folder_;
  return next_button("Cancel", "Choose nothing (Escape)") || cancelled_ || chosen_path_;
}

std::optional<fs::path> FileBrowser::draw() {
  if (!open_) return std::nullopt;
  take_arrived();
  const std::string id = question_.title + "###browser";
  if (std::exchange(just_opened_, false)) ImGui::OpenPopup(id.c_str());
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 own{std::min(size.x * 0.96f, 56 * em), std::min(size.y * 0.94f, 36 * em)};
  const bool resized = size.x != width_ || size.y != high_;
  width_ = size.x, high_ = size.y;
  const ImGuiCond when = resized ? ImGuiCond_Always : ImGuiCond_Appearing;
  ImGui::SetNextWindowSize(own, when);
  ImGui::SetNextWindowSizeConstraints({0, 0}, size);
  ImGui::SetNextWindowPos({(size.x - own.x) / 2, (size.y - own.y) / 2}, when);
  if (!ImGui::BeginPopupModal(id.c_str(), nullptr, ImGuiWindowFlags_NoSavedSettings)) {
    open_ = false;
    return std::nullopt;
  }
  draw_head();
  const float height = std::max(ImGui::GetContentRegionAvail().y - footer_, 4 * em);
  if (!is_narrow()) {
    ImGui::BeginChild("places", {kPlaces * em, height}, ImGuiChildFlags_Borders);
    draw_places(true);
    ImGui::EndChild();
    ImGui::SameLine();
  }
  draw_list(height);
  const float top = ImGui::GetCursorPosY();
  draw_left_out();
  if (!problem_.empty()) ImGui::TextWrapped("%s", problem_.c_str());
  const bool kinds = is_folder(question_.kind) || !question_.kinds.endings.empty(), one_row = !is_narrow();
  ImGui::SetNextItemWidth(kinds && one_row ? -14 * em - gap : -1);
  draw_name();
  if (kinds && one_row) ImGui::SameLine();
  if (kinds) ImGui::SetNextItemWidth(one_row ? 14 * em : -1);
  draw_kinds();
  const bool ends = draw_buttons();
  footer_ = ImGui::GetCursorPosY() - top;
  if (ends) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return ends ? std::exchange(chosen_path_, std::nullopt) : std::nullopt;
}

}  // namespace viewer
