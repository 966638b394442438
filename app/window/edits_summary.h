// What editing changed in the splats that a file holds, in words: for questions that ask whether edits may be lost.
#pragma once

#include <cstddef>
#include <string>

#include "splat/edit/edited_state.h"

namespace app {

struct EditsSummary {
  size_t deleted = 0, restored = 0, added = 0, moved = 0;  // splats
  size_t parts = 0;                                        // objects that were separated; no file holds that

  bool changes_the_file() const { return deleted + restored + added + moved > 0; }
  bool any() const { return changes_the_file() || parts > 0; }
  std::string text() const;  // "12 splats were deleted, 3 were added"
};

// Of all that was done since the file was opened.
EditsSummary summary_of(const splat::edit::EditedState& edits);

}  // namespace app
