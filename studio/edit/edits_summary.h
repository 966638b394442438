// What editing changed in the splats that a file holds, in words: for questions that ask whether edits may be lost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "splat/edit/edited_state.h"
#include "studio/names.h"

namespace studio {

struct EditsSummary {
  size_t deleted = 0, restored = 0, added = 0, moved = 0;  // splats
  size_t parts = 0;                                        // objects beside the first one; no file holds that
  bool described = false;                                  // is_described(), which no file holds either

  bool changes_the_file() const { return deleted + restored + added + moved > 0; }
  bool any() const { return changes_the_file() || parts > 0 || described; }
  std::string text() const;  // "12 splats were deleted, 3 were added"
};

// Whether one of them has been given a name, hidden or locked.
bool is_described(const std::vector<splat::edit::Object>& objects);

// Sums up all that was done since the file was opened.
EditsSummary summary_of(const splat::edit::EditedState& edits);

}  // namespace studio
