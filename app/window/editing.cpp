#include "app/window/editing.h"

#include <algorithm>
#include <chrono>

#include "splat/edit/selectors.h"

namespace app {

namespace edit = splat::edit;
using viewer::EditRequest;
using viewer::EditStep;

namespace {

constexpr float kSeenWeight = 0.05f;  // blending weight from which a splat counts as seen

}  // namespace

splat::Result<viewer::EditedScene> Editing::carry_out(const EditRequest& request, viewer::EngineModel& model) {
  const auto start = std::chrono::steady_clock::now();
  edit::EditedModel& edited = model.edited();
  switch (request.step) {
    case EditStep::kBegin:
      break;
    case EditStep::kSelectOnScreen:
      SPLAT_TRY(select(request, model));
      break;
    case EditStep::kSelectAll:
      edited.select_all();
      break;
    case EditStep::kSelectNone:
      edited.select_none();
      break;
    case EditStep::kInvert:
      edited.invert_selection();
      break;
    case EditStep::kDelete:
      edited.delete_selected();
      break;
    case EditStep::kUndo:
      edited.undo();
      break;
    case EditStep::kRedo:
      edited.redo();
      break;
  }
  viewer::EditedScene now = scene(edited);
  now.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return now;
}

splat::Status Editing::select(const EditRequest& request, viewer::EngineModel& model) {
  SPLAT_ASSIGN_OR_RETURN(const edit::RowMask mask, rows_of(request, model));
  model.edited().select(mask, request.mode);
  return {};
}

splat::Result<edit::RowMask> Editing::rows_of(const EditRequest& request, viewer::EngineModel& model) {
  if (!request.visible) return edit::rows_behind_mask(model.edited().model(), request.view, request.mask, pool_);
  SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model.backend());
  splat::RenderSettings settings;
  settings.antialias = request.antialias;
  backend->forward(request.view, settings);
  splat::Contributions seen;
  backend->read_contributions({request.mask.pixels, kSeenWeight}, seen);
  return edit::rows_seen(seen.max_weight, kSeenWeight);
}

viewer::EditedScene Editing::scene(const edit::EditedModel& edited) const {
  viewer::EditedScene now;
  now.states.assign(edited.states().begin(), edited.states().end());
  const auto deleted_since = [&](size_t row) {
    return ((now.states[row] ^ (saved_.empty() ? 0 : saved_[row])) & edit::kDeleted) != 0;
  };
  for (size_t row = 0; row < now.states.size(); ++row) {
    const uint8_t state = now.states[row];
    now.selected += (state & edit::kSelected) != 0;
    now.deleted += (state & edit::kDeleted) != 0;
    now.unsaved = now.unsaved || deleted_since(row);
  }
  if (const edit::Step* step = edited.history().next_undo()) now.undo = step->name;
  if (const edit::Step* step = edited.history().next_redo()) now.redo = step->name;
  return now;
}

void Editing::was_saved(const edit::EditedModel& edited) {
  saved_.assign(edited.states().begin(), edited.states().end());
}

}  // namespace app
