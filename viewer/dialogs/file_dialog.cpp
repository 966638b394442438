#include "viewer/dialogs/file_dialog.h"

#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "splat/core/system.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

bool installed(const char* program) {
  const g_autofree char* path = g_find_program_in_path(program);
  return path != nullptr;
}

using Words = std::vector<std::string>;

Words zenity_words(const FileQuestion& asked, const std::string& start) {
  Words words{"zenity", "--file-selection", "--title=" + asked.title, "--filename=" + start};
  if (is_folder(asked.kind)) words.push_back("--directory");
  if (asked.kind == FileDialogKind::kSaveFile) words.insert(words.end(), {"--save", "--confirm-overwrite"});
  if (!has_kinds(asked.kind, asked.kinds)) return words;
  std::string kinds = "--file-filter=" + asked.kinds.name + " |";
  for (const std::string& pattern : patterns_of(asked.kinds)) kinds += " " + pattern;
  words.insert(words.end(), {kinds, std::string("--file-filter=") + kAllFiles + " | *"});
  return words;
}

// Filters in the words of Qt, which does not tell capitals apart.
Words kdialog_words(const FileQuestion& asked, const std::string& start) {
  const char* verb = is_folder(asked.kind)                     ? "--getexistingdirectory"
                     : asked.kind == FileDialogKind::kSaveFile ? "--getsavefilename"
                                                               : "--getopenfilename";
  Words words{"kdialog", "--title", asked.title, verb, start};
  if (!has_kinds(asked.kind, asked.kinds)) return words;
  std::string kinds;
  for (const std::string& ending : asked.kinds.endings) kinds += (kinds.empty() ? "*" : " *") + ending;
  words.push_back(asked.kinds.name + " (" + kinds + ")\n" + kAllFiles + " (*)");
  return words;
}

}  // namespace

FileDialog::~FileDialog() {
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

void FileDialog::open(const FileQuestion& question) {
  if (is_open()) return;
  question_ = question, said_.clear();
  std::error_code code;
  question_.folder = fs::is_directory(question.folder, code) ? question.folder : fs::current_path(code);
  const std::string bus = splat::environment("HIPSPLAT_OWN_FILE_DIALOG") || no_portal_ ? "" : session_bus_address();
  if (bus.empty())
    open_without_portal();
  else
    portal_ = std::make_unique<DesktopPortal>(
        bus,
        PortalQuestion{question.kind, question.title, question_.folder.string(), question.suggested, question.kinds});
}

void FileDialog::open_without_portal() {
  if (!start_program((question_.folder / "").string(), question_.suggested)) browser_.open(question_);
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
    words = zenity_words(question_, folder + suggested);
  else if (installed("kdialog"))
    words = kdialog_words(question_, folder + suggested);
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

std::optional<fs::path> FileDialog::poll() {
  if (portal_) return poll_portal();
  if (process_ > 0) return poll_program();
  return browser_.draw();
}

}  // namespace viewer
