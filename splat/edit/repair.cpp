#include "splat/edit/repair.h"

#include <algorithm>
#include <cmath>

#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/model/stored_as_bytes.h"

namespace splat::edit {
namespace {

constexpr size_t kChunkRows = 4096;

struct Scales {
  float opaque = 1;  // how an opacity of 1 is stored
  double white = 1;  // and a colour of 1
};

void repair_row(Gaussians& model, size_t row, const Repairs& repairs, const Scales& stored) {
  float& opacity = model.logit_opacities[row];
  if (repairs.opacity && !std::isnan(opacity)) opacity = math::logit(std::clamp(opacity / stored.opaque, 0.0f, 1.0f));
  float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
  for (size_t c = 0; c < 3; ++c) {
    float& scale = model.log_scales[3 * row + c];
    if (repairs.scale) scale = std::log(scale);
    if (repairs.colour) sh[c] = float((double(sh[c]) / stored.white - 0.5) / math::kSh0);
  }
  float* quat = model.quats.data() + 4 * row;
  if (repairs.rotation) std::rotate(quat, quat + 3, quat + 4);
}

}  // namespace

void repair(Gaussians& model, const Repairs& repairs, ThreadPool& pool) {
  if (!repairs.any()) return;
  const Scales stored{are_bytes(model.logit_opacities) ? 255.0f : 1.0f, are_colour_bytes(model) ? 255.0 : 1.0};
  pool.for_chunks(model.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) repair_row(model, row, repairs, stored);
  });
}

}  // namespace splat::edit
