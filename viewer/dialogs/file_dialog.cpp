#include "viewer/dialogs/file_dialog.h"

#include "splat/core/system.h"

namespace viewer {

namespace fs = std::filesystem;

void FileDialog::open(const FileQuestion& question) {
  if (is_open()) return;
  question_ = question;
  std::error_code code;
  question_.folder = fs::is_directory(question.folder, code) ? question.folder : fs::current_path(code);
  const std::string bus = splat::environment("HIPSPLAT_OWN_FILE_DIALOG") || no_portal_ ? "" : session_bus_address();
  if (bus.empty())
    browser_.open(question_);
  else
    portal_ = std::make_unique<DesktopPortal>(
        bus,
        PortalQuestion{question.kind, question.title, question_.folder.string(), question.suggested, question.kinds});
}

std::optional<fs::path> FileDialog::poll_portal() {
  auto answer = portal_->poll();
  if (!answer) return std::nullopt;
  portal_.reset();
  if (answer->available) return answer->chosen;
  no_portal_ = true;
  browser_.open(question_);
  return std::nullopt;
}

std::optional<fs::path> FileDialog::poll() { return portal_ ? poll_portal() : browser_.draw(); }

}  // namespace viewer
