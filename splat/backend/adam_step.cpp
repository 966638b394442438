#include "splat/backend/adam_step.h"

#include "splat/backend/backend.h"

namespace splat {

AdamStep adam_step(const AdamSettings& settings, size_t splats) {
  const auto step = [&](float rate) { return float(math::adam_step_size(rate, settings.beta1, settings.iteration)); };
  AdamStep result;
  result.adam = math::adam_coefficients<float>(settings.beta1, settings.beta2, settings.epsilon, settings.iteration);
  result.rounding = math::rounding_of(settings.seed, settings.iteration);
  result.mean_step = step(settings.mean_rate);
  result.log_scale_step = step(settings.log_scale_rate);
  result.quat_step = step(settings.quat_rate);
  result.opacity_step = step(settings.opacity_rate);
  result.sh0_step = step(settings.sh0_rate);
  result.sh_rest_step = step(settings.sh_rest_rate);
  if (splats > 0)
    result.regularizers = {settings.opacity_regularizer / float(splats),
                           settings.scale_regularizer / (3 * float(splats)),
                           settings.thickness_regularizer / float(splats)};
  result.iteration = uint32_t(settings.iteration);
  result.all_rows =
      settings.opacity_regularizer != 0 || settings.scale_regularizer != 0 || settings.thickness_regularizer != 0;
  return result;
}

}  // namespace splat
