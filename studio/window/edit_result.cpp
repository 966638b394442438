// From a run to the editing of what it came to.
#include <system_error>

#include "studio/window/workspace.h"

namespace viewer {

namespace fs = std::filesystem;

void Workspace::edit_result() {
  if (!received.splats) return;
  const fs::path file = received.splats->path;
  std::error_code code;
  if (!fs::exists(file, code))
    return say(
        "these are the splats of a run, which has not written them: save them (Ctrl+S) and open that file to "
        "edit them");
  if (must_wait([this] { edit_result(); })) return;
  edited_result_ = file;
  open_now(file, {});
}

// Another scene that was opened meanwhile is not edited.
bool Workspace::edit_is_wanted() {
  if (edited_result_.empty() || !received.splats || received.splats->iteration >= 0) return false;
  return std::exchange(edited_result_, {}) == received.splats->path;
}

}  // namespace viewer
