// A photo beside what the splats show from its place.
#pragma once

#include "splat/model/image.h"
#include "studio/names.h"

namespace studio {

struct WantComparison {  // answered by a Comparison
  int view = 0;          // of the dataset, or of the opened splats
};
struct Comparison {
  using OnlyNewest = void;
  int view = 0, iteration = 0;
  splat::Image8 render, photo, error;  // RGB, same size; without pixels: it could not be made
  double psnr = 0, ssim = 0;
};

}  // namespace studio
