// A rasteriser of arrays in a GPU's memory, for calls whose arrays are the host's: copies them there and the results
// back, by the runtime that the plugin uses. The emulated device takes the host's memory as it is.
#pragma once

#include <memory>
#include <string>

#include "splat/raster/raster.h"

namespace splat::test {

std::unique_ptr<raster::Rasteriser<float>> staged(const std::string& backend,
                                                  std::unique_ptr<raster::Rasteriser<float>> rasteriser);

}  // namespace splat::test
