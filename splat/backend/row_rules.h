// A step of density control, decided where the rows are: what it asks of all of them, and the few that the answers
// name. Of a row, a device then sends two bytes to the host, and 44 of the few, instead of 56 of each
// (Backend::judge_rows). The answers are those of densify/judged_rows.h, bit by bit: splat/math/sight.h is all
// arithmetic there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/math/sight.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

struct RowRules {
  std::span<const View> views;                 // cameras
  double nearer = 0;                           // of rows that move out or lie on a path; 0: none do
  std::span<const math::Path<double>> paths;   // between cameras
  std::span<const math::Cell<double>> around;  // of each path: all that it holds
  double near_share = 0;                       // of the rows, those nearest to the cameras, which grow less
  float least_logit = 0;                       // rows of less opacity are removed
  size_t most = 0;                             // rows there shall be, where enough can be cut in two
};

// Rows ascending. What is moved may be removed or cut as well, what is removed is not cut.
struct RowVerdicts {
  std::vector<uint32_t> moved, removed, parents;
  Ellipsoids moved_rows, parent_rows;  // after the moves
};

}  // namespace splat
