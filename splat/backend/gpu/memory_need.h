// What splats and pixels take of the device's memory, predicted before anything is allocated (BackendInfo).
#pragma once

#include "splat/backend/gpu/instance_room.h"
#include "splat/backend/gpu/kernels.h"

namespace splat::gpu {

// What the sort keeps for itself is a copy of keys and values.
constexpr size_t bytes_per_splat(bool ordered) {
  // Moments, statistics, the last step, an index; a byte for its part of bounds.
  constexpr size_t kModel = (3 * kMaxRows + 3 + 1 + 1) * sizeof(float) + 1;
  constexpr size_t kFrame = sizeof(SplatRecord) + sizeof(TileRecord) + (3 + 5 + kGradientFloats) * sizeof(float);
  constexpr size_t kInstance = (4 + 2) * sizeof(uint32_t);
  constexpr size_t kOrdered = (kMomentFloats + 1 + 1 + kStateFloats * kTilePixels / kBucket) * sizeof(float);
  return kModel + kFrame + InstanceRoom::kPerSplat * (kInstance + (ordered ? kOrdered : 0));
}
// Picture, transmittance, gradient and partials of the loss, a photo with its mask and alpha; by tile, states and
// ranges.
constexpr size_t bytes_per_pixel(bool ordered) {
  return (3 + 1 + 3 + 9) * sizeof(float) + 5 + 1 + (ordered ? kStateFloats * sizeof(float) : 0);
}

}  // namespace splat::gpu
