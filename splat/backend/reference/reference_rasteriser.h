// The oracle of the rasterisers (splat/raster/raster.h): everything in double, brute force, written to be read. It is
// checked against central differences, and is what arrays of doubles are rasterised by. Cost: pixels times visible
// splats.
#pragma once

#include <memory>

#include "splat/raster/raster.h"

namespace splat {

template <class T>  // float or double
std::unique_ptr<raster::Rasteriser<T>> make_reference_rasteriser();

}  // namespace splat
