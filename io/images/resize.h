// Downscaling by area: every output pixel is the mean of the source area it covers, in stored 8-bit values. Exact (a
// plain box mean) for whole factors. With alpha, colours are weighted by it. Cost: one pass over the source.
#pragma once

#include "splat/model/image.h"

namespace io {

// The whole picture as width x height; neither side may grow.
splat::Image8 resize_area(const splat::Image8& image, int width, int height);

// Output pixel (x, y) covers [x*factor_x, (x+1)*factor_x) x [y*factor_y, (y+1)*factor_y) of the source, cut at its
// border.
splat::Image8 reduce_area(const splat::Image8& image, double factor_x, double factor_y, int width, int height);

}  // namespace io
