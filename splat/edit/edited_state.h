// All that editing did to the rows of a file and of those that were added to it, without the rows: with these,
// EditedModel::restore() makes the edited model again, to the byte. Every row is one of a file's or a copy of one,
// moved by one of `moves`. Sources number the rows of the file, then those of the added ones. Rows of the file come
// first, all others after them. Kept on disk against crashes, and compared to find out whether a file is up to date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "splat/edit/object.h"
#include "splat/model/transform.h"

namespace splat::edit {

// A file that was added; what the texts say is for whoever keeps the state.
struct AddedFile {
  std::string path, content;
  uint32_t rows = 0;
  int sh_degree = 0;
  std::optional<double> metres_per_unit{};  // of the scene as it was added; 0: not known; none: as its file says

  friend bool operator==(const AddedFile&, const AddedFile&) = default;
};

struct EditedState {
  std::vector<uint8_t> states;       // [N] StateBit
  std::vector<uint32_t> copies;      // [C] sources: row N - C + i is row copies[i] of a file, or a copy of it
  std::vector<uint32_t> objects;     // [N]; empty: all 0
  std::vector<uint32_t> placements;  // [N] of moves; empty: all 0
  std::vector<Similarity> moves;     // from where a row lies in its file; the first is the identity
  std::vector<AddedFile> added{};
  std::vector<Object> list{};  // by number; empty: nothing is known of them
  Similarity placed{};         // EditedModel::placed()

  size_t rows_of_file() const { return states.size() - copies.size(); }
  size_t sources() const;  // rows of all files
  uint32_t source(size_t row) const { return row < rows_of_file() ? uint32_t(row) : copies[row - rows_of_file()]; }
  uint32_t object(size_t row) const { return objects.empty() ? 0 : objects[row]; }
  uint32_t placement(size_t row) const { return placements.empty() ? 0 : placements[row]; }
};

// Whether the numbers fit together: nothing refers to a row, a move or an object that is not there. For what was read
// from a file.
bool is_consistent(const EditedState& state);

// The same rows as `now`, by way of the file that was written at `saved` in place of the first one: it has the rows
// that were not deleted then, where they were then. Rows that neither it nor an added file has are left out.
EditedState relative_to_saved(const EditedState& now, const EditedState& saved);

// As a file has it that counts in other units, given as how many of them make one of the scene's; for
// relative_to_saved().
EditedState in_other_units(EditedState state, double units);

}  // namespace splat::edit
