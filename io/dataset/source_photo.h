// A photo at the size it was read in, before the lens or the panorama is taken out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/model/image.h"

namespace io {

struct SourcePhoto {
  splat::Image8 picture;       // 1 channel (grey, repeated) or 3; where alpha lets it through the background is in it
  std::vector<uint8_t> keep;   // [H,W] at least 128: counts; empty: all do
  std::vector<uint8_t> alpha;  // [H,W] 255: opaque; empty: all are
};

}  // namespace io
