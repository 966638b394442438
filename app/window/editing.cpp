#include "app/window/editing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/window/scene_memory_file.h"
#include "splat/core/log.h"
#include "splat/edit/selectors.h"

namespace app {

namespace edit = splat::edit;
using viewer::EditRequest;
using viewer::EditStep;

namespace {

constexpr size_t kBins = 128;
constexpr size_t kStatesAtOnce = 65536;
constexpr float kSeenWeight = 0.05f;  // blending weight from which a splat counts as seen

}  // namespace

splat::Result<viewer::EditedScene> Editing::carry_out(const EditRequest& request, viewer::EngineModel& model) {
  const auto start = std::chrono::steady_clock::now();
  edit::EditedModel& edited = model.edited();
  switch (request.step) {
    case EditStep::kBegin:
      break;
    case EditStep::kSelectOnScreen:
    case EditStep::kSelectByColour:
    case EditStep::kSelectByValue:
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
    case EditStep::kGrow:
      if (request.distance > 0) edited.grow_selection(request.distance);
      break;
    case EditStep::kShrink:
      if (request.distance > 0) edited.shrink_selection(request.distance);
      break;
    case EditStep::kHide:
      edited.hide_selected();
      break;
    case EditStep::kUnhide:
      edited.unhide_all();
      break;
    case EditStep::kLock:
      edited.lock_selected();
      break;
    case EditStep::kUnlock:
      edited.unlock_all();
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
  if (request.measure)
    now.histogram = edit::value_histogram(edited.model(), edited.states(), *request.measure, kBins, pool_);
  now.usual_distance = usual_distance(edited.model());
  now.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return now;
}

splat::Status Editing::select(const EditRequest& request, viewer::EngineModel& model) {
  SPLAT_ASSIGN_OR_RETURN(const edit::RowMask mask, rows_of(request, model));
  model.edited().select(mask, request.mode);
  return {};
}

// Those with the colour that is seen: the splat that adds most to the picture there has it.
edit::RowMask Editing::rows_like(const splat::Gaussians& splats, const std::vector<float>& weights, float tolerance) {
  const auto most = std::max_element(weights.begin(), weights.end());
  if (most == weights.end() || *most <= 0) return edit::RowMask(splats.size());
  const size_t row = size_t(most - weights.begin());
  return edit::rows_by_colour(splats, edit::colour_of(splats, row), tolerance, pool_);
}

splat::Result<edit::RowMask> Editing::rows_of(const EditRequest& request, viewer::EngineModel& model) {
  const splat::Gaussians& splats = model.edited().model();
  if (request.step == EditStep::kSelectByValue)
    return edit::rows_by_value(splats, request.measure.value(), request.low, request.high, pool_);
  const bool by_colour = request.step == EditStep::kSelectByColour;
  if (!request.visible && !by_colour) return edit::rows_behind_mask(splats, request.view, request.mask, pool_);
  SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model.seeing(request.view, request.antialias));
  splat::Contributions seen;
  backend->read_contributions({request.mask.pixels, kSeenWeight}, seen);
  if (by_colour) return rows_like(splats, seen.weight_sum, request.tolerance);
  return edit::rows_seen(seen.max_weight, kSeenWeight);
}

// Neighbours overlap, so that they lie about as far apart as splats are large.
double Editing::usual_distance(const splat::Gaussians& model) {
  constexpr double kSizes = 2;  // of a splat: from the middle to where it has faded
  if (usual_distance_ >= 0) return usual_distance_;
  std::vector<float> sizes = edit::row_values(model, edit::RowValue::kSize, pool_);
  std::erase_if(sizes, [](float size) { return !std::isfinite(size); });
  const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  if (!sizes.empty()) std::nth_element(sizes.begin(), middle, sizes.end());
  return usual_distance_ = sizes.empty() ? 0 : kSizes * double(*middle);
}

viewer::EditedScene Editing::scene(const edit::EditedModel& edited) {
  struct Counts {
    std::array<size_t, 16> rows{};  // by state
    bool unsaved = false;
  };
  viewer::EditedScene now;
  now.splats = splats_;
  now.states.resize(edited.states().size());
  std::vector<Counts> of_thread(size_t(pool_.threads()));
  pool_.for_chunks(now.states.size(), kStatesAtOnce, [&](size_t begin, size_t end, int thread) {
    Counts& mine = of_thread[size_t(thread)];
    for (size_t row = begin; row < end; ++row) {
      const uint8_t state = now.states[row] = edited.states()[row];
      ++mine.rows[state];
      mine.unsaved |= ((state ^ (saved_.empty() ? 0 : saved_[row])) & edit::kDeleted) != 0;
    }
  });
  for (const Counts& counts : of_thread) {
    now.unsaved |= counts.unsaved;
    for (size_t state = 0; state < counts.rows.size(); ++state) {
      if (state & edit::kSelected) now.selected += counts.rows[state];
      if (state & edit::kHidden) now.hidden += counts.rows[state];
      if (state & edit::kLocked) now.locked += counts.rows[state];
      if (state & edit::kDeleted) now.deleted += counts.rows[state];
    }
  }
  if (const edit::Step* step = edited.history().next_undo()) now.undo = step->name;
  if (const edit::Step* step = edited.history().next_redo()) now.redo = step->name;
  return now;
}

void Editing::was_saved(const edit::EditedModel& edited, const std::filesystem::path& file) {
  saved_.assign(edited.states().begin(), edited.states().end());
  std::error_code code;
  saved_over_ = std::filesystem::equivalent(file, splats_, code);
}

void Editing::keep(const edit::EditedModel& edited) {
  if (!scene(edited).unsaved) return keeper_.forget();
  std::vector<uint8_t> states;
  for (size_t row = 0; row < edited.states().size(); ++row)
    if (!saved_over_ || !(saved_[row] & edit::kDeleted)) states.push_back(edited.states()[row]);
  if (const splat::Status status = keeper_.keep(states); !status) splat::log::warning(status.error().message);
}

splat::Status Editing::restore(const KeptEdits& kept, viewer::EngineModel& model) {
  if (kept.states.size() != model.edited().states().size() || kept.content != content_of(splats_))
    return splat::Error{"the edits of '" + splats_.string() + "' cannot be restored: the file has changed since"};
  model.edited().set_states(kept.states);
  keep(model.edited());
  return {};
}

}  // namespace app
