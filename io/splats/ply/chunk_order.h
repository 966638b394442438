// In which order a compressed PLY holds splats: near ones together, since the 256 of a chunk share the bounds between
// which their values are steps. Those far beyond the others, in place, size or colour, come behind them, so that they
// share chunks with each other; in the one chunk between, which is of both, the others are those that show least.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/splats/common/checks.h"
#include "io/splats/common/outliers.h"
#include "splat/model/gaussians.h"

namespace io {

// Position, log scale, colour of a row, as they are stored between bounds.
using ChunkValues = std::array<std::array<float, 3>, 3>;
ChunkValues chunk_values(const splat::Gaussians& model, size_t row);

// The rows that can be stored.
std::vector<uint32_t> chunk_order(const splat::Gaussians& model, const WritableRows& rows);

// Beyond these, values do not move the bounds of a chunk that holds others.
using ChunkRanges = std::array<std::array<SaneRange, 3>, 3>;
ChunkRanges absurd_beyond(const splat::Gaussians& model, const std::vector<uint32_t>& rows);

}  // namespace io
