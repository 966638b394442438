// Training kept to a box (TrainConfig::region): which rows lie in it. All do where the box is empty. Cost: a pass over
// the centres; of a backend they are downloaded in blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/model/box.h"

namespace splat {

std::vector<uint32_t> rows_inside(const Box& box, const Ellipsoids& model);  // ascending
std::vector<uint32_t> rows_inside(const Box& box, const Backend& backend);
size_t keep_rows_inside(const Box& box, Backend& backend);  // how many others there were

}  // namespace splat
