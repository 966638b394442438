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
  std::vector<uint32_t> row_for_source;  // [rows of the first file] a row at `saved` that the file has, or kNone
  size_t rows = 0;                       // of the file

  explicit SavedRows(const EditedState& saved)
      : row_in_file(saved.states.size(), kNone), row_for_source(saved.rows_of_file(), kNone) {
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
  std::vector<Similarity> take() { return std::move(moves_); }

 private:
  const EditedState &now_, &saved_;
  std::vector<Similarity> moves_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known_;
};

bool all_below(const std::vector<uint32_t>& values, size_t end) {
  return std::all_of(values.begin(), values.end(), [&](uint32_t value) { return value < end; });
}

}  // namespace

bool is_consistent(const EditedState& state) {
  const size_t rows = state.states.size();
  return state.copies.size() <= rows && all_below(state.copies, state.rows_of_file()) &&
         (state.objects.empty() || state.objects.size() == rows) && all_below(state.objects, rows + 1) &&
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
  const size_t stayed = std::min(now.states.size(), saved.states.size());
  for (size_t row = 0; row < now.states.size(); ++row) {
    const bool same_row = row < stayed && now.source(row) == saved.source(row);
    const uint32_t file_row = same_row ? in_file.row_in_file[row] : kNone;
    const uint32_t then = file_row != kNone ? uint32_t(row) : in_file.row_for_source[now.source(row)];
    if (then == kNone) continue;
    const uint32_t placement = moves.placement(row, then);
    if (file_row != kNone) {
      out.states[file_row] = now.states[row];
      out.objects[file_row] = now.object(row);
      out.placements[file_row] = placement;
    } else if (!(now.states[row] & kDeleted)) {
      out.copies.push_back(in_file.row_in_file[then]);
      out.states.push_back(now.states[row]);
      out.objects.push_back(now.object(row));
      out.placements.push_back(placement);
    }
  }
  out.moves = moves.take();
  return out;
}

}  // namespace splat::edit
