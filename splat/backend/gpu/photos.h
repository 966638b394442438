// Photos on the device, 8 bits a value, kept from one epoch to the next while there is room; others are copied every
// time. Copies go through two page-locked buffers in turn, so that one is filled while the device reads the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "splat/backend/gpu/device.h"
#include "splat/core/gpu_buffer.h"
#include "splat/model/image.h"

namespace splat::gpu {

class Photos {
 public:
  struct OnDevice {
    const uint8_t* rgb;    // [3,H,W]
    const uint8_t* mask;   // [H,W] or null
    const uint8_t* alpha;  // likewise
    size_t counted;        // pixels that the mask lets count
    std::array<float, 3> background;
  };

  void set_limit(size_t bytes) { limit_ = bytes; }
  // photo: LossSettings::photo. Waits where both buffers are still being read. An image without pixels is kept already;
  // who kept it had the memory for a loss of this size, so that it has not given way since.
  OnDevice send(const TrainingImage& image, uint64_t photo, size_t pixels, hipStream_t stream);
  bool keeps(uint64_t photo) const { return find(photo) != nullptr; }
  void forget() {
    kept_.clear();
    kept_bytes_ = 0;
  }
  size_t bytes() const { return kept_bytes_ + passing_.bytes(); }
  size_t kept() const { return kept_.size(); }

 private:
  struct Kept {
    uint64_t photo = 0;
    DeviceBuffer<uint8_t> bytes;  // [3,H,W], then the mask and alpha, [H,W] each, where they are there
    size_t pixels = 0, counted = 0;
    bool masked = false, has_alpha = false;
    std::array<float, 3> background{0, 0, 0};
  };
  static OnDevice on_device(const Kept& kept, const uint8_t* at);  // whose bytes lie there
  const Kept* find(uint64_t photo) const;                          // null: not kept
  Kept* room_for(uint64_t photo, size_t bytes);
  void copy(const TrainingImage& image, uint8_t* to, hipStream_t stream);

  std::vector<Kept> kept_;
  size_t kept_bytes_ = 0, limit_ = 0;
  DeviceBuffer<uint8_t> passing_;
  struct HostBuffer {
    PinnedBuffer<uint8_t> bytes;
    Event copied;
  };
  HostBuffer host_[2];
  int turn_ = 0;
};

}  // namespace splat::gpu
