// How sharp a picture is, and a small copy that shows whether two pictures are nearly the same. Both from its
// brightness, reduced by areas, so that photos of one camera compare whatever their size.
#pragma once

#include <array>
#include <cstdint>

#include "splat/model/image.h"

namespace align {

inline constexpr int kThumbSide = 32, kSharpnessSide = 512;  // px

struct PictureLook {
  double sharpness = 0;  // variance of the Laplacian at kSharpnessSide px of the longer side
  std::array<uint8_t, kThumbSide * kThumbSide> thumb{};
};

PictureLook look_at(const splat::Image8& image);  // 1 to 4 channels

// Mean absolute difference in brightness, of 255.
double difference(const PictureLook& a, const PictureLook& b);

}  // namespace align
