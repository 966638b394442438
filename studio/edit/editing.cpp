#include "studio/edit/editing.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "splat/clean/groups.h"
#include "splat/core/log.h"
#include "studio/documents/scene_memory_file.h"
#include "studio/edit/scene_objects.h"
#include "viewer/live/shown_move.h"

namespace studio {

namespace edit = splat::edit;
namespace {

constexpr size_t kBins = 128;
constexpr size_t kStatesAtOnce = 65536;

// By the engine's backend.
class EngineSight final : public edit::Sight {
 public:
  EngineSight(EngineModel& model, const splat::ScreenFilter& filter, const splat::clean::Proposal& proposal,
              splat::Contributions& seen)
      : model_(model), filter_(filter), proposal_(proposal), seen_(seen) {}

  splat::Result<Weights> weights(const splat::View& view, std::span<const uint8_t> mask) override {
    SPLAT_ASSIGN_OR_RETURN(splat::Backend * backend, model_.seeing(view, filter_));
    backend->read_contributions({mask}, seen_);
    return Weights{seen_.max_weight, seen_.weight_sum};
  }
  splat::Result<splat::ImageF> picture(const splat::View& view) override { return model_.picture(view, filter_); }
  // Rows that came after the proposal are in none.
  edit::RowMask proposed(float least, uint32_t reasons) override {
    edit::RowMask mask(model_.edited().model().size());
    for (size_t row = 0; row < std::min(mask.size(), proposal_.score.size()); ++row)
      mask[row] = proposal_.score[row] > 0 && proposal_.score[row] >= least &&
                  (reasons >> unsigned(proposal_.reasons[row]) & 1) != 0;
    return mask;
  }
  void nothing_is_there() override { missed_ = true; }
  bool missed() const { return missed_; }

 private:
  EngineModel& model_;
  const splat::ScreenFilter filter_;
  const splat::clean::Proposal& proposal_;
  splat::Contributions& seen_;
  bool missed_ = false;
};

// The value; none, with its error in the log: a step has been carried out all the same.
template <class T>
std::optional<T> or_log(splat::Result<T> result) {
  if (!result) return splat::log::error(result.error().message), std::nullopt;
  return std::move(*result);
}

void list_steps(const edit::History& history, EditedScene& now) {
  const auto& steps = history.steps();
  const size_t left_out = steps.size() - std::min(steps.size(), kListedSteps);
  now.steps_before = history.forgotten() + left_out;
  now.steps_done = history.done();
  for (size_t i = left_out; i < steps.size(); ++i) now.steps.push_back({std::string(steps[i].name), steps[i].rows});
}

splat::Result<edit::ValueHistogram> histogram_of(const EditWants& wants, const edit::EditedModel& edited,
                                                 edit::Sight& sight, splat::ThreadPool& pool) {
  edit::RowMeasure measure = *wants.histogram;
  if (measure.value == edit::RowValue::kContribution) {
    SPLAT_ASSIGN_OR_RETURN(const edit::Sight::Weights weights, sight.weights(wants.seen_from, {}));
    measure.weights = weights.max;
  }
  return edit::value_histogram(edited.model(), edited.states(), measure, kBins, pool);
}

}  // namespace

splat::Result<EditedScene> Editing::carry_out(const EditRequest& request, EngineModel& model) {
  const auto start = std::chrono::steady_clock::now();
  edit::EditedModel& edited = model.edited();
  EngineSight sight(model, request.filter, proposal_, seen_);
  const size_t rows = edited.model().size();
  if (request.step) SPLAT_TRY(edit::apply(*request.step, edited, pool_, sight));
  if (!request.step || !edit::is_one_of<edit::Redo, edit::GoToStep>(*request.step)) rows_came(rows, model);
  EditedScene now = scene(edited);
  now.stepped = request.step.has_value();
  now.missed = sight.missed();
  now.transformed = request.step && edit::is_one_of<edit::MoveSelected, edit::MoveAll>(*request.step);
  answer(request.wants, edited, sight, now);
  now.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return now;
}

void Editing::answer(const EditWants& wants, const edit::EditedModel& edited, edit::Sight& sight, EditedScene& now) {
  const ShownMove meant{{}, edited.count(edit::kSelected) == 0, 0};
  now.wants = wants;
  if (wants.box) now.box = edit::box_around(edited.model(), edited.states(), wants.box->rows, wants.box->rotation);
  if (wants.histogram)
    now.histogram = or_log(histogram_of(wants, edited, sight, pool_)).value_or(edit::ValueHistogram());
  if (wants.ground) now.ground = edit::find_ground(edited, *wants.ground);
  if (wants.refined) now.refined = or_log(refined(*wants.refined, edited, pool_));
  if (wants.marked) mark(*wants.marked, edited, now);
  if (wants.extent) now.extent = edit::extent_of(edited, meant.bits(), meant.value(), pool_);
  if (wants.groups) now.groups = groups(edited);
  now.usual_distance = usual_distance(edited.model());
}

void Editing::mark(uint32_t object, const edit::EditedModel& edited, EditedScene& now) {
  const auto objects = edited.objects();
  pool_.for_chunks(objects.size(), kStatesAtOnce, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) now.states[row] |= objects[row] == object ? viewer::kMarked : 0;
  });
}

double Editing::usual_distance(const splat::Gaussians& model) {
  if (usual_distance_ < 0) usual_distance_ = edit::usual_distance(model, pool_);
  return usual_distance_;
}

// Near: as far apart as neighbours are.
std::vector<ProposedGroup> Editing::groups(const edit::EditedModel& edited) {
  constexpr double kNear = 1;  // usual distances
  constexpr size_t kMost = 24;
  std::vector<uint32_t> rows;
  const auto states = edited.states();
  for (uint32_t row = 0; row < std::min(states.size(), proposal_.score.size()); ++row)
    if (states[row] & edit::kSelected) rows.push_back(row);
  const double near = kNear * usual_distance(edited.model());
  std::vector<ProposedGroup> shown;
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

EditedScene Editing::scene(const edit::EditedModel& edited, EditsSummary* summary) {
  const edit::RowCounts counts = edit::count_rows(edited, saved_ ? &*saved_ : nullptr, pool_);
  EditsSummary unsaved;
  unsaved.deleted = counts.lost, unsaved.restored = counts.restored, unsaved.added = counts.came;
  unsaved.moved = moved_rows(edited);
  unsaved.parts = edited.object_count() - 1;
  unsaved.described = is_described(edited.list());
  EditedScene now;
  now.splats = splats_;
  now.states.assign(edited.states().begin(), edited.states().end());
  now.selected = counts.selected, now.hidden = counts.hidden;
  now.locked = counts.locked, now.deleted = counts.deleted;
  now.objects = scene_objects(edited, splats_, counts.of_object);
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
  list_steps(edited.history(), now);
  return now;
}

std::optional<ChangedRows> Editing::take_changed_rows(const edit::EditedModel& edited) {
  if (edited.revision() == revision_shown_) return std::nullopt;
  revision_shown_ = edited.revision();
  ChangedRows changed = viewer::changed_rows_of(edited, pool_);
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

uint64_t Editing::set_proposal(splat::clean::Proposal proposal, EngineModel& model) {
  proposal_ = std::move(proposal);
  keep_proposed(rows_asked_, model);
  return ++proposal_number_;
}

// Keeps the proposal for as many rows as are still those that it was made for.
void Editing::keep_proposed(size_t rows, EngineModel& model) {
  if (proposal_.score.size() > rows) proposal_.score.resize(rows), proposal_.reasons.resize(rows);
  model.set_reasons(splat::clean::numbers_of(proposal_.reasons));
}

void Editing::rows_came(size_t before, EngineModel& model) {
  if (model.edited().model().size() <= before) return;
  rows_asked_ = std::min(rows_asked_, before);
  if (proposal_.score.size() > before) keep_proposed(before, model);
}

splat::Status Editing::add(AddedSplats added, EngineModel& model) {
  edit::EditedModel& edited = model.edited();
  const size_t rows = edited.model().size();
  if (edited.model().size() + added.model.size() > size_t(std::numeric_limits<uint32_t>::max()))
    return splat::Error{"'" + added.file.path + "' cannot be added: a scene holds at most 4.2 billion splats"};
  std::string name = added.name;
  const auto is_taken = [&] {
    return std::any_of(edited.list().begin(), edited.list().end(),
                       [&](const edit::Object& one) { return one.name == name; });
  };
  for (int i = 2; is_taken(); ++i) name = added.name + " " + std::to_string(i);
  edited.add(std::move(added.model), std::move(added.file), std::move(name));
  rows_came(rows, model);
  return {};
}

splat::Status Editing::restore(const KeptEdits& kept, std::vector<splat::Gaussians> added, EngineModel& model) {
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

}  // namespace studio
