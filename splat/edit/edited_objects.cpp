// Files that are added to an edited model, what is known of its objects, and what is kept and saved of all of it.
#include <algorithm>
#include <utility>

#include "splat/core/check.h"
#include "splat/edit/edited_model.h"
#include "splat/edit/rows.h"
#include "splat/model/gaussian_rows.h"

namespace splat::edit {
namespace {

constexpr uint8_t bits_of(const Object& object) {
  return uint8_t((object.visible ? 0 : kObjectHidden) | (object.locked ? kObjectLocked : 0));
}

bool has_any(const std::vector<uint32_t>& values) {
  return std::any_of(values.begin(), values.end(), [](uint32_t value) { return value != 0; });
}

// Those of a state that does not say: of an earlier version.
std::vector<Object> list_of(const EditedState& state) {
  if (!state.list.empty()) return state.list;
  uint32_t last = 0;
  for (const uint32_t object : state.objects) last = std::max(last, object);
  std::vector<Object> list(size_t(last) + 1);
  for (size_t i = 1; i < list.size(); ++i) list[i].name = "part " + std::to_string(i);
  return list;
}

}  // namespace

// ---- rows of files

size_t EditedModel::sources() const {
  return added_.empty() ? opened_rows_ : added_.back().source + added_.back().rows.size();
}

EditedModel::SourceRow EditedModel::source_row(uint32_t source) const {
  if (source < opened_rows_)
    return originals_[source] == 0 ? SourceRow{&model_, source} : SourceRow{&original_rows_, originals_[source] - 1};
  const auto file = std::find_if(added_.rbegin(), added_.rend(), [&](const Added& a) { return a.source <= source; });
  return {&file->rows, source - file->source};
}

Gaussians EditedModel::as_opened(std::span<const uint32_t> sources) const {
  Gaussians out;
  out.sh_degree = model_.sh_degree;
  reserve_rows(out, sources.size());
  for (size_t begin = 0; begin < sources.size();) {
    const Gaussians* const file = source_row(sources[begin]).in;
    std::vector<uint32_t> rows;
    for (; begin < sources.size(); ++begin) {
      const SourceRow at = source_row(sources[begin]);
      if (at.in != file) break;
      rows.push_back(at.row);
    }
    Gaussians part = gather_rows(*file, rows);
    raise_sh_degree(part, out.sh_degree);
    append_rows(part, out);
  }
  return out;
}

void EditedModel::append_sources(const std::vector<RowRun>& runs) {
  if (runs.empty()) return;
  const uint32_t first = uint32_t(model_.size());
  for (const RowRun& run : runs)
    for (uint32_t source = run.begin; source < run.end; ++source) copies_.push_back(source);
  append_rows(as_opened(std::span(copies_).subspan(first - opened_rows_)), model_);
  const size_t rows = model_.size();
  states_.resize(rows), objects_.resize(rows), placements_.resize(rows);
  changed_.push_back({first, uint32_t(rows)});
}

void EditedModel::set_sh_degree(int degree) {
  if (degree == model_.sh_degree) return;
  for (Gaussians* const rows : {&model_, &original_rows_}) {
    raise_sh_degree(*rows, degree);
    reduce_sh_degree(*rows, degree);
  }
  changed_.push_back({0, uint32_t(model_.size())});
}

int EditedModel::sh_degree_of(std::span<const uint8_t> rows) const {
  if (std::find(rows.begin(), rows.end(), uint8_t(1)) == rows.end()) return opened_sh_degree_;
  int degree = 0;
  for (uint32_t row = 0; row < rows.size() && degree < model_.sh_degree; ++row) {
    if (!rows[row]) continue;
    const uint32_t from = source(row);
    degree = std::max(degree, from < opened_rows_ ? opened_sh_degree_ : source_row(from).in->sh_degree);
  }
  return degree;
}

size_t EditedModel::add(Gaussians rows, AddedFile file, std::string name) {
  if (rows.size() == 0) return 0;
  Step step;
  step.name = "add file";
  begin(step);
  const uint32_t first = uint32_t(sources()), row = uint32_t(model_.size());
  file.rows = uint32_t(rows.size());
  file.sh_degree = step.sh_degree = rows.sh_degree;
  step.sources.push_back({first, first + file.rows});
  step.objects.push_back({row, row + file.rows, 0, object_count()});
  step.appended.push_back({std::move(name)});
  const size_t count = file.rows;
  added_.push_back({std::move(file), std::move(rows), first});
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
  out.copies = copies_;
  if (has_any(objects_)) out.objects = objects_;
  if (has_any(placements_)) out.placements = placements_;
  out.moves = moves_;
  out.placed = placed_;
  const size_t rows = model_.size();
  for (const Added& file : added_) {
    // The copies of a step that was undone: none of its rows exists.
    if (std::find(copies_.begin(), copies_.end(), file.source) == copies_.end()) break;
    out.added.push_back(file.what);
  }
  if (list_.size() > 1 || !(list_[0] == Object())) out.list = list_;
  SPLAT_CHECK_EQ(out.states.size(), rows);
  return out;
}

size_t EditedModel::restore(const EditedState& kept, std::vector<Gaussians> added) {
  SPLAT_CHECK_EQ(kept.rows_of_file(), opened_rows_);
  SPLAT_CHECK_EQ(model_.size(), opened_rows_);
  SPLAT_CHECK_EQ(kept.added.size(), added.size());
  SPLAT_CHECK(is_consistent(kept));
  Step step;
  step.name = "restore edits";
  begin(step);
  SPLAT_CHECK(added_.empty());
  for (size_t i = 0; i < added.size(); ++i) {
    SPLAT_CHECK_EQ(added[i].size(), size_t(kept.added[i].rows));
    step.sh_degree = std::max(step.sh_degree, added[i].sh_degree);
    const uint32_t first = uint32_t(sources());
    added_.push_back({kept.added[i], std::move(added[i]), first});
  }
  const uint32_t first_move = uint32_t(moves_.size()) - 1;
  moves_.insert(moves_.end(), kept.moves.begin() + 1, kept.moves.end());
  for (const uint32_t from : kept.copies) append_row(step.sources, from);
  const std::vector<Object> list = list_of(kept);
  for (uint32_t object = 0; object < list.size(); ++object) {
    if (object >= list_.size())
      step.appended.push_back(list[object]);
    else if (!(list[object] == list_[object]))
      step.changes.push_back({object, list_[object], list[object]});
  }
  size_t rows = 0;
  for (uint32_t row = 0; row < kept.states.size(); ++row) {
    const bool is_new = row >= opened_rows_;
    const uint32_t placed = is_new ? 0 : placements_[row], object = is_new ? 0 : objects_[row];
    const uint32_t placement = kept.placement(row) ? first_move + kept.placement(row) : 0;
    const uint8_t state = uint8_t((kept.states[row] & ~kOfObject) | bits_of(list[kept.object(row)]));
    const uint8_t flipped = (is_new ? uint8_t(0) : states_[row]) ^ state;
    if (flipped) append_row(step.states, row, flipped);
    if (placement != placed) append_row(step.placements, row, placed, placement);
    if (kept.object(row) != object) append_row(step.objects, row, object, kept.object(row));
    rows += flipped || is_new || placement != placed || kept.object(row) != object;
  }
  step.of_all = kept.placed;
  return finish(std::move(step), rows);
}

Gaussians EditedModel::saved(std::optional<uint32_t> object) const {
  std::vector<uint8_t> keep(states_.size());
  for (size_t row = 0; row < keep.size(); ++row)
    keep[row] = !(states_[row] & kDeleted) && (!object || objects_[row] == *object);
  Gaussians out = model_;
  reduce_sh_degree(out, sh_degree_of(keep));
  if (std::find(keep.begin(), keep.end(), uint8_t(0)) != keep.end()) keep_rows(out, keep);
  return out;
}

}  // namespace splat::edit
