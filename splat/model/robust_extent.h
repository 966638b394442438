// Where nearly all of a scene lies: what --info calls its extent, and what Home, thumbnails, films and pages frame.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "splat/model/gaussians.h"

namespace splat {

struct Extent {
  std::array<double, 3> low{}, high{};  // world units
};

// Percentiles 1 and 99 of each axis, over at most 100 000 rows, evenly through the list; those not finite do not count.
// None: no row counts. Splats count by the square of their opacity: neither stray ones nor a haze of many faint ones
// show. Where none is opaque at all, all count the same.
std::optional<Extent> robust_extent(const Gaussians& model);
std::optional<Extent> robust_extent(std::span<const float> xyz);  // [N,3], points

// What a first look shows: percentiles 5 and 95, likewise, so that what is strewn around a subject does not make it
// small, widened by what evenly spread splats have beyond them. Of fewer than 100 splats, all, to two standard
// deviations.
std::optional<Extent> framed_extent(const Gaussians& model);

}  // namespace splat
