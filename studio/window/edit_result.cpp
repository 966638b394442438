#include "studio/window/edit_result.h"

#include <system_error>
#include <utility>

namespace studio {

namespace fs = std::filesystem;

void edit_result(Workspace& work) {
  if (!work.received.splats) return;
  const fs::path file = work.received.splats->path;
  std::error_code code;
  if (!fs::exists(file, code))
    return work.say(
        "these are the splats of a run, which has not written them: save them (Ctrl+S) and open that file to edit "
        "them");
  if (work.must_wait([&work] { edit_result(work); })) return;
  work.dialogs.edited_result = file;
  work.open_now(file, {});
}

// Another scene that was opened meanwhile is not edited.
bool edit_is_wanted(Workspace& work) {
  const auto& splats = work.received.splats;
  if (work.dialogs.edited_result.empty() || !splats || splats->iteration >= 0) return false;
  return std::exchange(work.dialogs.edited_result, {}) == splats->path;
}

}  // namespace studio
