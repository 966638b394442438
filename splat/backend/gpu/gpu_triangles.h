// Triangles that lie in a GPU's memory, rasterised and interpolated there (triangles.h), by the formulas of the CPU.
// Every pixel keeps the nearest depth with the number of its triangle, so that no order of threads matters; triangles
// are drawn in blocks of 8x8 pixels, as many threads as these need. Gradients are summed in double by atomics: their
// last bits may differ from run to run. A call on another stream than the one before waits for that one's work. The
// calling thread's current device stays what it was. Keeps, of the largest call: 8 bytes a pixel and 136 a triangle of
// a picture; 24 bytes a vertex, and 8 a number of the attributes, for gradients.
#pragma once

#include <memory>

#include "splat/raster/triangles/rasteriser.h"

namespace splat {

std::unique_ptr<triangles::Rasteriser> make_gpu_triangles(int device);

}  // namespace splat
