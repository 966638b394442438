#include "splat/train/growth_limit.h"

#include "splat/model/gaussians.h"

namespace splat {

uint64_t splats_determined_by_pixels(const Dataset& dataset, int sh_degree) {
  uint64_t values = 0;
  for (const int index : dataset.training_views()) {
    const PinholeCamera& camera = dataset.views[size_t(index)].camera;
    values += uint64_t(3) * uint64_t(camera.width) * uint64_t(camera.height);
  }
  return values / uint64_t(parameters_per_splat(sh_degree));
}

GrowthLimit growth_limit(uint64_t asked, uint64_t in_memory, const Dataset& dataset, int sh_degree) {
  GrowthLimit limit = asked > 0
                          ? GrowthLimit{asked, GrowthLimit::Reason::kAsked}
                          : GrowthLimit{splats_determined_by_pixels(dataset, sh_degree), GrowthLimit::Reason::kPixels};
  if (in_memory > 0 && (limit.splats == 0 || in_memory < limit.splats))
    limit = {in_memory, GrowthLimit::Reason::kMemory};
  return limit;
}

std::string growth_limit_sentence(const GrowthLimit& limit, uint64_t splats) {
  const std::string count = std::to_string(splats), most = std::to_string(limit.splats);
  switch (limit.reason) {
    case GrowthLimit::Reason::kMemory:
      return "Memory is enough for about " + count + " splats: their number stays there, training goes on.";
    case GrowthLimit::Reason::kAsked:
      return "The limit of " + most + " splats is reached: training goes on with " + count + ".";
    case GrowthLimit::Reason::kPixels:
      break;
  }
  return "The photos have pixels enough to determine " + most + " splats: growth stops there, training goes on with " +
         count + " (--max-splats N allows more).";
}

}  // namespace splat
