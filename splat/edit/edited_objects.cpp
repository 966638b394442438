// Files that are added to an edited model, what is known of its objects, and what is kept and saved of all of it.
#include <algorithm>
#include <utility>

#include "splat/core/check.h"
#include "splat/edit/edited_model.h"
#include "splat/edit/new_steps.h"
#include "splat/edit/rows.h"
#include "splat/model/gaussian_rows.h"

namespace splat::edit {
namespace {

bool has_any(const std::vector<uint32_t>& values) {
  return std::any_of(values.begin(), values.end(), [](uint32_t value) { return value != 0; });
}

}  // namespace

// ---- rows of files

void EditedModel::append_sources(const std::vector<RowRun>& runs) {
  if (runs.empty()) return;
  const uint32_t first = uint32_t(model_.size());
  sources_.append(runs);
  append_rows(sources_.as_opened(std::span(sources_.copies()).subspan(first - opened_rows()), model_), model_);
  const size_t rows = model_.size();
  states_.resize(rows), objects_.resize(rows), placements_.resize(rows);
  changed_.add(first, uint32_t(rows));
}

void EditedModel::set_sh_degree(int degree) {
  if (degree == model_.sh_degree) return;
  raise_sh_degree(model_, degree);
  reduce_sh_degree(model_, degree);
  sources_.set_sh_degree(degree);
  changed_.add(0, uint32_t(model_.size()));
}

size_t EditedModel::add(Gaussians rows, AddedFile file, std::string name) {
  if (rows.size() == 0) return 0;
  Step step;
  step.name = "add file";
  begin(step);
  const uint32_t count = uint32_t(rows.size()), row = uint32_t(model_.size());
  file.rows = count;
  file.sh_degree = step.sh_degree = rows.sh_degree;
  const uint32_t first = sources_.add_file(std::move(file), std::move(rows));
  step.sources.push_back({first, first + count});
  step.objects.push_back({row, row + count, 0, object_count()});
  step.appended.push_back({std::move(name)});
  return finish(std::move(step), count);
}

// ---- what is known of objects

void EditedModel::apply_to_list(const Step& step, bool forward) {
  for (const ObjectChange& change : step.changes) list_[change.object] = forward ? change.after : change.before;
  if (forward)
    list_.insert(list_.end(), step.appended.begin(), step.appended.end());
  else
    list_.resize(list_.size() - step.appended.size());
}

bool EditedModel::rename_object(uint32_t object, std::string name) {
  if (name.empty() || list_[object].name == name) return false;
  Step step;
  step.name = "rename object";
  Object after = list_[object];
  after.name = std::move(name);
  step.changes.push_back({object, list_[object], std::move(after)});
  finish(std::move(step), 0);
  return true;
}

// ---- all of it

EditedState EditedModel::state() const {
  EditedState out;
  out.states = states_;
  out.copies = sources_.copies();
  if (has_any(objects_)) out.objects = objects_;
  if (has_any(placements_)) out.placements = placements_;
  out.moves = moves_;
  out.placed = placed_;
  out.added = sources_.files_with_rows();
  if (list_.size() > 1 || !(list_[0] == Object())) out.list = list_;
  SPLAT_CHECK_EQ(out.states.size(), model_.size());
  return out;
}

size_t EditedModel::restore(const EditedState& kept, std::vector<Gaussians> added) {
  SPLAT_CHECK_EQ(kept.rows_of_file(), opened_rows());
  SPLAT_CHECK_EQ(model_.size(), opened_rows());
  SPLAT_CHECK_EQ(kept.added.size(), added.size());
  SPLAT_CHECK(is_consistent(kept));
  Step step;
  step.name = "restore edits";
  begin(step);
  SPLAT_CHECK_EQ(sources_.files(), size_t(0));
  const EditedState now = state();
  for (size_t i = 0; i < added.size(); ++i) {
    SPLAT_CHECK_EQ(added[i].size(), size_t(kept.added[i].rows));
    step.sh_degree = std::max(step.sh_degree, added[i].sh_degree);
    sources_.add_file(kept.added[i], std::move(added[i]));
  }
  const uint32_t first_move = uint32_t(moves_.size());
  moves_.insert(moves_.end(), kept.moves.begin() + 1, kept.moves.end());
  const size_t rows = plan_restoring(now, kept, first_move, step);
  return finish(std::move(step), rows);
}

std::vector<uint8_t> EditedModel::saved_rows(std::optional<uint32_t> object) const {
  std::vector<uint8_t> keep(states_.size());
  for (size_t row = 0; row < keep.size(); ++row)
    keep[row] = !(states_[row] & kDeleted) && (!object || objects_[row] == *object);
  return keep;
}

Gaussians EditedModel::saved(std::optional<uint32_t> object) const {
  const std::vector<uint8_t> keep = saved_rows(object);
  Gaussians out = model_;
  reduce_sh_degree(out, saved_degree(keep));
  if (std::find(keep.begin(), keep.end(), uint8_t(0)) != keep.end()) keep_rows(out, keep);
  return out;
}

}  // namespace splat::edit
