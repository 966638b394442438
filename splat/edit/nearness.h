// Which rows lie near each other, by a grid of cells over their centres. Rows without a finite centre lie nowhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"

namespace splat::edit {

// means [N,3]; from [N], not 0: the rows to start from. 1 where a row lies within `distance` of one of them, these
// included. distance > 0, in the unit of the means. Cost: N log N, and the pairs within a cell.
std::vector<uint8_t> rows_near(std::span<const float> means, std::span<const uint8_t> from, double distance,
                               ThreadPool& pool);

// [N] the part that a row belongs to: rows hang together in cells of this size that touch, if only with a corner.
// Numbered from 0 on in the order of their first rows; kNoPart: no centre.
inline constexpr uint32_t kNoPart = ~uint32_t(0);
std::vector<uint32_t> parts_of(std::span<const float> means, double cell);

// [N] how many rows such a part has; 0: no centre.
std::vector<uint32_t> part_sizes(std::span<const float> means, double cell);

}  // namespace splat::edit
