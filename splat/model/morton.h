// An order of the splats in which neighbours in the list are neighbours in space: along a Morton curve (Z-order; Morton
// 1966) in a cube of 2^21 cells a side, around the model but for what lies absurdly far from most of it, which
// counts as on its border. Files compress better in it, and memory accesses are faster. Cost: a sort of 16 bytes a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splat {

// Row order[i] comes i-th. Rows with a position that is not finite come last; ties keep their order.
std::vector<uint32_t> morton_order(std::span<const float> means);  // [N,3], N < 2^32

}  // namespace splat
