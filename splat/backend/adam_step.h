// What a backend's update kernel needs of AdamSettings, the same on every device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/math/adam.h"
#include "splat/math/parameter_chain.h"

namespace splat {

struct AdamSettings;  // backend.h

struct AdamStep {
  math::AdamCoefficients<float> adam;
  uint32_t rounding = 0;  // of packed moments
  // Rates with the bias correction of the first moment, by parameter group.
  float mean_step = 0, log_scale_step = 0, quat_step = 0, opacity_step = 0, sh0_step = 0, sh_rest_step = 0;
  math::RegularizerWeights<float> regularizers{0, 0, 0};
  uint32_t iteration = 0;
  bool all_rows = false;  // regularizers move rows that are not visible, too
};

AdamStep adam_step(const AdamSettings& settings, size_t splats);

}  // namespace splat
