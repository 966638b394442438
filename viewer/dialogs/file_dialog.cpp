#include "viewer/dialogs/file_dialog.h"

#include <fcntl.h>
#include <glib.h>
#include <imgui/imgui.h>
#include <imgui/misc/cpp/imgui_stdlib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "splat/core/system.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

bool installed(const char* program) {
  const g_autofree char* path = g_find_program_in_path(program);
  return path != nullptr;
}

using Words = std::vector<std::string>;

Words zenity_words(FileDialog::Kind kind, const std::string& title, const std::string& start) {
  Words words{"zenity", "--file-selection", "--title=" + title, "--filename=" + start};
  if (is_folder(kind)) words.push_back("--directory");
  if (kind == FileDialog::Kind::kSaveFile) words.insert(words.end(), {"--save", "--confirm-overwrite"});
  return words;
}

Words kdialog_words(FileDialog::Kind kind, const std::string& title, const std::string& start) {
  const char* verb = kind == FileDialog::Kind::kOpenFile ? "--getopenfilename"
                     : is_folder(kind)                   ? "--getexistingdirectory"
                                                         : "--getsavefilename";
  return {"kdialog", "--title", title, verb, start};
}

std::string size_text(uintmax_t bytes) {
  char text[32];
  if (bytes >= 1'000'000)
    std::snprintf(text, sizeof text, "%.1f MB", double(bytes) * 1e-6);
  else
    std::snprintf(text, sizeof text, "%.0f kB", std::max(1.0, double(bytes) * 1e-3));
  return text;
}

}  // namespace

FileDialog::~FileDialog() {
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

void FileDialog::open(Kind kind, const std::string& title, const std::string& folder, const std::string& suggested) {
  if (is_open()) return;
  kind_ = kind, title_ = title, said_.clear();
  std::error_code code;
  const fs::path start = !folder.empty() && fs::is_directory(folder, code) ? fs::path(folder) : fs::current_path(code);
  start_folder_ = start.string(), suggested_ = suggested;
  const std::string bus = splat::environment("HIPSPLAT_OWN_FILE_DIALOG") || no_portal_ ? "" : session_bus_address();
  if (bus.empty())
    open_without_portal();
  else
    portal_ = std::make_unique<DesktopPortal>(bus, PortalQuestion{kind, title, start_folder_, suggested});
}

void FileDialog::open_without_portal() {
  const fs::path start = start_folder_;
  if (start_program((start / "").string(), suggested_)) return;
  browsing_ = just_opened_ = true;
  name_ = suggested_;
  enter(start);
}

// ---- the desktop's dialog

std::optional<fs::path> FileDialog::poll_portal() {
  auto answer = portal_->poll();
  if (!answer) return std::nullopt;
  portal_.reset();
  if (answer->available) return answer->chosen;
  no_portal_ = true;
  open_without_portal();
  return std::nullopt;
}

bool FileDialog::start_program(const std::string& folder, const std::string& suggested) {
  Words words;
  if (splat::environment("HIPSPLAT_OWN_FILE_DIALOG")) return false;
  if (installed("zenity"))
    words = zenity_words(kind_, title_, folder + suggested);
  else if (installed("kdialog"))
    words = kdialog_words(kind_, title_, folder + suggested);
  else
    return false;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto flags = GSpawnFlags(G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD);
  if (!g_spawn_async_with_pipes(nullptr, arguments.data(), nullptr, flags, nullptr, nullptr, &process_, nullptr, &pipe_,
                                nullptr, nullptr))
    return false;
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
  return true;
}

std::optional<fs::path> FileDialog::poll_program() {
  char bytes[512];
  for (ssize_t n; (n = read(pipe_, bytes, sizeof bytes)) > 0;) said_.append(bytes, size_t(n));
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  for (ssize_t n; (n = read(pipe_, bytes, sizeof bytes)) > 0;) said_.append(bytes, size_t(n));
  close(pipe_);
  pipe_ = -1, process_ = -1;
  while (!said_.empty() && said_.back() == '\n') said_.pop_back();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || said_.empty()) return std::nullopt;
  return fs::path(said_);
}

// ---- our own

void FileDialog::enter(const fs::path& folder) {
  std::error_code code;
  fs::directory_iterator files(folder, code);
  if (code) {
    problem_ = "'" + folder.string() + "' cannot be opened: " + code.message();
    return;
  }
  folder_ = folder, problem_.clear(), entries_.clear();
  for (; files != fs::directory_iterator(); files.increment(code)) {
    if (code) break;
    Entry entry{files->path().filename().string(), files->is_directory(code), 0};
    if (entry.name.starts_with(".")) continue;
    if (!entry.folder) entry.bytes = files->file_size(code);
    entries_.push_back(std::move(entry));
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
}

std::optional<fs::path> FileDialog::answer() const {
  const fs::path named = name_.empty() ? folder_ : folder_ / name_;
  std::error_code code;
  if (kind_ == Kind::kOpenFolder || (kind_ == Kind::kResultsFolder && fs::exists(named, code)))
    return fs::is_directory(named, code) ? std::optional(named) : std::nullopt;
  if (kind_ == Kind::kResultsFolder)
    return fs::is_directory(named.parent_path(), code) ? std::optional(named) : std::nullopt;
  if (name_.empty()) return std::nullopt;
  return kind_ == Kind::kSaveFile || fs::exists(named, code) ? std::optional(named) : std::nullopt;
}

void FileDialog::draw_places() {
  std::error_code code;
  if (button("Up", "The folder that holds this one") && folder_.has_parent_path()) enter(folder_.parent_path());
  ImGui::SameLine();
  if (button("Home", "Your home folder")) enter(g_get_home_dir());
  ImGui::SameLine();
  if (button("Working folder", "The folder that hipsplat was started in")) enter(fs::current_path(code));
  ImGui::TextWrapped("%s", folder_.c_str());
  if (!problem_.empty()) ImGui::TextWrapped("%s", problem_.c_str());
}

void FileDialog::draw_entries(std::optional<fs::path>& chosen) {
  const float footer = 2 * ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  ImGui::BeginChild("entries", {0, -footer}, true);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  fs::path next;
  for (const Entry& entry : entries_) {
    const std::string label = entry.folder ? entry.name + "/" : entry.name;
    if (ImGui::Selectable(label.c_str(), entry.name == name_, ImGuiSelectableFlags_AllowDoubleClick)) {
      name_ = entry.name;
      if (ImGui::IsMouseDoubleClicked(0)) {
        if (entry.folder)
          next = folder_ / entry.name;
        else if (!is_folder(kind_))
          chosen = folder_ / entry.name;
      }
    }
    if (!entry.folder) {
      const std::string size = size_text(entry.bytes);
      ImGui::SameLine(right - ImGui::CalcTextSize(size.c_str()).x);
      ImGui::TextDisabled("%s", size.c_str());
    }
  }
  ImGui::EndChild();
  if (!next.empty()) {
    if (kind_ != Kind::kSaveFile) name_.clear();
    enter(next);
  }
}

std::optional<fs::path> FileDialog::draw_browser() {
  std::optional<fs::path> chosen;
  const std::string id = title_ + "###browser";
  if (just_opened_) ImGui::OpenPopup(id.c_str());
  just_opened_ = false;
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowSize({std::min(size.x * 0.8f, 820.0f), std::min(size.y * 0.8f, 620.0f)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(id.c_str(), nullptr, ImGuiWindowFlags_NoSavedSettings)) {
    browsing_ = cancelled_ = false;
    return chosen;
  }
  draw_places();
  draw_entries(chosen);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing() || focus_name_) ImGui::SetKeyboardFocusHere();
  focus_name_ = false;
  const bool entered = ImGui::InputTextWithHint("##name", is_folder(kind_) ? "this folder" : "file name", &name_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const auto named = answer();
  ImGui::BeginDisabled(!named);
  std::error_code code;
  const bool save = kind_ == Kind::kSaveFile, folder = named && fs::is_directory(*named, code);
  const bool replaces = save && named && !folder && fs::exists(*named, code);
  const bool results = kind_ == Kind::kResultsFolder;
  const char* verb = replaces                     ? "Replace this file###choose"
                     : save && !folder            ? "Save###choose"
                     : results                    ? folder ? "Use this folder###choose" : "Use a new folder###choose"
                     : kind_ == Kind::kOpenFolder ? "Open folder###choose"
                                                  : "Open###choose";
  const char* tip = replaces          ? "Write over the file of this name"
                    : save && !folder ? "Write this file"
                    : results         ? "Results go there; a folder that is not there yet is made by the run"
                                      : "Open what is named above";
  if ((button(verb, tip) || entered) && named) {
    // A folder where a file is to be named is only looked into.
    if (!is_folder(kind_) && fs::is_directory(*named, code)) {
      name_.clear();
      focus_name_ = true;
      enter(named->lexically_normal());
    } else {
      chosen = named;
    }
  } else if (entered) {
    focus_name_ = true;
    problem_ =
        "there is no " + std::string(is_folder(kind_) ? "folder" : "file") + " '" + (folder_ / name_).string() + "'";
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (button("Cancel", "Choose nothing (Escape)") || cancelled_ || chosen) {
    browsing_ = cancelled_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return chosen;
}

std::optional<fs::path> FileDialog::poll() {
  if (portal_) return poll_portal();
  if (process_ > 0) return poll_program();
  if (browsing_) return draw_browser();
  return std::nullopt;
}

}  // namespace viewer
