#include "app/window/editing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "app/window/object_steps.h"
#include "splat/clean/groups.h"
#include "splat/core/log.h"
#include "splat/core/median.h"
#include "splat/edit/selectors.h"
#include "studio/documents/scene_memory_file.h"
#include "viewer/live/shown_move.h"

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

bool selects_rows(EditStep step) {
  switch (step) {
    case EditStep::kSelectOnScreen:
    case EditStep::kSelectByColour:
    case EditStep::kSelectByFlood:
    case EditStep::kSelectInSphere:
    case EditStep::kSelectInBox:
    case EditStep::kSelectByValue:
    case EditStep::kSelectProposed:
    case EditStep::kSelectObject:
    case EditStep::kSelectByBox:
      return true;
    default:
      return false;
  }
}

// Those that need neither a picture nor a mask of rows.
void take_step(const EditRequest& request, edit::EditedModel& edited) {
  switch (request.step) {
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
    case EditStep::kDuplicate:
      edited.duplicate_selected();
      break;
    case EditStep::kSeparate:
      edited.separate_selected();
      break;
    case EditStep::kTransform:
      request.everything ? edited.move_all(request.transform) : edited.move_selected(request.transform);
      break;
    case EditStep::kUndo:
      edited.undo();
      break;
    case EditStep::kRedo:
      edited.redo();
      break;
    default:  // kBegin
      break;
  }
}

}  // namespace

splat::Result<viewer::EditedScene> Editing::carry_out(const EditRequest& request, viewer::EngineModel& model) {
  const auto start = std::chrono::steady_clock::now();
  edit::EditedModel& edited = model.edited();
  const size_t rows = edited.model().size();
  if (selects_rows(request.step)) {
    SPLAT_TRY(select(request, model));
  } else if (is_object_step(request.step)) {
    take_object_step(request, edited);
  } else {
    take_step(request, edited);
  }
  take_box_step(request, edited);
  if (request.step != EditStep::kRedo) rows_came(rows, model);
  viewer::EditedScene now = scene(edited);
  if (request.step == EditStep::kProposeBox)
    now.box = edit::box_around(edited.model(), edited.states(), request.rows, request.box.rotation);
  if (request.measure) now.histogram = histogram(request, model);
  if (request.step == EditStep::kFindGround) now.ground = ground(edited, request.up);
  now.step = request.step;
  if (request.step == EditStep::kRefine) {
    const auto found = refined(request, edited, pool_);
    if (found)
      now.refined = *found;
    else
      splat::log::error(found.error().message);
  }
  if (request.marked) mark(*request.marked, edited, now);
  if (request.wants_extent) now.extent = extent(edited);
  if (request.wants_groups) now.groups = groups(edited);
  now.usual_distance = usual_distance(edited.model());
  now.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return now;
}

void Editing::mark(uint32_t object, const edit::EditedModel& edited, viewer::EditedScene& now) {
  const auto objects = edited.objects();
  pool_.for_chunks(objects.size(), kStatesAtOnce, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) now.states[row] |= objects[row] == object ? viewer::kMarked : 0;
  });
  now.marked = object;
}

edit::RowMask Editing::rows_of_box(const EditRequest& request, const edit::EditedModel& edited) {
  edit::RowMask rows = edit::rows_in_box(edited.model(), request.box, pool_);
  if (request.outside)
    for (uint8_t& row : rows) row = !row;
  return rows;
}

// Under what is shown.
std::optional<edit::GroundPlane> Editing::ground(const edit::EditedModel& edited, const std::array<double, 3>& up) {
  std::vector<float> shown;
  for (size_t row = 0; row < edited.states().size(); ++row)
    if ((edited.states()[row] & (edit::kDeleted | edit::kHidden)) == 0)
      shown.insert(shown.end(), &edited.model().means[3 * row], &edited.model().means[3 * row] + 3);
  return edit::find_ground(shown, up);
}

void Editing::take_box_step(const EditRequest& request, edit::EditedModel& edited) {
  if (request.step == EditStep::kDeleteByBox) edited.delete_rows(rows_of_box(request, edited));
  if (request.step == EditStep::kShowBox) edited.show_only(rows_of_box(request, edited));
}

splat::Status Editing::select(const EditRequest& request, viewer::EngineModel& model) {
  SPLAT_ASSIGN_OR_RETURN(const edit::RowMask mask, rows_of(request, model));
  model.edited().select(mask, request.mode);
  return {};
}

splat::Result<edit::RowMeasure> Editing::measured(const EditRequest& request, viewer::EngineModel& model) {
  edit::RowMeasure measure = request.measure.value();
  if (measure.value != edit::RowValue::kContribution) return measure;
  SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model.seeing(request.seen_from, request.antialias));
  backend->read_contributions({}, seen_);
  measure.weights = seen_.max_weight;
  return measure;
}

// The step has been carried out: where nothing can be seen, the histogram alone is empty.
edit::ValueHistogram Editing::histogram(const EditRequest& request, viewer::EngineModel& model) {
  const auto measure = measured(request, model);
  if (!measure) return splat::log::error(measure.error().message), edit::ValueHistogram();
  return edit::value_histogram(model.edited().model(), model.edited().states(), *measure, kBins, pool_);
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
  return edit::rows_in_box(splats, splat::box_about(centre, {radius, radius, radius}), pool_);
}

splat::Result<edit::RowMask> Editing::rows_of(const EditRequest& request, viewer::EngineModel& model) {
  const splat::Gaussians& splats = model.edited().model();
  edit::ScreenMask flooded;
  switch (request.step) {
    case EditStep::kSelectObject: {
      edit::RowMask mask(splats.size());
      const auto objects = model.edited().objects();
      for (size_t row = 0; row < mask.size(); ++row) mask[row] = objects[row] == request.object;
      return mask;
    }
    case EditStep::kSelectByBox:
      return rows_of_box(request, model.edited());
    case EditStep::kSelectByValue: {
      SPLAT_ASSIGN_OR_RETURN(const edit::RowMeasure measure, measured(request, model));
      return edit::rows_by_value(splats, measure, request.low, request.high, pool_);
    }
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
  return usual_distance_ = kSizes * double(splat::median(std::move(sizes)));
}

void Editing::count_rows(const edit::EditedModel& edited, viewer::EditedScene& now, EditsSummary& unsaved) {
  constexpr unsigned kInFile = 64, kCameLater = 128;  // beside the bits of a row's state
  struct Counts {
    // Rows by state and these bits. Rows beside each other count in other tables: most have the same state, and each
    // increment of one number would wait for the one before.
    std::array<std::array<size_t, 256>, 4> rows{};
    std::vector<size_t> objects;
  };
  const auto states = edited.states();
  const auto objects = edited.objects();
  const size_t opened = edited.opened_rows(), file = saved_ ? saved_->states.size() : opened;
  const auto in_file = [&](size_t row) { return row < file && !(saved_ && (saved_->states[row] & edit::kDeleted)); };
  std::vector<Counts> of_thread(size_t(pool_.threads()));
  for (Counts& counts : of_thread) counts.objects.resize(edited.object_count());
  pool_.for_chunks(states.size(), kStatesAtOnce, [&](size_t begin, size_t end, int thread) {
    Counts& mine = of_thread[size_t(thread)];
    for (size_t row = begin; row < end; ++row) {
      now.states[row] = states[row];
      ++mine.rows[row % 4][states[row] | (in_file(row) ? kInFile : 0) | (row >= opened ? kCameLater : 0)];
    }
    for (size_t row = begin; row < end;) {  // rows of an object lie together
      const uint32_t object = objects[row];
      size_t there = 0;
      for (; row < end && objects[row] == object; ++row) there += !(states[row] & edit::kDeleted);
      mine.objects[object] += there;
    }
  });
  std::vector<size_t> of_object(edited.object_count());
  for (const Counts& counts : of_thread) {
    for (size_t object = 0; object < of_object.size(); ++object) of_object[object] += counts.objects[object];
    for (const auto& rows : counts.rows) {
      for (unsigned key = 0; key < rows.size(); ++key) {
        const bool there = !(key & edit::kDeleted), kept = key & kInFile, later = key & kCameLater;
        if (key & edit::kSelected) now.selected += rows[key];
        if (key & edit::kHidden) now.hidden += rows[key];
        if (key & edit::kLocked) now.locked += rows[key];
        if (!there) now.deleted += rows[key];
        if (kept && !there) unsaved.deleted += rows[key];
        if (!kept && there) (later ? unsaved.added : unsaved.restored) += rows[key];
      }
    }
  }
  now.objects = scene_objects(edited, splats_, of_object);
  for (size_t row = states.size(); row < file; ++row)  // copies that were saved and undone
    unsaved.deleted += !(saved_->states[row] & edit::kDeleted);
}

// Summed up in parts of rows, so that the middle is the same on any number of threads.
std::optional<viewer::Extent> Editing::extent(const edit::EditedModel& edited) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Part {
    viewer::Extent sums{{}, {kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    size_t rows = 0;
  };
  const viewer::ShownMove meant{{}, edited.count(edit::kSelected) == 0, 0};
  const auto states = edited.states();
  const std::vector<float>& means = edited.model().means;
  std::vector<Part> parts((states.size() + kStatesAtOnce - 1) / kStatesAtOnce);
  pool_.for_chunks(states.size(), kStatesAtOnce, [&](size_t begin, size_t end, int) {
    Part& part = parts[begin / kStatesAtOnce];
    for (size_t row = begin; row < end; ++row) {
      const float* mean = &means[3 * row];
      if ((states[row] & meant.bits()) != meant.value()) continue;
      if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) continue;
      ++part.rows;
      for (size_t c = 0; c < 3; ++c) {
        part.sums.centre[c] += double(mean[c]);
        part.sums.low[c] = std::min(part.sums.low[c], double(mean[c]));
        part.sums.high[c] = std::max(part.sums.high[c], double(mean[c]));
      }
    }
  });
  Part all;
  for (const Part& part : parts) {
    all.rows += part.rows;
    for (size_t c = 0; c < 3; ++c) {
      all.sums.centre[c] += part.sums.centre[c];
      all.sums.low[c] = std::min(all.sums.low[c], part.sums.low[c]);
      all.sums.high[c] = std::max(all.sums.high[c], part.sums.high[c]);
    }
  }
  if (all.rows == 0) return std::nullopt;
  for (double& sum : all.sums.centre) sum /= double(all.rows);
  return all.sums;
}

// Near: as far apart as neighbours are.
std::vector<viewer::ProposedGroup> Editing::groups(const edit::EditedModel& edited) {
  constexpr double kNear = 1;  // usual distances
  constexpr size_t kMost = 24;
  std::vector<uint32_t> rows;
  const auto states = edited.states();
  for (uint32_t row = 0; row < std::min(states.size(), proposal_.score.size()); ++row)
    if (states[row] & edit::kSelected) rows.push_back(row);
  const double near = kNear * usual_distance(edited.model());
  std::vector<viewer::ProposedGroup> shown;
  if (rows.empty() || !(near > 0)) return shown;
  for (const splat::clean::Group& group : splat::clean::groups_of(edited.model(), proposal_, rows, near, kMost))
    shown.push_back({size_t(group.reason), group.rows, group.box});
  return shown;
}

// Counting them costs a pass over the rows, which most steps do not need.
size_t Editing::moved_rows(const edit::EditedModel& edited) {
  if (moved_at_ != edited.revision()) {
    moved_ = edited.moved_rows(saved_ ? &*saved_ : nullptr);
    moved_at_ = edited.revision();
  }
  return moved_;
}

viewer::EditedScene Editing::scene(const edit::EditedModel& edited, EditsSummary* summary) {
  viewer::EditedScene now;
  now.splats = splats_;
  now.states.resize(edited.states().size());
  EditsSummary unsaved;
  count_rows(edited, now, unsaved);
  unsaved.moved = moved_rows(edited);
  unsaved.parts = edited.object_count() - 1;
  unsaved.described = is_described(edited.list());
  now.unsaved = unsaved.changes_the_file();
  now.unsaved_what = unsaved.text();
  now.saved_as = saved_as_;
  now.revision = edited.revision();
  now.proposal = proposal_number_, now.proposed_rows = proposal_.score.size();
  now.placed = edited.placed();
  if (saved_over_) now.file_scale = saved_over_->placed.scale;
  if (summary) *summary = unsaved;
  if (const edit::Step* step = edited.history().next_undo()) now.undo = step->name;
  if (const edit::Step* step = edited.history().next_redo()) now.redo = step->name;
  return now;
}

std::optional<viewer::ChangedRows> Editing::take_changed_rows(const edit::EditedModel& edited) {
  if (edited.revision() == revision_shown_) return std::nullopt;
  revision_shown_ = edited.revision();
  viewer::ChangedRows changed = viewer::changed_rows_of(edited, pool_);
  changed.splats = splats_;
  return changed;
}

void Editing::was_saved(edit::EditedState state, const std::filesystem::path& file, double units) {
  saved_ = std::move(state);
  saved_as_ = file;
  moved_at_.reset();
  std::error_code code;
  if (std::filesystem::equivalent(file, splats_, code)) saved_over_ = edit::in_other_units(*saved_, units);
}

void Editing::keep(const edit::EditedModel& edited) {
  EditsSummary unsaved;
  scene(edited, &unsaved);
  if (!unsaved.any()) return keeper_.forget();
  const edit::EditedState now = edited.state();
  const splat::Status status = keeper_.keep(saved_over_ ? edit::relative_to_saved(now, *saved_over_) : now);
  if (!status) splat::log::warning(status.error().message);
}

uint64_t Editing::set_proposal(splat::clean::Proposal proposal, viewer::EngineModel& model) {
  proposal_ = std::move(proposal);
  keep_proposed(rows_asked_, model);
  return ++proposal_number_;
}

// Keeps the proposal for as many rows as are still those that it was made for.
void Editing::keep_proposed(size_t rows, viewer::EngineModel& model) {
  if (proposal_.score.size() > rows) proposal_.score.resize(rows), proposal_.reasons.resize(rows);
  model.set_reasons(splat::clean::numbers_of(proposal_.reasons));
}

void Editing::rows_came(size_t before, viewer::EngineModel& model) {
  if (model.edited().model().size() <= before) return;
  rows_asked_ = std::min(rows_asked_, before);
  if (proposal_.score.size() > before) keep_proposed(before, model);
}

splat::Status Editing::add(AddedSplats added, viewer::EngineModel& model) {
  edit::EditedModel& edited = model.edited();
  const size_t rows = edited.model().size();
  if (edited.model().size() + added.model.size() > size_t(std::numeric_limits<uint32_t>::max()))
    return splat::Error{"'" + added.file.path + "' cannot be added: a scene holds at most 4.2 billion splats"};
  edited.add(std::move(added.model), std::move(added.file), std::move(added.name));
  rows_came(rows, model);
  return {};
}

splat::Status Editing::restore(const KeptEdits& kept, std::vector<splat::Gaussians> added, viewer::EngineModel& model) {
  edit::EditedModel& edited = model.edited();
  if (kept.edits.rows_of_file() != edited.opened_rows() || kept.content != content_of(splats_))
    return splat::Error{"the edits of '" + splats_.string() + "' cannot be restored: the file has changed since"};
  if (edited.model().size() != edited.opened_rows() || edited.moved_rows() > 0)
    return splat::Error{"the edits of '" + splats_.string() + "' cannot be restored over newer ones: undo these first"};
  edited.restore(kept.edits, std::move(added));
  rows_came(edited.opened_rows(), model);
  keep(edited);
  return {};
}

}  // namespace app
