// All that editing did to the rows of a file, without the rows: with both, EditedModel::restore() makes the edited
// model again, to the byte. Every row is one of the file's or a copy of one, moved by one of `moves`. Rows of the file
// come first, copies after them. Kept on disk against crashes, and compared to find out whether a file is up to date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "splat/model/transform.h"

namespace splat::edit {

struct EditedState {
  std::vector<uint8_t> states;       // [N] StateBit
  std::vector<uint32_t> copies;      // [C] rows of the file: row N - C + i is a copy of row copies[i]
  std::vector<uint32_t> objects;     // [N]; empty: all 0
  std::vector<uint32_t> placements;  // [N] of moves; empty: all 0
  std::vector<Similarity> moves;     // from where a row lies in the file; the first is the identity

  size_t rows_of_file() const { return states.size() - copies.size(); }
  uint32_t source(size_t row) const { return row < rows_of_file() ? uint32_t(row) : copies[row - rows_of_file()]; }
  uint32_t object(size_t row) const { return objects.empty() ? 0 : objects[row]; }
  uint32_t placement(size_t row) const { return placements.empty() ? 0 : placements[row]; }
};

// Whether the numbers fit together: nothing refers to a row or a move that is not there. For what was read from a file.
bool is_consistent(const EditedState& state);

// The same rows as `now`, by way of the file that was written at `saved` in place of the first one: it has the rows
// that were not deleted then, where they were then. Rows that the file has nothing of are left out.
EditedState relative_to_saved(const EditedState& now, const EditedState& saved);

}  // namespace splat::edit
