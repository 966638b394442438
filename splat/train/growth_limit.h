// Where the growth of the splat count stops, and the sentence that says so.
// By default, training never makes more parameters than the training photos have pixel values to determine them:
// with few or small photos density control would otherwise go on for as long as it lasts, and learn the noise of the
// photos by heart (docs/notebook, banana).
#pragma once

#include <cstdint>
#include <string>

#include "splat/model/dataset.h"

namespace splat {

struct GrowthLimit {
  enum class Reason { kAsked, kMemory, kPixels };

  uint64_t splats = 0;  // 0: none
  Reason reason = Reason::kPixels;
};

// Splats with as many parameters (59 at degree 3) as the views trained on have channel values.
uint64_t splats_determined_by_pixels(const Dataset& dataset, int sh_degree);

// asked: --max-splats, 0 for none; it replaces the limit by pixels. in_memory: what fits there, 0 if unknown.
GrowthLimit growth_limit(uint64_t asked, uint64_t in_memory, const Dataset& dataset, int sh_degree);

// For the user, when growth was held back for the first time at `splats`.
std::string growth_limit_sentence(const GrowthLimit& limit, uint64_t splats);

}  // namespace splat
