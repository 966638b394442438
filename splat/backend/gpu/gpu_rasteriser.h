// Rasterises arrays of others (raster.h) that lie in a GPU's memory, out of the kernels of this folder. Calls have
// passed raster::check(). A forward call waits once for each camera: for the number of its splats in tiles, which its
// lists need room for. Backward passes do not wait. A call on another stream than the one before waits for that one's
// work. Gradients are summed with float atomics: their last bits may differ from run to run. The current device of the
// calling thread stays what it was. Throws DeviceError.
#pragma once

#include <memory>

#include "splat/raster/raster.h"

namespace splat {

struct GpuRasteriserOptions {
  int device = 0;               // index of the runtime
  int max_packed_tiles = 8192;  // as GpuOptions
};
std::unique_ptr<raster::Rasteriser<float>> make_gpu_rasteriser(const GpuRasteriserOptions& options);

}  // namespace splat
