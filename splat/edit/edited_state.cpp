#include "splat/edit/edited_state.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "splat/edit/edited_model.h"

namespace splat::edit {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// What the file has of each row of the first one.
struct SavedRows {
  std::vector<uint32_t> row_in_file;     // [rows at `saved`] or kNone
  std::vector<uint32_t> row_for_source;  // [sources] a row at `saved` that the file has, or kNone
  size_t rows = 0;                       // of the file

  explicit SavedRows(const EditedState& saved)
      : row_in_file(saved.states.size(), kNone), row_for_source(saved.sources(), kNone) {
    for (size_t row = 0; row < saved.states.size(); ++row) {
      if (saved.states[row] & kDeleted) continue;
      row_in_file[row] = uint32_t(rows++);
      uint32_t& first = row_for_source[saved.source(row)];
      if (first == kNone) first = uint32_t(row);
    }
  }
};

// Moves from where `saved` left a row to where `now` has it, each pair of placements once.
class MovesSince {
 public:
  MovesSince(const EditedState& now, const EditedState& saved) : now_(now), saved_(saved), moves_(1) {}

  uint32_t placement(size_t row, size_t row_then) {
    const uint32_t to = now_.placement(row), from = saved_.placement(row_then);
    const Similarity &last = now_.moves[to], &before = saved_.moves[from];
    if (last == before) return 0;
    const auto [found, is_new] = known_.try_emplace({from, to}, uint32_t(moves_.size()));
    if (is_new) moves_.push_back(last * inverse(before));
    return found->second;
  }
  // The placement of a row that the file lacks: that of the row's own object.
  uint32_t placement(size_t row) {
    const uint32_t to = now_.placement(row);
    if (now_.moves[to].is_identity()) return 0;
    const auto [found, is_new] = known_.try_emplace({kNone, to}, uint32_t(moves_.size()));
    if (is_new) moves_.push_back(now_.moves[to]);
    return found->second;
  }
  std::vector<Similarity> take() { return std::move(moves_); }

 private:
  const EditedState &now_, &saved_;
  std::vector<Similarity> moves_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known_;
};

bool all_below(const std::vector<uint32_t>& values, size_t end) {
  return std::all_of(values.begin(), values.end(), [&](uint32_t value) { return value < end; });
}

// How many files both have in the same place: an added one may have been undone and another one added.
size_t common_sources(const EditedState& now, const EditedState& saved) {
  size_t common = now.rows_of_file();
  for (size_t k = 0; k < std::min(now.added.size(), saved.added.size()) && now.added[k] == saved.added[k]; ++k)
    common += now.added[k].rows;
  return common;
}

// As they are seen from the file that was saved, where they were moved already.
std::vector<Object> list_since(const EditedState& now, const EditedState& saved) {
  std::vector<Object> list = now.list;
  if (list.empty() && !saved.list.empty()) list.resize(1);
  for (size_t i = 0; i < std::min(list.size(), saved.list.size()); ++i) {
    const Similarity& before = saved.list[i].placed;
    list[i].placed = list[i].placed == before ? Similarity() : list[i].placed * inverse(before);
  }
  return list;
}

}  // namespace

size_t EditedState::sources() const {
  size_t rows = rows_of_file();
  for (const AddedFile& file : added) rows += file.rows;
  return rows;
}

bool is_consistent(const EditedState& state) {
  const size_t rows = state.states.size();
  return state.copies.size() <= rows && all_below(state.copies, state.sources()) &&
         (state.objects.empty() || state.objects.size() == rows) &&
         all_below(state.objects, state.list.empty() ? rows + 1 : state.list.size()) &&
         (state.placements.empty() || state.placements.size() == rows) && !state.moves.empty() &&
         state.moves.front().is_identity() && all_below(state.placements, state.moves.size());
}

EditedState relative_to_saved(const EditedState& now, const EditedState& saved) {
  const SavedRows in_file(saved);
  MovesSince moves(now, saved);
  EditedState out;
  out.states.assign(in_file.rows, kDeleted);  // unless a row is there still
  out.objects.assign(in_file.rows, 0);
  out.placements.assign(in_file.rows, 0);
  const size_t stayed = std::min(now.states.size(), saved.states.size()), common = common_sources(now, saved);
  bool needs_added = false;
  for (size_t row = 0; row < now.states.size(); ++row) {
    const uint32_t source = now.source(row);
    const bool is_known = source < common, same_row = is_known && row < stayed && source == saved.source(row);
    const uint32_t file_row = same_row ? in_file.row_in_file[row] : kNone;
    const uint32_t then = file_row != kNone ? uint32_t(row) : is_known ? in_file.row_for_source[source] : kNone;
    if (file_row != kNone) {
      out.states[file_row] = now.states[row];
      out.objects[file_row] = now.object(row);
      out.placements[file_row] = moves.placement(row, then);
      continue;
    }
    const bool in_added = then == kNone && source >= now.rows_of_file();
    if ((then == kNone && !in_added) || (now.states[row] & kDeleted)) continue;
    needs_added |= in_added;
    out.copies.push_back(in_added ? uint32_t(in_file.rows + source - now.rows_of_file()) : in_file.row_in_file[then]);
    out.states.push_back(now.states[row]);
    out.objects.push_back(now.object(row));
    out.placements.push_back(in_added ? moves.placement(row) : moves.placement(row, then));
  }
  if (needs_added) out.added = now.added;
  out.list = list_since(now, saved);
  out.moves = moves.take();
  if (!(now.placed == saved.placed)) out.placed = now.placed * inverse(saved.placed);
  return out;
}

EditedState in_other_units(EditedState state, double units) {
  if (units == 1) return state;
  const Similarity by{units};
  if (state.list.empty()) state.list.resize(1);
  for (Similarity& move : state.moves) move = by * move;
  for (Object& object : state.list) object.placed = by * object.placed;
  state.placed = by * state.placed;
  return state;
}

}  // namespace splat::edit
