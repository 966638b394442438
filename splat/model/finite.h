// Which numbers of a splat a file or a renderer can live with.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "splat/model/gaussians.h"

namespace splat {

inline bool all_finite(std::span<const float> values) {  // without branches, so that it runs at memory speed
  constexpr uint32_t kExponent = 0x7f800000u;
  uint32_t bad = 0;
  for (const float value : values) bad |= uint32_t((std::bit_cast<uint32_t>(value) & kExponent) == kExponent);
  return bad == 0;
}

inline bool all_finite(const Gaussians& model) {
  return all_finite(model.means) && all_finite(model.log_scales) && all_finite(model.quats) &&
         all_finite(model.logit_opacities) && all_finite(model.sh);
}

// Legal infinities: an opacity of 0 or 1 (logit -inf, +inf) and a size of 0 (log scale -inf).
bool has_legal_values(const Gaussians& model, size_t row);

// Those values, and a rotation: what a renderer can draw.
bool is_drawable(const Gaussians& model, size_t row);

}  // namespace splat
