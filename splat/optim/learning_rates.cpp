#include "splat/optim/learning_rates.h"

#include <algorithm>

#include "splat/optim/exponential_fall.h"

namespace splat {

double mean_rate_at(const LearningRates& rates, int iteration, MeanFall fall) {
  const double t = std::clamp(double(iteration - fall.from) / std::max(1, fall.until - fall.from), 0.0, 1.0);
  if (rates.mean_first <= 0 || rates.mean_last <= 0) return (1 - t) * rates.mean_first + t * rates.mean_last;
  return exponential_fall(rates.mean_first, rates.mean_last, t);
}

AdamSettings adam_settings(const LearningRates& rates, int iteration, MeanFall fall, double extent) {
  AdamSettings settings;
  settings.iteration = iteration;
  settings.mean_rate = float(mean_rate_at(rates, iteration, fall) * extent);
  settings.sh0_rate = rates.sh0;
  settings.sh_rest_rate = rates.sh_rest;
  settings.opacity_rate = rates.opacity;
  settings.log_scale_rate = rates.log_scale;
  settings.quat_rate = rates.quat;
  return settings;
}

}  // namespace splat
