// Edits that are not saved yet, kept in hipsplat/edits of the XDG config folder, a file a scene, so that they outlive a
// crash. A lock beside the file is held while a window works on them: another window does not offer them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/output_lock.h"
#include "splat/core/result.h"
#include "splat/edit/edited_state.h"
#include "studio/names.h"

namespace studio {

struct KeptEdits {
  std::filesystem::path splats;  // the file they were made on
  std::string content;           // of that file then, as content_of() says
  splat::edit::EditedState edits;
};

// None: there are none, the file is damaged, or another window works on them.
std::optional<KeptEdits> kept_edits(const std::filesystem::path& config, const std::filesystem::path& splats);
std::optional<KeptEdits> newest_kept_edits(const std::filesystem::path& config);
void forget_kept_edits(const std::filesystem::path& config, const std::filesystem::path& splats);

// Where one window keeps those of the splats that it edits.
class EditsKeeper {
 public:
  EditsKeeper(const std::filesystem::path& config, const std::filesystem::path& splats);
  splat::Status keep(const splat::edit::EditedState& edits);  // in place of those before
  void forget();
  const std::filesystem::path& splats() const { return splats_; }

 private:
  const std::filesystem::path config_, splats_;
  OutputLock lock_;
};

}  // namespace studio
