// How many instances (splats in tiles) a view's lists have room for: learnt from the views before, whose counts arrive
// after their lists were made. A view that turns out to have more is drawn again, or its step left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "splat/core/device_error.h"

namespace splat::gpu {

class InstanceRoom {
 public:
  // Before any view was counted; for reserve() as well.
  static constexpr size_t kPerSplat = 4, kSmallest = 4096;
  static constexpr size_t kLargest = (size_t(1) << 31) - 1;  // what 32-bit places in the lists can count

  size_t next() const { return next_; }    // of the next view
  size_t drawn() const { return drawn_; }  // that the lists of the view drawn last were made with
  size_t reserved() const { return std::max(next_, reserved_); }  // that memory is kept for
  bool counted() const { return counted_; }                       // some view of this model was
  bool settled() const { return settled_; }                       // the view drawn last was

  void reserve(size_t splats) { reserved_ = std::max({reserved_, kSmallest, kPerSplat * splats}); }
  void model_replaced() { counted_ = false; }
  void limit(size_t instances) { next_ = instances, counted_ = true; }  // as if no view so far had needed more

  void draw(size_t splats) {
    if (!counted_) next_ = std::max({next_, kSmallest, std::min(kPerSplat * splats, kLargest)});
    drawn_ = next_;
    settled_ = false;
  }
  // The count of the view drawn last: did it fit? The next one gets half as much room again where this one came near
  // its end. Throws DeviceError for more than can be listed.
  bool learn(uint64_t instances) {
    if (instances > kLargest)
      throw DeviceError("a view of " + std::to_string(instances) + " splats in tiles",
                        "it can list " + std::to_string(kLargest) + "; a smaller -r or --max-splats helps");
    if (instances + instances / 8 > next_) next_ = std::min(size_t(instances + instances / 2), kLargest);
    counted_ = settled_ = true;
    return instances <= drawn_;
  }

 private:
  size_t next_ = 0, drawn_ = 0, reserved_ = 0;
  bool counted_ = false, settled_ = true;
};

}  // namespace splat::gpu
