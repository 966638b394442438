// What there is to say of an edited model's rows in numbers: how many have which state, by how many a file differs from
// it, and how far those reach that a move would take. Cost: one pass over the states each. The same numbers on any
// number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/edited_model.h"

namespace splat::edit {

struct RowCounts {
  size_t selected = 0, hidden = 0, locked = 0, deleted = 0;
  std::vector<size_t> of_object;            // [objects] rows that are not deleted
  size_t lost = 0, restored = 0, came = 0;  // since then: rows that went, are back, and are copies or of added files
};
RowCounts count_rows(const EditedModel& edited, const EditedState* then, ThreadPool& pool);  // null: as opened

// How far centres reach, world units.
struct RowsExtent {
  std::array<double, 3> centre{}, low{}, high{};  // centre: their mean

  double size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};
// That of the rows with these values of these bits of their states. None: no such row has a finite centre.
std::optional<RowsExtent> extent_of(const EditedModel& edited, uint8_t bits, uint8_t value, ThreadPool& pool);

}  // namespace splat::edit
