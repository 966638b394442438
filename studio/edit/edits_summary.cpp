#include "studio/edit/edits_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/jobs/host/host.h"
#include "splat/edit/edited_model.h"

namespace studio {

std::string EditsSummary::text() const {
  std::string text;
  const auto add = [&](size_t count, const char* what) {
    if (count == 0) return;
    const std::string noun = count == 1 ? "splat was" : "splats were";
    text += text.empty() ? fmt::format("{} {} {}", human_count(count), noun, what)
                         : fmt::format(", {} {}", human_count(count), what);
  };
  add(deleted, "deleted");
  add(restored, "brought back");
  add(added, "added");
  add(moved, "moved");
  if (text.empty() && parts > 0)
    text = parts == 1 ? "a part was separated" : fmt::format("{} parts were separated", parts);
  if (text.empty() && described) text = "objects were named, hidden or locked";
  return text;
}

// A part has a name from the beginning, but then there are parts.
bool is_described(const std::vector<splat::edit::Object>& objects) {
  return std::any_of(objects.begin(), objects.end(), [](const splat::edit::Object& object) {
    return !object.name.empty() || !object.visible || object.locked;
  });
}

EditsSummary summary_of(const splat::edit::EditedState& edits) {
  EditsSummary summary;
  const size_t opened = edits.rows_of_file();
  for (size_t row = 0; row < edits.states.size(); ++row) {
    const bool deleted = edits.states[row] & splat::edit::kDeleted;
    summary.deleted += deleted && row < opened;
    summary.added += !deleted && row >= opened;
    summary.moved += !deleted && row < opened && edits.placement(row) != 0;
    summary.parts = std::max<size_t>(summary.parts, edits.object(row));
  }
  summary.described = is_described(edits.list);
  return summary;
}

}  // namespace studio
