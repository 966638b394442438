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

// Rows that came after the proposal are in none.
edit::RowMask rows_proposed(const splat::clean::Proposal& proposal, const EditRequest& request, size_t rows) {
  edit::RowMask mask(rows);
  for (size_t row = 0; row < std::min(rows, proposal.score.size()); ++row)
    mask[row] = proposal.score[row] > 0 && proposal.score[row] >= float(request.low) &&
                (request.reasons >> unsigned(proposal.reasons[row]) & 1) != 0;
  return mask;
}

}  // namespace

splat::Result<viewer::EditedScene> Editing::carry_out(const EditRequest& request, viewer::EngineModel& model) {
  const auto start = std::chrono::steady_clock::now();
  edit::EditedModel& edited = model.edited();
  switch (request.step) {
    case EditStep::kBegin:
      break;
    case EditStep::kSelectOnScreen:
    case EditStep::kSelectByColour:
    case EditStep::kSelectByFlood:
    case EditStep::kSelectInSphere:
    case EditStep::kSelectInBox:
    case EditStep::kSelectByValue:
    case EditStep::kSelectProposed:
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

// The row that adds most to the picture in the mask.
splat::Result<std::optional<size_t>> Editing::row_seen(const EditRequest& request, viewer::EngineModel& model) {
  SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model.seeing(request.view, request.antialias));
  backend->read_contributions({request.mask.pixels, kSeenWeight}, seen_);
  const auto most = std::max_element(seen_.weight_sum.begin(), seen_.weight_sum.end());
  if (most == seen_.weight_sum.end() || *most <= 0) return std::optional<size_t>();
  return std::optional(size_t(most - seen_.weight_sum.begin()));
}

// Those like the row that is seen, or around it.
splat::Result<edit::RowMask> Editing::rows_at(const EditRequest& request, viewer::EngineModel& model) {
  const splat::Gaussians& splats = model.edited().model();
  SPLAT_ASSIGN_OR_RETURN(const std::optional<size_t> row, row_seen(request, model));
  if (!row) return edit::RowMask(splats.size());
  if (request.step == EditStep::kSelectByColour)
    return edit::rows_by_colour(splats, edit::colour_of(splats, *row), request.tolerance, pool_);
  const float* mean = &splats.means[3 * *row];
  const std::array<double, 3> centre{mean[0], mean[1], mean[2]};
  const double depth = (request.view.cam_from_world * centre)[2];
  const double radius = request.radius_px * depth / double(request.view.camera.fx);
  if (request.step == EditStep::kSelectInSphere) return edit::rows_in_sphere(splats, {centre, radius}, pool_);
  edit::Box box{centre, centre};
  for (size_t c = 0; c < 3; ++c) box.low[c] -= radius, box.high[c] += radius;
  return edit::rows_in_box(splats, box, {}, pool_);
}

splat::Result<edit::RowMask> Editing::rows_of(const EditRequest& request, viewer::EngineModel& model) {
  const splat::Gaussians& splats = model.edited().model();
  edit::ScreenMask flooded;
  switch (request.step) {
    case EditStep::kSelectByValue:
      return edit::rows_by_value(splats, request.measure.value(), request.low, request.high, pool_);
    case EditStep::kSelectProposed:
      return rows_proposed(proposal_, request, splats.size());
    case EditStep::kSelectByColour:
    case EditStep::kSelectInSphere:
    case EditStep::kSelectInBox:
      return rows_at(request, model);
    case EditStep::kSelectByFlood: {
      SPLAT_ASSIGN_OR_RETURN(const splat::ImageF picture, model.picture(request.view, request.antialias));
      const auto& pixels = request.mask.pixels;
      const int at = int(std::find(pixels.begin(), pixels.end(), 1) - pixels.begin());
      flooded = edit::flood_mask(picture, at % picture.width, at / picture.width, request.tolerance);
      break;
    }
    default:
      break;
  }
  const edit::ScreenMask& mask = request.step == EditStep::kSelectByFlood ? flooded : request.mask;
  if (!request.visible) return edit::rows_behind_mask(splats, request.view, mask, pool_);
  SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model.seeing(request.view, request.antialias));
  backend->read_contributions({mask.pixels, kSeenWeight}, seen_);
  return edit::rows_seen(seen_.max_weight, kSeenWeight);
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
