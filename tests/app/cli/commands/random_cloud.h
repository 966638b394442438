// Seeded splats without any shape, for what reads and writes files.
#pragma once

#include <vector>

#include "splat/core/random.h"
#include "splat/model/gaussians.h"

namespace splat::test {

inline Gaussians cloud(size_t count, int degree, uint64_t seed = 1) {
  Gaussians model;
  model.sh_degree = degree;
  model.resize(count);
  random::Sequence random(seed, random::kTest);
  for (std::vector<float>* group : {&model.means, &model.quats, &model.logit_opacities, &model.sh})
    for (float& value : *group) value = random.normal();
  for (float& value : model.log_scales) value = -4 + 0.5f * random.normal();
  return model;
}

}  // namespace splat::test
