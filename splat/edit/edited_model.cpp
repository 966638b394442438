#include "splat/edit/edited_model.h"

#include <algorithm>
#include <map>

#include "splat/core/check.h"
#include "splat/edit/nearness.h"
#include "splat/edit/new_steps.h"
#include "splat/model/gaussian_rows.h"

namespace splat::edit {
namespace {

// Writes row i of `from` to row rows[i] of `to`.
void write_rows(const Gaussians& from, std::span<const uint32_t> rows, Gaussians& to) {
  visit_arrays(
      from,
      [&](const char*, const std::vector<float>& source, std::vector<float>& target, size_t width) {
        for (size_t i = 0; i < rows.size(); ++i)
          std::copy_n(source.begin() + std::ptrdiff_t(i * width), width,
                      target.begin() + std::ptrdiff_t(rows[i] * width));
      },
      to);
}

std::vector<uint32_t> rows_of(const std::vector<RowRun>& runs) {
  std::vector<uint32_t> rows;
  for (const RowRun& run : runs)
    for (uint32_t row = run.begin; row < run.end; ++row) rows.push_back(row);
  return rows;
}

bool is_selected(uint8_t state, uint8_t in_mask, SelectMode mode) {
  const bool was = state & kSelected;
  switch (mode) {
    case SelectMode::kSet:
      return in_mask;
    case SelectMode::kAdd:
      return was || in_mask;
    case SelectMode::kRemove:
      return was && !in_mask;
    case SelectMode::kIntersect:
      return was && in_mask;
  }
  return was;
}

uint8_t with_selection(uint8_t state, bool selected) {
  return uint8_t(selected ? state | kSelected : state & ~kSelected);
}

std::string_view name_of(const Similarity& move) {
  return move.scale != 1 ? "scale" : Similarity{1, move.rotation, {}}.is_identity() ? "move" : "turn";
}

// Selected rows get the bit and are selected no more.
uint8_t marked(uint8_t state, StateBit bit) { return uint8_t(state & kSelected ? (state & ~kSelected) | bit : state); }

}  // namespace

EditedModel::EditedModel(Gaussians model, size_t max_history_bytes, int threads)
    : pool_(threads),
      model_(std::move(model)),
      sources_(model_),
      states_(model_.size()),
      objects_(model_.size()),
      placements_(model_.size()),
      moves_(1),
      list_(1),
      history_(max_history_bytes) {}

size_t EditedModel::count(uint8_t bits) const {
  return size_t(std::count_if(states_.begin(), states_.end(), [&](uint8_t s) { return (s & bits) == bits; }));
}

size_t EditedModel::moved_rows(const EditedState* then) const {
  static const EditedState kOpened{{}, {}, {}, {}, {{}}};
  const EditedState& before = then ? *then : kOpened;
  const size_t rows = std::min(then ? before.states.size() : opened_rows(), states_.size());
  // From there on a number can stand for another move: a step was undone and another one taken.
  const size_t agree = size_t(
      std::mismatch(moves_.begin(), moves_.end(), before.moves.begin(), before.moves.end()).first - moves_.begin());
  size_t moved = 0;
  for (size_t row = 0; row < rows; ++row) {
    const uint32_t now = placements_[row], was = before.placement(row);
    const bool other_row = row >= opened_rows() && sources_.of(uint32_t(row)) != before.source(row);
    moved += other_row || (!(now == was && now < agree) && !(moves_[now] == before.moves[was]));
  }
  return moved;
}

bool EditedModel::changed() const {
  return model_.size() != opened_rows() || count(kDeleted) > 0 ||
         std::any_of(placements_.begin(), placements_.end(), [&](uint32_t p) { return !moves_[p].is_identity(); });
}

// ---- states

template <class NewState>
size_t EditedModel::change_states(std::string_view name, const NewState& new_state, std::vector<ObjectChange> changes) {
  Step step;
  step.name = name;
  const size_t rows = plan_states(states_, pool_, new_state, step);
  step.changes = std::move(changes);
  return finish(std::move(step), rows);
}

size_t EditedModel::finish(Step step, size_t rows) {
  if (step.empty()) return 0;
  if (!step.known) begin(step);
  step.rows = rows;
  apply(step, true);
  history_.push(std::move(step));
  return rows;
}

// With the moves and files that only those steps knew.
void EditedModel::begin(Step& step) {
  if (const Step* redo = history_.next_redo()) {
    moves_.resize(redo->known->placements);
    sources_.forget_files_from(redo->known->files);
  }
  history_.drop_redo();
  step.known = Known{moves_.size(), sources_.files(), model_.sh_degree, placed_};
}

size_t EditedModel::select(std::span<const uint8_t> mask, SelectMode mode) {
  SPLAT_CHECK_EQ(mask.size(), states_.size());
  return change_states("select", [&](size_t row, uint8_t state) {
    return state & kUntouchable ? state : with_selection(state, is_selected(state, mask[row], mode));
  });
}
size_t EditedModel::select_all() {
  return change_states(
      "select all", [](size_t, uint8_t state) { return state & kUntouchable ? state : with_selection(state, true); });
}
size_t EditedModel::select_none() {
  return change_states("select nothing", [](size_t, uint8_t state) { return with_selection(state, false); });
}
size_t EditedModel::invert_selection() {
  return change_states("invert", [](size_t, uint8_t state) {
    return state & kUntouchable ? state : with_selection(state, !(state & kSelected));
  });
}

size_t EditedModel::grow_selection(double distance) {
  std::vector<uint8_t> from(states_.size());
  for (size_t row = 0; row < from.size(); ++row) from[row] = states_[row] & kSelected;
  const std::vector<uint8_t> near = rows_near(model_.means, from, distance, pool_);
  return change_states("grow", [&](size_t row, uint8_t state) {
    return near[row] && !(state & kUntouchable) ? with_selection(state, true) : state;
  });
}
size_t EditedModel::shrink_selection(double distance) {
  std::vector<uint8_t> from(states_.size());
  for (size_t row = 0; row < from.size(); ++row) from[row] = !(states_[row] & (kSelected | kNotShown));
  const std::vector<uint8_t> near = rows_near(model_.means, from, distance, pool_);
  return change_states("shrink",
                       [&](size_t row, uint8_t state) { return near[row] ? with_selection(state, false) : state; });
}

size_t EditedModel::hide_selected() {
  return change_states("hide", [](size_t, uint8_t state) { return marked(state, kHidden); });
}
size_t EditedModel::unhide_all() {
  return change_states("show all", [](size_t, uint8_t state) { return uint8_t(state & ~kHidden); });
}
size_t EditedModel::lock_selected() {
  return change_states("lock", [](size_t, uint8_t state) { return marked(state, kLocked); });
}
size_t EditedModel::unlock_all() {
  return change_states("unlock all", [](size_t, uint8_t state) { return uint8_t(state & ~kLocked); });
}
size_t EditedModel::delete_selected() {
  return change_states("delete", [](size_t, uint8_t state) { return marked(state, kDeleted); });
}
size_t EditedModel::delete_rows(std::span<const uint8_t> mask) {
  SPLAT_CHECK_EQ(mask.size(), states_.size());
  return change_states("delete", [&](size_t row, uint8_t state) {
    return mask[row] && !(state & (kLocked | kDeleted)) ? uint8_t((state & ~kSelected) | kDeleted) : state;
  });
}
size_t EditedModel::show_only(std::span<const uint8_t> mask) {
  SPLAT_CHECK_EQ(mask.size(), states_.size());
  return change_states("show a part", [&](size_t row, uint8_t state) {
    if (state & kDeleted) return state;
    return mask[row] ? uint8_t(state & ~kHidden) : uint8_t((state & ~kSelected) | kHidden);
  });
}
size_t EditedModel::restore_deleted() {
  return change_states("restore", [](size_t, uint8_t state) { return uint8_t(state & ~kDeleted); });
}

// ---- objects

// bit: that its rows have or lose with it; with it they are selected no more.
size_t EditedModel::change_object(std::string_view name, uint32_t object, Object after, uint8_t bit, bool on) {
  if (after == list_[object]) return 0;
  return change_states(name,
                       [&](size_t row, uint8_t state) {
                         if (objects_[row] != object) return state;
                         return uint8_t(on ? (state & ~kSelected) | bit : state & ~bit);
                       },
                       {{object, list_[object], after}});
}

size_t EditedModel::show_object(uint32_t object, bool visible) {
  Object after = list_[object];
  after.visible = visible;
  return change_object(visible ? "show object" : "hide object", object, std::move(after), kObjectHidden, !visible);
}

size_t EditedModel::lock_object(uint32_t object, bool locked) {
  Object after = list_[object];
  after.locked = locked;
  return change_object(locked ? "lock object" : "unlock object", object, std::move(after), kObjectLocked, locked);
}

size_t EditedModel::move_object(uint32_t object, const Similarity& by) {
  if (by.is_identity()) return 0;
  return move_rows(
      "move object", by, [&](size_t row) { return objects_[row] == object && !(states_[row] & (kDeleted | kFixed)); },
      [&](const Similarity& from) { return by * from; }, object);
}

size_t EditedModel::place_object(uint32_t object, const Similarity& to) {
  const Similarity before = list_[object].placed;
  if (to == before) return 0;
  const Similarity by = to * inverse(before);
  return move_rows(
      "move object", by, [&](size_t row) { return objects_[row] == object && !(states_[row] & (kDeleted | kFixed)); },
      [&](const Similarity& from) { return from == before ? to : by * from; }, object);
}

// ---- rows

void EditedModel::place(std::span<const uint32_t> rows, uint32_t placement) {
  std::vector<uint32_t> from;
  for (uint32_t row : rows) {
    sources_.keep_original(row, model_);
    from.push_back(sources_.of(row));
  }
  Gaussians placed = sources_.as_opened(from, model_);
  if (placement > 0) transform(placed, moves_[placement], pool_);
  write_rows(placed, rows, model_);
  for (uint32_t row : rows) placements_[row] = placement;
}

void EditedModel::apply_placements(const std::vector<IndexRun>& runs, bool forward) {
  std::map<uint32_t, std::vector<uint32_t>> rows_by_placement;
  for (const IndexRun& run : runs)
    for (uint32_t row = run.begin; row < run.end; ++row)
      rows_by_placement[forward ? run.after : run.before].push_back(row);
  for (const IndexRun& run : runs) changed_.add(run.begin, run.end);
  for (const auto& [placement, rows] : rows_by_placement) place(rows, placement);
}

void EditedModel::append_copies(const std::vector<RowRun>& runs) {
  if (runs.empty()) return;
  const std::vector<uint32_t> rows = rows_of(runs);
  const uint32_t first = uint32_t(model_.size());
  append_rows(gather_rows(model_, rows), model_);
  for (uint32_t row : rows) {
    states_.push_back(states_[row] & ~kSelected);
    objects_.push_back(objects_[row]);
    placements_.push_back(placements_[row]);
    sources_.append(sources_.of(row));
  }
  changed_.add(first, uint32_t(model_.size()));
}

void EditedModel::remove_last(const std::vector<RowRun>& runs) {
  size_t rows = model_.size();
  for (const RowRun& run : runs) rows -= run.end - run.begin;
  model_.resize(rows);
  states_.resize(rows), objects_.resize(rows), placements_.resize(rows), sources_.resize(rows);
}

// meant(row); moved(placement) of a row before, which is by `by`. An object that moves as a whole, or is said to, is
// said to lie there.
template <class Meant, class Moved>
size_t EditedModel::move_rows(std::string_view name, const Similarity& by, const Meant& meant, const Moved& moved,
                              std::optional<uint32_t> whole) {
  Step step;
  step.name = name;
  std::map<uint32_t, uint32_t> after;  // by placement before
  std::vector<uint8_t> moves(list_.size()), stays(list_.size());
  size_t rows = 0;
  for (size_t row = 0; row < states_.size(); ++row) {
    const bool goes = meant(row);
    if (goes || !(states_[row] & kDeleted)) (goes ? moves : stays)[objects_[row]] = 1;
    if (!goes) continue;
    if (rows++ == 0) begin(step);
    const auto [found, is_new] = after.try_emplace(placements_[row], uint32_t(moves_.size()));
    if (is_new) moves_.push_back(moved(moves_[placements_[row]]));
    append_row(step.placements, uint32_t(row), placements_[row], found->second);
  }
  if (std::find(stays.begin(), stays.end(), uint8_t(1)) == stays.end()) step.of_all = by;
  for (uint32_t object = 0; object < list_.size(); ++object) {
    if (!moves[object] || (stays[object] && object != whole)) continue;
    Object there = list_[object];
    there.placed = moved(there.placed);
    step.changes.push_back({object, list_[object], std::move(there)});
  }
  return finish(std::move(step), rows);
}

size_t EditedModel::move_selected(const Similarity& by) {
  if (by.is_identity()) return 0;
  return move_rows(
      name_of(by), by, [&](size_t row) { return (states_[row] & kSelected) != 0; },
      [&](const Similarity& from) { return by * from; });
}
size_t EditedModel::move_all(const Similarity& by) {
  if (by.is_identity()) return 0;
  return move_rows(
      name_of(by), by, [&](size_t row) { return (states_[row] & (kDeleted | kFixed)) == 0; },
      [&](const Similarity& from) { return by * from; });
}

Gaussians EditedModel::rows_moved(std::span<const uint32_t> rows, const Similarity& by) const {
  Gaussians values = gather_rows(model_, rows);
  if (!by.is_identity()) transform(values, by, pool_);
  return values;
}

size_t EditedModel::duplicate_selected() {
  PlannedStep plan = duplication(states_);
  return finish(std::move(plan.step), plan.rows);
}
size_t EditedModel::separate_selected() {
  PlannedStep plan = separation(states_, objects_, list_);
  return finish(std::move(plan.step), plan.rows);
}

// ---- history

void EditedModel::apply(const Step& step, bool forward) {
  if (!step.sources.empty() || !step.copied.empty() || !step.placements.empty()) ++revision_;
  if (forward) {
    set_sh_degree(std::max(step.sh_degree, model_.sh_degree));
    append_sources(step.sources);
    append_copies(step.copied);
  }
  for (const StateRun& run : step.states)
    for (uint32_t row = run.begin; row < run.end; ++row) states_[row] ^= run.flipped;
  apply_placements(step.placements, forward);
  apply_to_list(step, forward);
  if (!forward)
    placed_ = step.known->placed;
  else if (!step.of_all.is_identity())
    placed_ = placed_.is_identity() ? step.of_all : step.of_all * placed_;
  for (const IndexRun& run : step.objects)
    std::fill(objects_.begin() + run.begin, objects_.begin() + run.end, forward ? run.after : run.before);
  if (!forward) {
    remove_last(step.copied);
    remove_last(step.sources);
    set_sh_degree(step.known->sh_degree);
  }
}

const Step* EditedModel::undo() {
  const Step* step = history_.undo();
  if (step) apply(*step, false);
  return step;
}
const Step* EditedModel::redo() {
  const Step* step = history_.redo();
  if (step) apply(*step, true);
  return step;
}

}  // namespace splat::edit
