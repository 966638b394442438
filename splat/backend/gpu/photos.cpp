#include "splat/backend/gpu/photos.h"

#include <algorithm>

namespace splat::gpu {
namespace {

size_t bytes_of(const TrainingImage& image) { return image.rgb.size() + image.mask.size() + image.alpha.size(); }
size_t counted_pixels(const TrainingImage& image, size_t pixels) {
  return pixels - size_t(std::count(image.mask.begin(), image.mask.end(), uint8_t(0)));
}

// The parts of a photo whose bytes lie at `at`, as copy() lays them out.
Photos::OnDevice on_device(const uint8_t* at, size_t pixels, bool masked, bool has_alpha, size_t counted) {
  const uint8_t* const behind = at + 3 * pixels;
  return {at, masked ? behind : nullptr, has_alpha ? behind + (masked ? pixels : 0) : nullptr, counted};
}

}  // namespace

const Photos::Kept* Photos::find(uint64_t photo) const {
  for (const Kept& kept : kept_)
    if (kept.photo == photo && photo != 0) return &kept;
  return nullptr;
}

// Null where there is none: the device's memory then serves the splats.
Photos::Kept* Photos::room_for(uint64_t photo, size_t bytes) {
  if (photo == 0 || kept_bytes_ + bytes > limit_) return nullptr;
  Kept kept;
  try {
    kept.bytes.reserve_discarding(bytes);
  } catch (const DeviceError& error) {
    if (error.bytes_wanted == 0) throw;
    limit_ = kept_bytes_;
    return nullptr;
  }
  kept_bytes_ += bytes;
  kept.photo = photo;
  kept_.push_back(std::move(kept));
  return &kept_.back();
}

void Photos::copy(const TrainingImage& image, uint8_t* to, hipStream_t stream) {
  turn_ = 1 - turn_;
  host_[turn_].copied.wait();
  PinnedBuffer<uint8_t>& host = host_[turn_].bytes;
  host.reserve_discarding(bytes_of(image));
  uint8_t* at = host.data();
  for (const std::vector<uint8_t>* plane : {&image.rgb, &image.mask, &image.alpha})
    at = std::copy(plane->begin(), plane->end(), at);
  SPLAT_GPU_CHECK(hipMemcpyAsync(to, host.data(), bytes_of(image), hipMemcpyHostToDevice, stream));
  host_[turn_].copied.record(stream);
}

Photos::OnDevice Photos::send(const TrainingImage& image, uint64_t photo, hipStream_t stream) {
  const size_t pixels = size_t(image.width) * size_t(image.height);
  const bool masked = !image.mask.empty(), has_alpha = !image.alpha.empty();
  const Kept* found = find(photo);
  if (found && found->pixels == pixels && found->masked == masked && found->has_alpha == has_alpha)
    return on_device(found->bytes.data(), pixels, masked, has_alpha, found->counted);
  const size_t counted = counted_pixels(image, pixels);
  uint8_t* to = nullptr;
  if (Kept* kept = found ? nullptr : room_for(photo, bytes_of(image))) {
    kept->pixels = pixels;
    kept->counted = counted;
    kept->masked = masked;
    kept->has_alpha = has_alpha;
    to = kept->bytes.data();
  } else {
    passing_.reserve_discarding(5 * pixels);
    to = passing_.data();
  }
  copy(image, to, stream);
  return on_device(to, pixels, masked, has_alpha, counted);
}

}  // namespace splat::gpu
