// Floaters on the photographer's path. Between neighbouring cameras there is free space. But a smooth background looks
// the same at any depth to distant cameras, and may be trained into place among those that face away from it: a veil
// over every picture taken there, which grows with the length of the run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/math/sight.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// Radius of a path, times its length; and its greatest length, times the median of all: longer ones lead to cameras
// with wrong poses.
inline constexpr double kPathRadius = 0.2, kLongestPath = 3;

// The ways from each camera to its six nearest neighbours, and cells around what they hold.
struct CameraPaths {
  explicit CameraPaths(std::span<const View> views);

  std::vector<math::Path<double>> paths;
  std::vector<math::Cell<double>> around;
};

// Rows whose centre lies within kPathRadius of the line from a camera to one of its six nearest neighbours, and out of
// frame of every camera less than `nearer` times as far away as the nearest one. Ascending. A row in frame of a camera
// close by is an object that the path went around. nearer: above 1. pool: or null. Cost: a row is compared with the
// paths that reach its group (row_parts.h), the few rows on a path with all cameras.
std::vector<uint32_t> rows_in_paths(const Ellipsoids& model, std::span<const View> views, double nearer,
                                    ThreadPool* pool = nullptr);

}  // namespace splat
